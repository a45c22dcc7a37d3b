//! rust-http: std::net and threads, no framework and no async.
//!
//! Idiomatic here: a thread per connection that blocks in reads and writes, and
//! forwards each read of the upstream in one write. A second thread does nothing
//! but wait for the client to leave; it then shuts the upstream connection down,
//! which ends the first one's read of it, however silent the upstream is. Client:
//! upstream.rs, written for this; httparse parses the heads of both sides.
//!
//! Settings that are not the default:
//!   - set_nodelay on both sides: Nagle's algorithm holds small events back on a
//!     reused connection.
//!     https://doc.rust-lang.org/std/net/struct.TcpStream.html#method.set_nodelay
//!   - stack_size 256 KiB (default 2 MiB): each connection has two stacks, and its
//!     buffers are on the heap. https://doc.rust-lang.org/std/thread/#stack-size

mod http;
mod upstream;

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, mpsc};
use std::{env, error::Error, thread, time::Duration};

use serde_json::{Value, json};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use http::{Body, Head, Wire, invalid};
use upstream::{Leash, Upstream};

const MAX_BODY: u64 = 16 << 20; // bytes of a request

struct Server {
    upstream: Upstream,
    closing: AtomicBool,
    open: Arc<()>, // each request has a clone until it is answered
}

/// A client, and what its request says of the answer.
struct Client<'a> {
    stream: &'a TcpStream,
    leash: &'a Leash,
    chunks: bool,
    close: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let chat_url = env::var("STUB_URL")? + "/chat/completions";
    let server = Arc::new(Server {
        upstream: Upstream::new(&chat_url).ok_or("STUB_URL: want http://HOST/PATH")?,
        closing: AtomicBool::new(false),
        open: Arc::new(()),
    });
    let listener = TcpListener::bind(format!("127.0.0.1:{}", env::var("PORT")?))?;

    let (told, address) = (server.clone(), listener.local_addr()?);
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    spawn(move || {
        signals.forever().next();
        told.closing.store(true, SeqCst);
        _ = TcpStream::connect(address); // wakes the loop below
    })?;
    for stream in listener.incoming() {
        if server.closing.load(SeqCst) {
            break;
        }
        if let Err(err) = stream.and_then(|stream| start(stream, server.clone())) {
            eprintln!("accept: {err}");
            thread::sleep(Duration::from_millis(10)); // out of descriptors or threads
        }
    }
    drop(listener);
    while Arc::strong_count(&server.open) > 1 {
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = thread::Builder::new().stack_size(256 << 10);
    builder.spawn(work).map(drop)
}

fn start(stream: TcpStream, server: Arc<Server>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (stream, leash) = (Arc::new(stream), Arc::new(Leash::new()));
    let (watch, requests) = mpsc::channel();

    let (watched, pulled) = (stream.clone(), leash.clone());
    spawn(move || {
        for () in requests {
            // A byte is the next request: then the client is still there.
            if !matches!(watched.peek(&mut [0]), Ok(1)) {
                return pulled.pull();
            }
        }
    })?;
    spawn(move || {
        _ = serve(&stream, &leash, &server, watch);
        _ = stream.shutdown(Shutdown::Both); // also wakes the other thread
    })
}

