//! rust-actix: actix-web, one single-threaded runtime per core.
//!
//! Idiomatic here: the upstream's byte stream becomes the response body. The worker polls it,
//! forwards each chunk, and drops it when the client leaves, which closes the upstream
//! connection. Client: reqwest, one for each worker. So a token never crosses threads, and a
//! worker that stops cannot close a connection that another worker still reads.
//!
//! Settings that are not the default:
//!   - tcp_nodelay (default: Nagle's algorithm), which holds small events back on
//!     a reused connection.
//!     https://docs.rs/actix-web/4.18.1/actix_web/struct.HttpServer.html#method.tcp_nodelay
//!   - h1_allow_half_closed(false): by default a client that closes its side while
//!     the upstream is silent is not taken to have left.
//!     https://docs.rs/actix-web/4.18.1/actix_web/struct.HttpServer.html#method.h1_allow_half_closed
//!   - keep_alive 75 s (default 5 s): clients that pause would dial anew.
//!     https://docs.rs/actix-web/4.18.1/actix_web/struct.HttpServer.html#method.keep_alive
//!   - shutdown_timeout 1 h (default 30 s, then open streams are cut).
//!     https://docs.rs/actix-web/4.18.1/actix_web/struct.HttpServer.html#method.shutdown_timeout
//!   - JsonConfig::limit 16 MiB (default 2 MiB): prompts can be long.
//!     https://docs.rs/actix-web/4.18.1/actix_web/web/struct.JsonConfig.html#method.limit

use std::{env, error::Error, time::Duration};

use actix_web::{
    App, HttpResponse, HttpServer,
    http::{StatusCode, header},
    web,
};
use serde_json::{Value, json};

const MAX_BODY: usize = 16 << 20; // bytes of a request

struct Upstream {
    client: reqwest::Client,
    chat_url: String,
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = format!("{}:{}", env::var("HOST")?, env::var("PORT")?);
    let chat_url = env::var("STUB_URL")? + "/chat/completions";
    HttpServer::new(move || {
        App::new()
            .app_data(web::Data::new(Upstream {
                client: reqwest::Client::new(),
                chat_url: chat_url.clone(),
            }))
            .app_data(web::JsonConfig::default().limit(MAX_BODY))
            .service(web::resource("/healthz").get(HttpResponse::Ok))
            .service(web::resource("/chat").post(chat))
    })
    .tcp_nodelay(true)
    .h1_allow_half_closed(false)
    .keep_alive(Duration::from_secs(75))
    .shutdown_timeout(3600)
    .bind(address)?
    .run()
    .await?; // on SIGTERM waits for open streams
    Ok(())
}

async fn chat(
    upstream: web::Data<Upstream>,
    input: actix_web::Result<web::Json<Value>>,
) -> HttpResponse {
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
        .get(reqwest::header::CONTENT_TYPE)
        .is_some_and(|v| v.as_bytes().starts_with(b"text/event-stream"));
    if answer.status() != reqwest::StatusCode::OK || !is_stream {
        return fail(
            StatusCode::BAD_GATEWAY,
            &format!("upstream: {}", answer.status()),
        );
    }
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .streaming(answer.bytes_stream())
}

fn fail(status: StatusCode, message: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({ "error": message }))
}
