// Threads and their messages, in PostgreSQL.

import { SQL } from "bun";

type Row = { id: string }; // Bun.sql has bigint as text
type Titled = { title: string; created_at: Date };

export type Thread = Titled & { id: number };
export type Message = { id: number; message: string }; // message is JSON

const foreignKeyViolation = "23503"; // https://www.postgresql.org/docs/current/errcodes-appendix.html

const threadOf = (row: Row & Titled): Thread => ({ ...row, id: Number(row.id) });

// openThreads opens all connections of the pool.
export async function openThreads(url: string, connections: number): Promise<Threads> {
  const sql = new SQL(url, { max: connections });
  await Promise.all(Array.from({ length: connections }, () => sql`select pg_sleep(0.1)`)); // each takes one
  const locks = new SQL(url, { max: 1 });
  await locks`select 1`;
  return new Threads(sql, locks);
}

export class Threads {
  private held = new Set<number>(); // locks of one connection do not exclude each other

  // locks is a connection of its own: a run must not keep one of the pool.
  constructor(
    private sql: SQL,
    private locks: SQL,
  ) {}

  async create(title: string): Promise<Thread> {
    const [row] = await this.sql`insert into threads (title) values (${title}) returning id, title, created_at`;
    return threadOf(row);
  }

  async read(id: number): Promise<Thread | undefined> {
    const [row] = await this.sql`select id, title, created_at from threads where id = ${id}`;
    return row && threadOf(row);
  }

  async rename(id: number, title: string): Promise<Thread | undefined> {
    const [row] = await this
      .sql`update threads set title = ${title} where id = ${id} returning id, title, created_at`;
    return row && threadOf(row);
  }

  async remove(id: number): Promise<Row | undefined> {
    const [row] = await this.sql`delete from threads where id = ${id} returning id`;
    return row;
  }

  async list(limit: number, before: number): Promise<Thread[]> {
    const rows = await this
      .sql`select id, title, created_at from threads where id < ${before} order by id desc limit ${limit}`;
    return rows.map(threadOf);
  }

  async messages(thread: number): Promise<Message[]> {
    const rows = await this.sql`select id, message::text from messages where thread_id = ${thread} order by id`;
    return rows.map((row: Row & { message: string }) => ({ id: Number(row.id), message: row.message }));
  }

  // store commits messages, all or none. It returns their ids in order, or undefined without such a thread.
  async store(thread: number, messages: string[]): Promise<number[] | undefined> {
    try {
      const rows = await this.sql`
        insert into messages (thread_id, message)
        select ${thread}, m::json from unnest(${this.sql.array(messages, "TEXT")}) with ordinality as t (m, n) order by n
        returning id`;
      return rows.map((row: Row) => Number(row.id));
    } catch (error) {
      if (error instanceof SQL.PostgresError && error.errno === foreignKeyViolation) {
        return undefined;
      }
      throw error;
    }
  }

  // lock takes PostgreSQL's advisory lock of a thread. It returns false if the thread has a run, in any process.
  async lock(thread: number): Promise<boolean> {
    if (this.held.has(thread)) {
      return false;
    }
    this.held.add(thread);
    let locked = false;
    try {
      [{ locked }] = await this.locks`select pg_try_advisory_lock(${thread}) as locked`;
    } finally {
      if (!locked) {
        this.held.delete(thread);
      }
    }
    return locked;
  }

  async unlock(thread: number): Promise<void> {
    try {
      await this.locks`select pg_advisory_unlock(${thread})`;
    } catch {
      // the lock has ended with its connection
    } finally {
      this.held.delete(thread);
    }
  }
}
