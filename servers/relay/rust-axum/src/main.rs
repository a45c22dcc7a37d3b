//! rust-axum: axum on tokio's multi-thread runtime.
//!
//! Idiomatic here: the upstream's byte stream becomes the response body. hyper polls it,
//! forwards each chunk, and drops it when the client leaves, which closes the upstream
//! connection. Client: reqwest.
//!
//! Settings that are not the default:
//!   - TCP_NODELAY on accepted connections: axum::serve leaves Nagle's algorithm
//!     on, which holds small events back on a reused connection.
//!     https://docs.rs/axum/latest/axum/serve/trait.ListenerExt.html
//!   - DefaultBodyLimit 16 MiB (default 2 MiB): prompts can be long.
//!     https://docs.rs/axum/latest/axum/extract/struct.DefaultBodyLimit.html

use std::env;

use axum::{
    Json, Router,
    body::Body,
    extract::{DefaultBodyLimit, State, rejection::JsonRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
    serve::ListenerExt,
};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

const MAX_BODY: usize = 16 << 20; // bytes of a request

#[derive(Clone)]
struct Upstream {
    client: reqwest::Client,
    chat_url: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let upstream = Upstream {
        client: reqwest::Client::new(),
        chat_url: env::var("STUB_URL")? + "/chat/completions",
    };
    let app = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/chat", post(chat))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(upstream);

    let listener = TcpListener::bind(format!("{}:{}", env::var("HOST")?, env::var("PORT")?))
        .await?
        .tap_io(|stream| _ = stream.set_nodelay(true)); // fails where the client has left
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    axum::serve(listener, app)
        .with_graceful_shutdown(async move {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        })
        .await?; // waits for open streams
    Ok(())
}

async fn chat(
    State(upstream): State<Upstream>,
    input: Result<Json<Value>, JsonRejection>,
) -> Response {
    // Not a derived struct: serde would also take an array for one.
    let Some(message) = input
        .as_ref()
        .ok() // answered with 400 below
        .and_then(|input| input["message"].as_str())
    else {
        return fail(StatusCode::BAD_REQUEST, r#"want {"message": "..."}"#);
    };
    let body = json!({
        "model": "stub",
        "stream": true,
        "messages": [{"role": "user", "content": message}],
    });
    let answer = match upstream
        .client
        .post(&upstream.chat_url)
        .json(&body)
        .send()
        .await
    {
        Ok(answer) => answer,
        Err(err) => return fail(StatusCode::BAD_GATEWAY, &format!("upstream: {err}")),
    };
    let is_stream = answer
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|v| v.as_bytes().starts_with(b"text/event-stream"));
    if answer.status() != StatusCode::OK || !is_stream {
        return fail(
            StatusCode::BAD_GATEWAY,
            &format!("upstream: {}", answer.status()),
        );
    }
    (
        [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        Body::from_stream(answer.bytes_stream()),
    )
        .into_response()
}

fn fail(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "error": message }))).into_response()
}
