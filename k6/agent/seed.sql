-- 10,000 threads of 20 messages, and 1,000 without any. Each run of a load has one of them, so that the cost of a run does not grow. The stub's
-- model knows what it said: tokens are the first digits of the hash of the question, and a number (stub/agent/model.go).
insert into threads (title) select 'thread ' || i from generate_series(1, 11000) as i;

with questions as (
  select i, n, format('Question %s of thread %s. @tokens=20', n, i) as text
  from generate_series(1, 10000) as i, generate_series(1, 10) as n
), keys as (
  select i, n, text, left(encode(sha256(convert_to(text, 'UTF8')), 'hex'), 12) as key from questions
)
insert into messages (thread_id, message)
select i, message from keys, lateral (values
  (1, json_build_object('role', 'user', 'content', text)),
  (2, json_build_object('role', 'assistant', 'content', (select string_agg(key || '.' || k || ' ', '' order by k) from generate_series(0, 19) as k)))
) as said (place, message)
order by i, n, place;
