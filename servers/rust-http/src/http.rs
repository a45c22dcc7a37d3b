//! HTTP/1.1 messages of both sides. https://www.rfc-editor.org/rfc/rfc9112

use std::io::{self, Error, ErrorKind, Read};
use std::{net::TcpStream, sync::Arc};

use httparse::Status::{Complete, Partial};
use httparse::{EMPTY_HEADER, Request, Response, parse_chunk_size, parse_headers};

/// A connection, and what was read from it but not used yet.
pub struct Wire {
    pub stream: Arc<TcpStream>,
    buf: Box<[u8]>, // also the limit of a head
    start: usize,
    end: usize,
}

pub struct Head {
    pub what: String, // "METHOD PATH" or "STATUS"
    content_type: String,
    pub body: Body,
    pub chunks: bool, // HTTP/1.0 has none
    pub close: bool,
    pub expects: bool,
}

/// What is still to come of a body.
#[derive(Clone, Copy, PartialEq)]
pub enum Body {
    Length(u64),
    ToClose,
    ChunkSize,
    Chunk(u64), // and the end of its line
    Trailer,
    Done,
}

impl Wire {
    pub fn new(stream: Arc<TcpStream>) -> Self {
        let (buf, start, end) = (vec![0; 16 << 10].into(), 0, 0);
        Wire {
            stream,
            buf,
            start,
            end,
        }
    }

    pub fn unread(&self) -> &[u8] {
        &self.buf[self.start..self.end]
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buf.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if self.end == self.buf.len() {
            return Err(invalid("head: too long"));
        }
        let n = (&*self.stream).read(&mut self.buf[self.end..])?;
        self.end += n;
        match n {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    pub fn head(&mut self, is_request: bool) -> io::Result<Head> {
        loop {
            if let Some((used, head)) = Head::parse(self.unread(), is_request)? {
                self.start += used;
                return Ok(head);
            }
            self.fill()?;
        }
    }

    /// Moves what is unread of a body to `data`.
    pub fn take(&mut self, body: &mut Body, data: &mut Vec<u8>) -> io::Result<()> {
        while !body.is_done() && self.start < self.end {
            let unread = &self.buf[self.start..self.end];
            let mut copy = |most: u64| {
                let n = most.min(unread.len() as u64);
                data.extend_from_slice(&unread[..n as usize]);
                n
            };
            let (used, next) = match *body {
                Body::Length(left) => {
                    let n = copy(left);
                    (n as usize, Body::Length(left - n))
                }
                Body::Chunk(left @ 1..) => {
                    let n = copy(left);
                    (n as usize, Body::Chunk(left - n))
                }
                Body::Chunk(0) => match unread {
                    [b'\r', b'\n', ..] => (2, Body::ChunkSize),
                    [b'\r'] => break,
                    _ => return Err(invalid("body: bad end of a chunk")),
                },
                Body::ChunkSize => match parse_chunk_size(unread) {
                    Ok(Complete((used, 0))) => (used, Body::Trailer),
                    Ok(Complete((used, size))) => (used, Body::Chunk(size)),
                    Ok(Partial) => break,
                    Err(_) => return Err(invalid("body: bad size of a chunk")),
                },
                Body::Trailer => match parse_headers(unread, &mut [EMPTY_HEADER; 100]) {
                    Ok(Complete((used, _))) => (used, Body::Done),
                    Ok(Partial) => break,
                    Err(_) => return Err(invalid("body: bad trailer")),
                },
                Body::ToClose | Body::Done => (copy(u64::MAX) as usize, *body),
            };
            self.start += used;
            *body = next;
        }
        Ok(())
    }

    /// Waits for more of a body. An end that was not announced is an error.
    pub fn more(&mut self, body: &mut Body, data: &mut Vec<u8>) -> io::Result<()> {
        match self.fill() {
            Err(err) if err.kind() == ErrorKind::UnexpectedEof && *body == Body::ToClose => {
                *body = Body::Done;
                Ok(())
            }
            Err(err) => Err(err),
            Ok(()) => self.take(body, data),
        }
    }
}

impl Body {
    pub fn is_done(&self) -> bool {
        matches!(self, Body::Length(0) | Body::Done)
    }
}

impl Head {
    pub fn is_stream(&self) -> bool {
        self.what == "200" && self.content_type.starts_with("text/event-stream")
    }

    fn parse(bytes: &[u8], is_request: bool) -> io::Result<Option<(usize, Head)>> {
        let mut headers = [EMPTY_HEADER; 100];
        let (parsed, what, version, headers, body) = if is_request {
            let mut head = Request::new(&mut headers);
            let parsed = head.parse(bytes);
            let target = head.path.unwrap_or_default();
            let path = target.split_once('?').map_or(target, |(path, _)| path);
            let what = format!("{} {path}", head.method.unwrap_or_default());
            (parsed, what, head.version, head.headers, Body::Done)
        } else {
            let mut head = Response::new(&mut headers);
            let parsed = head.parse(bytes);
            let what = head.code.unwrap_or_default().to_string();
            (parsed, what, head.version, head.headers, Body::ToClose)
        };
        let Complete(used) = parsed.map_err(|err| invalid(&format!("head: {err}")))? else {
            return Ok(None);
        };
        let (new, no_body) = (version == Some(1), what.starts_with("HEAD "));
        let mut head = Head {
            what,
            content_type: String::new(),
            body,
            chunks: new,
            close: !new || no_body, // our answers have bodies
            expects: false,
        };
        let mut lengths = 0; // of the body
        for header in headers {
            let value = String::from_utf8_lossy(header.value).to_ascii_lowercase();
            match header.name.to_ascii_lowercase().as_str() {
                "content-type" => head.content_type = value,
                "content-length" => {
                    lengths += 1;
                    let length = value.parse().map_err(|_| invalid("head: bad length"))?;
                    head.body = Body::Length(length);
                }
                "transfer-encoding" if value == "chunked" => {
                    lengths += 1;
                    head.body = Body::ChunkSize;
                }
                "transfer-encoding" => return Err(invalid("head: unknown transfer coding")),
                "connection" => head.close |= value.split(',').any(|word| word.trim() == "close"),
                "expect" => head.expects = value == "100-continue",
                _ => {}
            }
        }
        if lengths > 1 {
            return Err(invalid("head: two lengths of the body"));
        }
        Ok(Some((used, head)))
    }
}

pub fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidData, message)
}
