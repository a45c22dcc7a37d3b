// Threads and their messages, in PostgreSQL.
//
// Settings that are not the default:
//   - idleTimeoutMillis 0 (default 10 s): a connection that is closed while idle would be opened again under load.
//     https://node-postgres.com/apis/pool

import pg from "pg";

pg.types.setTypeParser(pg.types.builtins.INT8, Number); // ids are texts otherwise

const columns = "id, title, created_at";
const foreignKeyViolation = "23503"; // https://www.postgresql.org/docs/current/errcodes-appendix.html

// openThreads opens all connections of the pool.
export async function openThreads(url, connections) {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 0 });
  pool.on("error", () => {}); // of an idle connection, which the pool then replaces
  const all = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  for (const connection of all) {
    connection.release();
  }
  const threads = new Threads(pool, url);
  await threads.connection();
  return threads;
}

class Threads {
  constructor(pool, url) {
    this.pool = pool;
    this.url = url;
    this.locks = undefined; // a connection of its own: a run must not keep one of the pool
    this.asked = Promise.resolve(); // the last statement on it
    this.held = new Set(); // locks of one connection do not exclude each other
  }

  async one(text, ...values) {
    return (await this.pool.query(text, values)).rows[0];
  }

  create(title) {
    return this.one(`insert into threads (title) values ($1) returning ${columns}`, title);
  }

  read(id) {
    return this.one(`select ${columns} from threads where id = $1`, id);
  }

  rename(id, title) {
    return this.one(`update threads set title = $2 where id = $1 returning ${columns}`, id, title);
  }

  remove(id) {
    return this.one("delete from threads where id = $1 returning id", id);
  }

  async list(limit, before) {
    const text = `select ${columns} from threads where id < $1 order by id desc limit $2`;
    return (await this.pool.query(text, [before, limit])).rows;
  }

  // messages are those of a thread, as JSON.
  async messages(thread) {
    const text = "select id, message::text from messages where thread_id = $1 order by id";
    return (await this.pool.query(text, [thread])).rows;
  }

  // store commits messages, all or none. It returns their ids in order, or undefined without such a thread.
  async store(thread, messages) {
    const text =
      "insert into messages (thread_id, message) select $1, m::json from unnest($2::text[]) with ordinality as t (m, n) order by n returning id";
    try {
      return (await this.pool.query(text, [thread, messages])).rows.map((row) => row.id);
    } catch (error) {
      if (error.code === foreignKeyViolation) {
        return undefined;
      }
      throw error;
    }
  }

  // lock takes PostgreSQL's advisory lock of a thread. It returns false if the thread has a run, in any process.
  async lock(thread) {
    if (this.held.has(thread)) {
      return false;
    }
    this.held.add(thread);
    try {
      const { rows } = await this.ask("select pg_try_advisory_lock($1) as locked", [thread]);
      if (!rows[0].locked) {
        this.held.delete(thread);
      }
      return rows[0].locked;
    } catch (error) {
      this.held.delete(thread);
      throw error;
    }
  }

  async unlock(thread) {
    try {
      await this.ask("select pg_advisory_unlock($1)", [thread]);
    } catch {
      // the lock has ended with its connection
    } finally {
      this.held.delete(thread);
    }
  }

  // ask runs a statement on the connection of the locks, after those before it. A connection has one at a time.
  ask(text, values) {
    const run = async () => (await this.connection()).query(text, values);
    this.asked = this.asked.then(run, run);
    return this.asked;
  }

  // connection is that of the locks. It is opened again after it broke.
  connection() {
    this.locks ??= (async () => {
      const client = new pg.Client({ connectionString: this.url });
      client.on("error", () => {
        this.locks = undefined;
      });
      try {
        await client.connect();
      } catch (error) {
        this.locks = undefined;
        throw error;
      }
      return client;
    })();
    return this.locks;
  }
}
