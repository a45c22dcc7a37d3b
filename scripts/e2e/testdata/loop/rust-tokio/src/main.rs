//! loop/rust-tokio: the simplest Rust program that relays a stream on tokio: a
//! task per connection on the multi-thread runtime, copying the upstream's bytes
//! as they are, one write per read.
//!
//! It is the floor against which a Rust server's CPU time per stream is held,
//! not a server to compare with. It leaves out what a server owes: it believes
//! every request and answer to be well-formed, every answer to be chunked
//! without trailers, and no request to come before the answer to the one before
//! it. It answers no error, notices that a client has left only when a write
//! fails, and ends at once on SIGTERM.

use std::env;
use std::io::{ErrorKind, Result};
use std::sync::Mutex;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// The last data's line end, and the empty chunk.
const BODY_END: &[u8] = b"\r\n0\r\n\r\n";
const KEPT: usize = BODY_END.len();

/// Connections to the upstream.
static IDLE: Mutex<Vec<TcpStream>> = Mutex::new(Vec::new());

fn main() -> Result<()> {
    Runtime::new()?.block_on(serve())
}

async fn serve() -> Result<()> {
    let url: &str = env::var("STUB_URL").expect("STUB_URL").leak();
    let listener =
        TcpListener::bind(format!("127.0.0.1:{}", env::var("PORT").expect("PORT"))).await?;
    loop {
        let (client, _) = listener.accept().await?;
        client.set_nodelay(true)?;
        tokio::spawn(async move {
            let (mut client, mut buf) = (BufReader::new(client), vec![0; 8 << 10]);
            while answer(&mut client, url, &mut buf).await.is_ok() {}
        });
    }
}

/// Reads one request and answers it.
async fn answer(client: &mut BufReader<TcpStream>, url: &str, buf: &mut [u8]) -> Result<()> {
    let (mut line, mut length) = (String::new(), 0);
    while line != "\r\n" {
        line.clear();
        if client.read_line(&mut line).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim_end().parse().expect("a length");
        }
    }
    if length == 0 {
        let ok = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"; // GET /healthz
        return client.write_all(ok).await;
    }
    let mut body = vec![0; length];
    client.read_exact(&mut body).await?;
    // {"message":TEXT}: the text is JSON there as it is here, and so is the brace.
    let body = String::from_utf8(body).expect("UTF-8");
    let (_, text) = body.split_once(':').expect("a message");
    let ask = format!(
        r#"{{"model":"stub","stream":true,"messages":[{{"role":"user","content":{text}]}}"#
    );
    let (host, path) = url["http://".len()..].split_once('/').expect("a path");
    let ask = format!(
        "POST /{path}/chat/completions HTTP/1.1\r\nHost: {host}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{ask}",
        ask.len()
    );

    let idle = IDLE.lock().unwrap().pop(); // a statement, so that the lock ends with it
    let mut upstream = match idle {
        Some(upstream) => upstream,
        None => {
            let upstream = TcpStream::connect(host).await?;
            upstream.set_nodelay(true)?;
            upstream
        }
    };
    upstream.write_all(ask.as_bytes()).await?;
    relay(client.get_mut(), &mut upstream, buf).await?;
    IDLE.lock().unwrap().push(upstream);
    Ok(())
}

/// Copies one answer. The bytes that may be the beginning of its end stand before
/// those of the next read, so that the end is found however it is split.
async fn relay(client: &mut TcpStream, upstream: &mut TcpStream, buf: &mut [u8]) -> Result<()> {
    buf[..KEPT].fill(0);
    loop {
        let n = upstream.read(&mut buf[KEPT..]).await?;
        if n == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        client.write_all(&buf[KEPT..KEPT + n]).await?;
        buf.copy_within(n..n + KEPT, 0);
        if buf[..KEPT] == *BODY_END {
            return Ok(());
        }
    }
}