fn serve(
    stream: &Arc<TcpStream>,
    leash: &Leash,
    server: &Server,
    watch: mpsc::Sender<()>,
) -> io::Result<()> {
    let mut wire = Wire::new(stream.clone());
    loop {
        let mut client = Client {
            stream,
            leash,
            chunks: true,
            close: true,
        };
        let (head, body, _open) = match read_request(&mut wire, server) {
            Err(err) if err.kind() == ErrorKind::InvalidData => {
                client.fail("400 Bad Request", &err.to_string())?;
                // Closed at once, what is unread would reset the connection, and its
                // answer with it. https://www.rfc-editor.org/rfc/rfc9112#section-9.6
                stream.shutdown(Shutdown::Write)?;
                stream.set_read_timeout(Some(Duration::from_secs(1)))?;
                return io::copy(&mut Read::take(&**stream, MAX_BODY), &mut io::sink()).map(drop);
            }
            request => request?,
        };
        client.chunks = head.chunks;
        client.close = head.close || server.closing.load(SeqCst);
        watch.send(()).map_err(|_| ErrorKind::ConnectionAborted)?;
        match head.what.split_once(' ').unwrap_or_default() {
            ("GET", "/healthz") => client.answer("200 OK", "text/plain", "ok")?,
            ("POST", "/chat") => chat(&client, &body, &server.upstream)?,
            (_, "/healthz") => client.fail("405 Method Not Allowed\r\nAllow: GET", "want GET")?,
            (_, "/chat") => client.fail("405 Method Not Allowed\r\nAllow: POST", "want POST")?,
            _ => client.fail("404 Not Found", "no such path")?,
        }
        if client.close || server.closing.load(SeqCst) {
            return Ok(());
        }
    }
}

fn read_request(wire: &mut Wire, server: &Server) -> io::Result<(Head, Vec<u8>, Arc<()>)> {
    let (mut head, mut body) = (wire.head(true)?, Vec::new());
    let open = server.open.clone();
    if head.expects && wire.unread().is_empty() {
        (&*wire.stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    wire.take(&mut head.body, &mut body)?;
    while !head.body.is_done() {
        if body.len() as u64 > MAX_BODY || matches!(head.body, Body::Length(n) if n > MAX_BODY) {
            return Err(invalid("body: longer than 16 MiB"));
        }
        wire.more(&mut head.body, &mut body)?;
    }
    Ok((head, body, open))
}

fn chat(client: &Client, body: &[u8], upstream: &Upstream) -> io::Result<()> {
    let input: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(message) = input["message"].as_str() else {
        return client.fail("400 Bad Request", r#"want {"message": "..."}"#);
    };
    match upstream.ask(message, client.leash) {
        Err(err) => client.fail("502 Bad Gateway", &format!("upstream: {err}")),
        Ok((wire, head)) if head.is_stream() => relay(client, wire, head, upstream),
        Ok((_, head)) => client.fail("502 Bad Gateway", &format!("upstream: {}", head.what)),
    }
}

fn relay(client: &Client, mut wire: Wire, mut head: Head, upstream: &Upstream) -> io::Result<()> {
    let (coding, last) = match client.chunks {
        true => ("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        false => ("", ""),
    };
    let start = client.head("200 OK", "text/event-stream");
    let mut out = format!("{start}Cache-Control: no-cache\r\n{coding}\r\n").into_bytes();
    let mut data = Vec::new();
    wire.take(&mut head.body, &mut data)?;
    loop {
        if client.chunks && !data.is_empty() {
            write!(out, "{:x}\r\n", data.len())?;
            data.extend(b"\r\n");
        }
        out.append(&mut data);
        if head.body.is_done() {
            upstream.keep(wire, &head, client.leash); // before the client can ask again
            out.extend(last.as_bytes());
            return client.write(&out);
        }
        client.write(&out)?;
        out.clear();
        wire.more(&mut head.body, &mut data)?; // if it was cut, the last chunk is not sent
    }
}

impl Client<'_> {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        (&*self.stream).write_all(bytes)
    }

    fn head(&self, status: &str, content_type: &str) -> String {
        let after = if self.close { "close" } else { "keep-alive" };
        format!("HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nConnection: {after}\r\n")
    }

    fn answer(&self, status: &str, content_type: &str, body: &str) -> io::Result<()> {
        let head = self.head(status, content_type);
        self.write(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    }

    fn fail(&self, status: &str, message: &str) -> io::Result<()> {
        let body = json!({ "error": message }).to_string();
        self.answer(status, "application/json", &body)
    }
}
