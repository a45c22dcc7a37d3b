-- The tables of every server of this workload. The harness makes them, in a database for each server.

create table threads (
  id bigint generated always as identity primary key,
  title text not null,
  created_at timestamptz not null default now()
);

-- message is one message in the form of the OpenAI API. Ids give the order of the messages of a thread.
create table messages (
  id bigint generated always as identity primary key,
  thread_id bigint not null references threads on delete cascade,
  message json not null,
  created_at timestamptz not null default now()
);

create index on messages (thread_id, id);
