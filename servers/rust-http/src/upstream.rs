//! The upstream request, and the connections for it.

use std::io::{self, Error, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use serde_json::json;

use crate::http::{Head, Wire};

pub struct Upstream {
    host: String,
    path: String,
    idle: Mutex<Vec<Wire>>,
}

impl Upstream {
    pub fn new(url: &str) -> Option<Self> {
        let (host, path) = url.strip_prefix("http://")?.split_once('/')?;
        let port = if host.contains(':') { "" } else { ":80" };
        Some(Upstream {
            host: format!("{host}{port}"),
            path: format!("/{path}"),
            idle: Mutex::default(),
        })
    }

    /// Returns when the head of the answer has come.
    pub fn ask(&self, message: &str, leash: &Leash) -> io::Result<(Wire, Head)> {
        let body = json!({
            "model": "stub",
            "stream": true,
            "messages": [{"role": "user", "content": message}],
        });
        let (path, host, body) = (&self.path, &self.host, body.to_string());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let pooled = lock(&self.idle).pop();
        if let Some(mut wire) = pooled {
            match exchange(&mut wire, &request, leash) {
                Ok(head) => return Ok((wire, head)),
                // Closed while idle. A POST may be repeated where that does no harm, as
                // here. https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
                Err(_) if wire.unread().is_empty() => leash.hold(Weak::new())?,
                Err(err) => return Err(err),
            }
        }
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        let mut wire = Wire::new(Arc::new(stream));
        let head = exchange(&mut wire, &request, leash)?;
        Ok((wire, head))
    }

    /// Keeps the connection of an answer that was read to its end.
    pub fn keep(&self, wire: Wire, head: &Head, leash: &Leash) {
        let here = leash.hold(Weak::new()).is_ok();
        if here && head.body.is_done() && !head.close && wire.unread().is_empty() {
            lock(&self.idle).push(wire);
        }
    }
}

fn exchange(wire: &mut Wire, request: &str, leash: &Leash) -> io::Result<Head> {
    leash.hold(Arc::downgrade(&wire.stream))?;
    (&*wire.stream).write_all(request.as_bytes())?;
    loop {
        let head = wire.head(false)?;
        if !head.what.starts_with('1') {
            return Ok(head); // not one that only announces it
        }
    }
}

/// What a client's leaving pulls: the connection of its upstream request. None
/// once it has left.
pub struct Leash(Mutex<Option<Weak<TcpStream>>>);

impl Leash {
    pub fn new() -> Self {
        Leash(Mutex::new(Some(Weak::new())))
    }

    fn hold(&self, stream: Weak<TcpStream>) -> io::Result<()> {
        let mut held = lock(&self.0);
        let held = held.as_mut();
        *held.ok_or_else(|| Error::other("the client has left"))? = stream;
        Ok(())
    }

    pub fn pull(&self) {
        let held = lock(&self.0).take();
        if let Some(stream) = held.and_then(|held| held.upgrade()) {
            _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
