//! rust-http: std::net and threads, no framework and no async.
//!
//! Idiomatic here: two threads per connection, that block. One reads requests, and so
//! sees the client leave; then it shuts the upstream connection down, which ends the
//! other's read of it. The other answers, and forwards each read of the upstream in
//! one write. Client: written for this, below, with httparse.
//!
//! Settings that are not the default:
//!   - set_nodelay on both sides: Nagle's algorithm holds small events back on a
//!     reused connection.
//!     https://doc.rust-lang.org/std/net/struct.TcpStream.html#method.set_nodelay

mod http;

use std::io::ErrorKind::{ConnectionAborted, InvalidData, InvalidInput};
use std::io::{self, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Arc, Mutex, Weak};
use std::{env, error::Error, thread, time::Duration};

use serde_json::{Value, json};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use http::{DONE, Head, Wire, invalid};

const MAX_BODY: usize = 16 << 20; // bytes of a request

type Request = (Head, Vec<u8>, Sender<()>);
type Answer = (Wire, Head);

struct Server {
    host: String,
    path: String,
    idle: Mutex<Vec<Wire>>,          // upstream connections
    open: Mutex<Option<Sender<()>>>, // each request has a clone; None after SIGTERM
}

struct Client {
    stream: Arc<TcpStream>,
    upstream: Mutex<Option<Weak<TcpStream>>>, // None once the client has left
}

fn main() -> Result<(), Box<dyn Error>> {
    let url = env::var("STUB_URL")? + "/chat/completions";
    let rest = url
        .strip_prefix("http://")
        .ok_or("STUB_URL: want http://")?;
    let (host, path) = rest.split_once('/').unwrap_or_default(); // it has one: see url
    let (open, finished) = mpsc::channel();
    let server: &Server = Box::leak(Box::new(Server {
        host: host.into(),
        path: path.into(),
        idle: Mutex::default(),
        open: Mutex::new(Some(open)),
    }));
    let listener = TcpListener::bind(format!("{}:{}", env::var("HOST")?, env::var("PORT")?))?;
    let address = listener.local_addr()?;
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    thread::spawn(move || {
        signals.forever().next();
        server.open.lock().unwrap().take();
        _ = TcpStream::connect(address); // wakes the loop below
    });
    for stream in listener.incoming() {
        if server.open.lock().unwrap().is_none() {
            break;
        }
        let start = |stream| thread::Builder::new().spawn(|| serve(stream, server));
        if let Err(err) = stream.and_then(start) {
            eprintln!("accept: {err}");
            thread::sleep(Duration::from_millis(10)); // out of descriptors or threads
        }
    }
    drop(listener);
    _ = finished.recv(); // fails once the last clone is dropped
    Ok(())
}

fn serve(stream: TcpStream, server: &Server) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (stream, upstream) = (Arc::new(stream), Mutex::new(Some(Weak::new())));
    let client = Client { stream, upstream };
    let (requests, queue) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut queue = queue.into_iter();
            _ = queue.try_for_each(|request| client.answer(request, server)); // it has left, or is answered
            _ = client.stream.shutdown(Shutdown::Write); // it may have left
        });
        if let Err(err) = client.read(server, &requests) {
            _ = requests.send(Err(err)); // fails once nobody answers any more
        }
        drop(requests);
        // Until the client leaves. To close with something unread would reset the
        // connection: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
        _ = io::copy(&mut &*client.stream, &mut io::sink());
        let upstream = client.upstream.lock().unwrap().take();
        _ = upstream // it may have ended
            .and_then(|u| u.upgrade())
            .map(|u| u.shutdown(Shutdown::Both));
    });
    Ok(())
}

impl Client {
    /// Reads requests up to the last one.
    fn read(&self, server: &Server, requests: &SyncSender<io::Result<Request>>) -> io::Result<()> {
        let mut wire = Wire::new(self.stream.clone());
        loop {
            let (head, mut body) = (wire.head()?, Vec::new());
            let open = server.open.lock().unwrap().clone();
            let open = open.ok_or(ConnectionAborted)?;
            if head.field("expect") == "100-continue" {
                self.write("HTTP/1.1 100 Continue\r\n\r\n")?; // a waiting client has not pipelined
            }
            wire.decode(&mut body)?;
            while wire.rest != DONE {
                wire.more(&mut body)?;
                if body.len() > MAX_BODY {
                    return Err(invalid("body: longer than 16 MiB"));
                }
            }
            let is_last = head.is_last();
            if requests.send(Ok((head, body, open))).is_err() || is_last {
                return Ok(());
            }
        }
    }

