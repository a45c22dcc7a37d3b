//! HTTP/1.1 messages, as both sides receive them. https://www.rfc-editor.org/rfc/rfc9112

use std::io::{self, ErrorKind, Read};
use std::{net::TcpStream, ops::Range, sync::Arc};

use httparse::Status::{Complete, Partial};
use httparse::{EMPTY_HEADER, parse_chunk_size, parse_headers};

/// A connection, and what was read from it but not used yet.
pub struct Wire {
    pub stream: Arc<TcpStream>,
    pub rest: Rest,
    pub unread: Range<usize>, // of buf
    buf: Box<[u8]>,           // also the limit of a head
}

pub struct Head {
    pub line: String,
    fields: String, // in lower case
}

/// The rest of a body.
#[derive(PartialEq)]
pub enum Rest {
    Length(usize),
    Chunk(usize), // and then a line with the size of the next
    ToClose,
}

pub const DONE: Rest = Rest::Length(0);

impl Wire {
    pub fn new(stream: Arc<TcpStream>) -> Self {
        Wire {
            stream,
            rest: DONE,
            unread: 0..0,
            buf: vec![0; 16 << 10].into(),
        }
    }

    pub fn head(&mut self) -> io::Result<Head> {
        loop {
            let unread = &self.buf[self.unread.clone()];
            if let Some(end) = end_of_fields(unread) {
                let text = String::from_utf8_lossy(&unread[..end]);
                let (line, fields) = text.split_once("\r\n").unwrap_or_default();
                parse_headers(fields.as_bytes(), &mut [EMPTY_HEADER; 100]).map_err(invalid)?;
                let (line, fields) = (line.to_string(), fields.to_ascii_lowercase());
                let head = Head { line, fields };
                self.unread.start += end;
                self.rest = head.body()?;
                return Ok(head);
            }
            self.fill()?;
        }
    }

    /// Waits for more. An end that was not announced is an error.
    fn fill(&mut self) -> io::Result<()> {
        self.buf.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        match (&*self.stream).read(&mut self.buf[self.unread.end..])? {
            0 if self.unread.len() == self.buf.len() => return Err(invalid("too long")),
            0 if self.rest == Rest::ToClose => self.rest = DONE,
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            n => self.unread.end += n,
        }
        Ok(())
    }

    pub fn more(&mut self, data: &mut Vec<u8>) -> io::Result<()> {
        self.fill()?;
        self.decode(data)
    }

    /// Moves what was read of a body to `data`.
    pub fn decode(&mut self, data: &mut Vec<u8>) -> io::Result<()> {
        while self.rest != DONE && !self.unread.is_empty() {
            let unread = &self.buf[self.unread.clone()];
            if self.rest == Rest::Chunk(0) {
                // The line end of the chunk before is not counted in its size.
                let line = unread.strip_prefix(b"\r\n").unwrap_or(unread);
                let (used, rest) = match parse_chunk_size(line).map_err(invalid)? {
                    Complete((used, size @ 1..)) => (Some(used), Rest::Chunk(size as usize)),
                    Complete(_) => (end_of_fields(line), DONE), // with or without a trailer
                    Partial => (None, DONE),
                };
                let Some(used) = used else { break };
                self.unread.start += unread.len() - line.len() + used;
                self.rest = rest;
                continue;
            }
            let mut n = unread.len();
            if let Rest::Length(left) | Rest::Chunk(left) = &mut self.rest {
                n = n.min(*left);
                *left -= n;
            }
            data.extend_from_slice(&unread[..n]);
            self.unread.start += n;
        }
        Ok(())
    }
}

impl Head {
    pub fn field(&self, name: &str) -> &str {
        let mut lines = self.fields.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        value.map_or("", str::trim)
    }

    fn body(&self) -> io::Result<Rest> {
        match (
            self.field("transfer-encoding"),
            self.field("content-length"),
        ) {
            ("chunked", _) => Ok(Rest::Chunk(0)),
            ("", "") if self.line.starts_with("HTTP/") => Ok(Rest::ToClose),
            ("", "") => Ok(DONE),
            ("", length) => length.parse().map(Rest::Length).map_err(invalid),
            _ => Err(invalid("unknown transfer coding")),
        }
    }

    /// Whether the connection ends with the answer. One to HEAD would have no body.
    pub fn is_last(&self) -> bool {
        let (line, connection) = (&self.line, self.field("connection"));
        !line.contains("HTTP/1.1") || line.starts_with("HEAD ") || connection.contains("close")
    }
}

fn end_of_fields(bytes: &[u8]) -> Option<usize> {
    Some(bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4)
}

pub fn invalid(why: impl ToString) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.to_string())
}
