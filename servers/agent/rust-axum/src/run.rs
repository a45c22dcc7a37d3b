//! A run is the answer to one message. Its events go to the client that asked, and to all that follow the thread.

use std::{collections::HashSet, convert::Infallible, str::FromStr, sync::Arc};

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{State, rejection::JsonRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};
use tokio::sync::{Mutex, mpsc};
use tokio_stream::{StreamExt, wrappers::UnboundedReceiverStream};

use crate::{
    Failure, Shared,
    agent::Agent,
    threads::{self, Id, id_of},
};

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

pub struct Run {
    pub server: Shared,
    pub thread: i64,
    out: mpsc::UnboundedSender<Bytes>,
    order: Mutex<()>, // agents run at the same time
}

/// Answers a new message of a user.
pub async fn post(
    State(server): State<Shared>,
    id: Id,
    input: std::result::Result<Json<Value>, JsonRejection>,
) -> std::result::Result<Response, Failure> {
    let thread = id_of(id)?;
    let Json(mut input) = input.map_err(Failure::bad)?;
    let content = input["content"].take();
    if !content.is_string() && !content.is_array() {
        return Err(Failure::bad(
            r#"want {"content": "..."}, or a list of parts"#,
        ));
    }
    if !server.locks.try_lock(thread).await? {
        return Err(Failure(StatusCode::CONFLICT, "the thread has a run".into()));
    }
    let begun = begin(&server, thread, content).await;
    let (user, history) = match begun {
        Ok(begun) => begun,
        Err(failure) => {
            server.locks.unlock(thread).await;
            return Err(failure);
        }
    };
    let (out, events) = mpsc::unbounded_channel();
    let run = Arc::new(Run {
        server,
        thread,
        out,
        order: Mutex::new(()),
    });
    tokio::spawn(run.answer(user, history));
    let events = UnboundedReceiverStream::new(events).map(Ok::<_, Infallible>);
    Ok((
        [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        Body::from_stream(events),
    )
        .into_response())
}

/// Stores the message. Returns its id, and all messages of the thread.
async fn begin(
    server: &Shared,
    thread: i64,
    content: Value,
) -> std::result::Result<(i64, Vec<String>), Failure> {
    let message = json!({"role": "user", "content": content}).to_string();
    let ids = match threads::store(&server.db, thread, &[message]).await {
        Err(sqlx::Error::Database(e)) if e.is_foreign_key_violation() => {
            return Err(Failure::not_found());
        }
        other => other?,
    };
    let history = threads::history(&server.db, thread).await?;
    Ok((
        ids[0],
        history
            .into_iter()
            .map(|m| String::from(Box::<str>::from(m.message)))
            .collect(),
    ))
}

impl Run {
    async fn answer(self: Arc<Self>, user: i64, history: Vec<String>) {
        let outcome = tokio::select! {
            outcome = self.whole(user, history) => outcome,
            _ = self.out.closed() => Err("the client has left".into()), // drops what the run waits for
        };
        let (name, data) = match outcome {
            Ok(()) => ("done", json!({})),
            Err(error) => ("error", json!({"message": error.to_string()})),
        };
        let data = data.to_string();
        _ = self.server.followed.publish(self.thread, name, &data).await; // before another run can
        self.server.locks.unlock(self.thread).await; // before the client can send another message
        self.send(name, &data);
    }

    async fn whole(self: &Arc<Self>, user: i64, history: Vec<String>) -> Result<()> {
        self.emit("stored", json!({"id": user, "role": "user"}))
            .await?;
        Agent::new(self.clone(), history, None).run().await?;
        Ok(())
    }

    /// Sends an event to the client, and publishes it.
    pub async fn emit(&self, name: &str, data: impl Serialize) -> Result<()> {
        let data = serde_json::to_string(&data)?;
        let _order = self.order.lock().await;
        self.send(name, &data);
        self.server
            .followed
            .publish(self.thread, name, &data)
            .await?;
        Ok(())
    }

    fn send(&self, name: &str, data: &str) {
        let event = format!("event: {name}\ndata: {data}\n\n");
        _ = self.out.send(event.into()); // the client may have left
    }

    /// Commits a turn, and announces it.
    pub async fn store(&self, messages: &[String]) -> Result<()> {
        let ids = threads::store(&self.server.db, self.thread, messages).await?;
        for (i, id) in ids.iter().enumerate() {
            let role = if i == 0 { "assistant" } else { "tool" };
            self.emit("stored", json!({"id": id, "role": role})).await?;
        }
        Ok(())
    }
}

/// Advisory locks of PostgreSQL, one for each thread that has a run. They belong to one connection, which is not of
/// the pool: a run must not keep a connection. Locks of one connection do not exclude each other, so `held` does.
pub struct Locks {
    options: PgConnectOptions,
    state: Mutex<(Option<PgConnection>, HashSet<i64>)>,
}

impl Locks {
    pub async fn open(url: &str) -> std::result::Result<Self, sqlx::Error> {
        let options = PgConnectOptions::from_str(url)?;
        let connection = options.connect().await?;
        Ok(Locks {
            options,
            state: Mutex::new((Some(connection), HashSet::new())),
        })
    }

    /// Locks a thread. Returns false if the thread has a run, in any process.
    async fn try_lock(&self, thread: i64) -> std::result::Result<bool, sqlx::Error> {
        let mut state = self.state.lock().await;
        let (connection, held) = &mut *state;
        if held.contains(&thread) {
            return Ok(false);
        }
        if connection.is_none() {
            *connection = Some(self.options.connect().await?);
        }
        let locked = sqlx::query_scalar("select pg_try_advisory_lock($1)")
            .bind(thread)
            .fetch_one(connection.as_mut().expect("opened above"))
            .await;
        match locked {
            Ok(true) => _ = held.insert(thread),
            Ok(false) => {}
            Err(_) => *connection = None, // the next request opens another
        }
        locked
    }

    async fn unlock(&self, thread: i64) {
        let mut state = self.state.lock().await;
        let (connection, held) = &mut *state;
        held.remove(&thread);
        if let Some(open) = connection {
            let done = sqlx::query("select pg_advisory_unlock($1)")
                .bind(thread)
                .execute(open)
                .await;
            if done.is_err() {
                *connection = None; // the lock has ended with its connection
            }
        }
    }
}
