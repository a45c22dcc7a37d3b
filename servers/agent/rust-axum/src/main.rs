//! rust-axum: axum on tokio's multi-thread runtime, with sqlx, redis and reqwest.
//!
//! Idiomatic here: a run is a task that sends its events into a channel, and the channel is the response body. When
//! the client leaves, the channel closes, and the task drops what it waits for. threads.rs has the threads, run.rs a
//! run, agent.rs the loop of model and tools, follow.rs the subscriptions.
//!
//! Settings that are not the default:
//!   - TCP_NODELAY on accepted connections: axum::serve leaves Nagle's algorithm
//!     on, which holds small events back on a reused connection.
//!     https://docs.rs/axum/latest/axum/serve/trait.ListenerExt.html
//!   - TCP_USER_TIMEOUT 10 s (default none): the kernel ends a connection whose client does not read.
//!     https://man7.org/linux/man-pages/man7/tcp.7.html
//!   - DefaultBodyLimit 16 MiB (default 2 MiB): a message may have an image.
//!     https://docs.rs/axum/latest/axum/extract/struct.DefaultBodyLimit.html
//!   - response_timeout None (default 500 ms): an event with an image of 8 MB may take longer.
//!     https://docs.rs/redis/latest/redis/aio/struct.ConnectionManagerConfig.html
//!   - PgPoolOptions: min_connections (default 0), so that connections are open before the first request, and no
//!     idle_timeout or max_lifetime (default 10 and 30 minutes).
//!     https://docs.rs/sqlx/latest/sqlx/pool/struct.PoolOptions.html

mod agent;
mod follow;
mod run;
mod threads;

use std::{env, error::Error, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::DefaultBodyLimit,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
    serve::ListenerExt,
};
use serde_json::json;
use socket2::SockRef;
use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
};

const MAX_BODY: usize = 16 << 20; // bytes of a request
const STALLED: Duration = Duration::from_secs(10); // how long a client may not read

/// What all requests share.
pub struct Server {
    client: reqwest::Client,
    stub_url: String,
    db: PgPool,
    locks: run::Locks,
    followed: follow::Followed,
    stopping: watch::Receiver<bool>, // true after SIGTERM
}

pub type Shared = Arc<Server>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let database_url = env::var("DATABASE_URL")?;
    let connections: u32 = env::var("DATABASE_CONNECTIONS").map_or(Ok(10), |n| n.parse())?;
    let (stop, stopping) = watch::channel(false);
    let server = Arc::new(Server {
        client: reqwest::Client::new(),
        stub_url: env::var("STUB_URL")?,
        db: open(&database_url, connections).await?,
        locks: run::Locks::open(&database_url).await?,
        followed: follow::Followed::open(&env::var("REDIS_URL")?).await?,
        stopping,
    });
    let app = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/threads", get(threads::list).post(threads::create))
        .route(
            "/threads/{id}",
            get(threads::read)
                .patch(threads::rename)
                .delete(threads::remove),
        )
        .route("/threads/{id}/messages", get(threads::messages))
        .route("/threads/{id}/messages", post(run::post))
        .route("/threads/{id}/events", get(follow::follow))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(server);

    let listener = TcpListener::bind(format!("{}:{}", env::var("HOST")?, env::var("PORT")?))
        .await?
        .tap_io(|stream| {
            _ = stream.set_nodelay(true); // fails where the client has left
            _ = SockRef::from(&*stream).set_tcp_user_timeout(Some(STALLED)); // likewise
        });
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            _ = stop.send(true); // subscriptions have no end of their own
        })
        .await?; // waits for open runs
    Ok(())
}

/// Opens all connections of the pool, which it would open one by one in the background.
async fn open(url: &str, connections: u32) -> Result<PgPool, sqlx::Error> {
    let pool = PgPoolOptions::new()
        .min_connections(connections)
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect(url)
        .await?;
    let mut all = Vec::new();
    for _ in 0..connections {
        all.push(pool.acquire().await?);
    }
    drop(all);
    Ok(pool)
}

/// An answer that is not the wanted one.
pub struct Failure(pub StatusCode, pub String);

impl Failure {
    pub fn bad(message: impl ToString) -> Self {
        Failure(StatusCode::BAD_REQUEST, message.to_string())
    }

    pub fn not_found() -> Self {
        Failure(StatusCode::NOT_FOUND, "no such thread".into())
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Failure(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl From<redis::RedisError> for Failure {
    fn from(error: redis::RedisError) -> Self {
        Failure(StatusCode::SERVICE_UNAVAILABLE, error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}
