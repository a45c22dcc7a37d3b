//! rust-axum: axum on tokio's multi-thread runtime.
//!
//! Idiomatic here: extractors for the path, the query and the body, and tuples as answers. The router matches
//! the encoded path, so an ID may contain %2F. It answers HEAD by itself, and other methods with 405. JSON:
//! serde_json.
//!
//! Settings that are not the default:
//!   - TCP_NODELAY on accepted connections: axum::serve leaves Nagle's algorithm on, which holds an answer
//!     of several writes back. https://docs.rs/axum/latest/axum/serve/trait.ListenerExt.html
//!   - serde_json's feature float_roundtrip: without it, numbers may change in their last bit.
//!     https://docs.rs/crate/serde_json/latest/features

use std::{env, time::Duration};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
    serve::ListenerExt,
};
use serde_json::Value;
use tokio::{
    fs,
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    time::sleep,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = Router::new()
        .route("/healthz", get(|| async {}))
        .route("/", get(|| async { text("hi".into()) }))
        .route("/id/{id}", get(id))
        .route("/json", post(echo))
        .route("/data", get(data));

    let listener = TcpListener::bind(format!("{}:{}", env::var("HOST")?, env::var("PORT")?))
        .await?
        .tap_io(|stream| _ = stream.set_nodelay(true)); // fails where the client has left
    let server = axum::serve(listener, app).with_graceful_shutdown(stopped()?);
    let stopped = stopped()?;
    tokio::select! {
        ended = server.into_future() => ended?, // waits for open answers
        // A request that did not arrive whole in this time is not answered.
        () = async { stopped.await; sleep(Duration::from_secs(5)).await } => {}
    }
    Ok(())
}

/// The future ends with the first signal to stop.
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    })
}

fn text(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/plain")], text).into_response()
}

/// The query is a list and not a struct: serde refuses a struct whose key comes twice.
async fn id(Path(id): Path<String>, Query(query): Query<Vec<(String, String)>>) -> Response {
    let name = query.into_iter().find(|(key, _)| key == "name");
    let line = match name {
        Some((_, name)) => format!("{id} {name}"),
        None => id,
    };
    ([("x-powered-by", "benchmark")], text(line)).into_response()
}

/// The body is parsed here, since the extractor Json asks for a Content-Type.
async fn echo(body: Bytes) -> Response {
    match serde_json::from_slice::<Value>(&body) {
        Ok(value) => Json(value).into_response(),
        Err(err) => (StatusCode::BAD_REQUEST, err.to_string()).into_response(),
    }
}

async fn data() -> Response {
    match fs::read("data.json").await {
        Ok(content) => ([(header::CONTENT_TYPE, "application/json")], content).into_response(),
        Err(err) => (StatusCode::INTERNAL_SERVER_ERROR, err.to_string()).into_response(),
    }
}