    fn answer(&self, request: io::Result<Request>, server: &Server) -> io::Result<()> {
        let (head, body, _open) = match request {
            Ok(request) => request,
            Err(err) if err.kind() != InvalidData => return Err(err), // the client left
            Err(err) => return self.reply("400 Bad Request", &err.to_string(), "close"),
        };
        let after = ["keep-alive", "close"][usize::from(head.is_last())];
        let words: Vec<_> = head.line.split([' ', '?']).collect();
        let (status, why) = match words[..] {
            [.., v] if v != "HTTP/1.1" => ("505 HTTP Version Not Supported", "want 1.1".into()),
            ["GET", "/healthz", ..] => {
                return self.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            }
            ["POST", "/chat", ..] => match server.ask(self, &body) {
                Ok(answer) => return self.relay(answer, after, server),
                Err(err) if err.kind() == InvalidInput => ("400 Bad Request", err.to_string()),
                Err(err) => ("502 Bad Gateway", format!("upstream: {err}")),
            },
            [_, "/healthz", ..] => ("405 Method Not Allowed\r\nAllow: GET", "want GET".into()),
            [_, "/chat", ..] => ("405 Method Not Allowed\r\nAllow: POST", "want POST".into()),
            _ => ("404 Not Found", "no such path".into()),
        };
        self.reply(status, &why, after)
    }

    fn relay(&self, (mut wire, head): Answer, after: &str, server: &Server) -> io::Result<()> {
        let start = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\
             Transfer-Encoding: chunked\r\nConnection: {after}\r\n\r\n"
        );
        let (mut out, mut data) = (start.into_bytes(), Vec::new());
        wire.decode(&mut data)?;
        loop {
            if !data.is_empty() {
                write!(out, "{:x}\r\n", data.len())?;
                out.append(&mut data);
                out.extend(b"\r\n");
            }
            if wire.rest == DONE {
                break;
            }
            self.write(&out)?;
            out.clear();
            wire.more(&mut data)?; // if it was cut, the last chunk is not sent
        }
        // Before the client can ask again.
        if self.hold(Weak::new()).is_ok() && !head.is_last() && wire.unread.is_empty() {
            server.idle.lock().unwrap().push(wire);
        }
        out.extend(b"0\r\n\r\n");
        self.write(&out)
    }

    fn reply(&self, status: &str, why: &str, after: &str) -> io::Result<()> {
        let body = json!({ "error": why }).to_string();
        self.write(format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: {after}\r\n\r\n{body}",
            body.len()
        ))
    }

    fn write(&self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        (&*self.stream).write_all(bytes.as_ref())
    }

    /// Says what to shut down when the client leaves. An error if it has.
    fn hold(&self, upstream: Weak<TcpStream>) -> io::Result<()> {
        let mut held = self.upstream.lock().unwrap();
        *held.as_mut().ok_or(ConnectionAborted)? = upstream;
        Ok(())
    }
}

impl Server {
    /// Returns when the head of the upstream's answer has come.
    fn ask(&self, client: &Client, body: &[u8]) -> io::Result<Answer> {
        let input: Value = serde_json::from_slice(body).unwrap_or_default(); // null has no message: 400
        let wanted = || io::Error::new(InvalidInput, r#"want {"message": "..."}"#);
        let message = input["message"].as_str().ok_or_else(wanted)?;
        let body = json!({
            "model": "stub",
            "stream": true,
            "messages": [{"role": "user", "content": message}],
        });
        let (host, path, body) = (&self.host, &self.path, body.to_string());
        let request = format!(
            "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let exchange = |mut wire: Wire| {
            client.hold(Arc::downgrade(&wire.stream))?;
            (&*wire.stream).write_all(request.as_bytes())?;
            let mut head = wire.head()?;
            while head.line.starts_with("HTTP/1.1 1") {
                head = wire.head()?; // that one only announced it
            }
            io::Result::Ok((wire, head))
        };
        let idle = self.idle.lock().unwrap().pop();
        let (wire, head) = match idle.map(exchange) {
            Some(Ok(answer)) => answer,
            // Closed while idle, perhaps; a POST may be repeated that does no harm.
            // https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
            _ => {
                let stream = TcpStream::connect(host)?;
                stream.set_nodelay(true)?;
                exchange(Wire::new(Arc::new(stream)))?
            }
        };
        let streams = head.field("content-type").starts_with("text/event-stream");
        match streams && head.line.starts_with("HTTP/1.1 200") {
            true => Ok((wire, head)),
            false => Err(io::Error::other(head.line)),
        }
    }
}
