//! rust-axum: axum on tokio's multi-thread runtime.
//!
//! Idiomatic here: the upstream's byte stream becomes the response body. hyper polls it,
//! forwards each chunk, and drops it when the client leaves, which closes the upstream
//! connection. Client: reqwest, without its features that inflate bodies.
//!
//! Settings that are not the default:
//!   - TCP_NODELAY on accepted connections: axum::serve leaves Nagle's algorithm
//!     on, which holds the end of a body back on a reused connection.
//!     https://docs.rs/axum/latest/axum/serve/trait.ListenerExt.html

use std::env;

use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
    routing::get,
    serve::ListenerExt,
};
use serde_json::json;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

#[derive(Clone)]
struct Upstream {
    client: reqwest::Client,
    url: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let upstream = Upstream {
        client: reqwest::Client::new(),
        url: env::var("STUB_URL")?,
    };
    let app = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/files/{name}", get(file))
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
        .await?; // waits for open answers
    Ok(())
}

async fn file(State(upstream): State<Upstream>, method: Method, uri: Uri) -> Response {
    let url = upstream.url + uri.path();
    let answer = match upstream.client.request(method, url).send().await {
        Ok(answer) => answer,
        Err(err) => return fail(StatusCode::BAD_GATEWAY, &format!("upstream: {err}")),
    };
    match answer.status() {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND => return fail(StatusCode::NOT_FOUND, "upstream: no such file"),
        status => return fail(StatusCode::BAD_GATEWAY, &format!("upstream: {status}")),
    }
    let mut headers = HeaderMap::new();
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        if let Some(value) = answer.headers().get(&name) {
            headers.insert(name, value.clone());
        }
    }
    (headers, Body::from_stream(answer.bytes_stream())).into_response()
}

fn fail(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "error": message }))).into_response()
}
