//! Events of a thread are a stream in Redis, which gives them their ids. A run may be in another process, so all
//! processes read them from there.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use redis::{
    AsyncConnectionConfig, Client, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
    streams::{StreamId, StreamRangeReply, StreamReadOptions, StreamReadReply},
};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

use crate::{
    Failure, Shared,
    threads::{self, Id, id_of},
};

/// How long events are kept.
const KEPT: Duration = Duration::from_secs(60);

fn key(thread: i64) -> String {
    format!("events:{thread}")
}

struct Event {
    id: (u64, u64),
    text: Bytes,
    last: bool, // of its run
}

/// The events of a thread that has subscribers. Each of them follows at its own pace.
#[derive(Default)]
struct Feed {
    events: Vec<Arc<Event>>, // of the latest two runs
    begin: usize,            // of the latest run, in events
    forgotten: usize,        // events before those
    broken: bool,            // Redis has gone
}

impl Feed {
    fn add(&mut self, id: StreamId) {
        let field = |name| id.get::<String>(name).unwrap_or_default();
        let (name, data) = (field("event"), field("data"));
        if name == "stored" && data.contains(r#""user""#) {
            // a run begins
            self.events.drain(..self.begin);
            self.forgotten += self.begin;
            self.begin = self.events.len();
        }
        self.events.push(Arc::new(Event {
            id: number(&id.id),
            text: format!("id: {}\nevent: {name}\ndata: {data}\n\n", id.id).into(),
            last: name == "done" || name == "error",
        }));
    }

    /// Returns the number of the first event that a subscriber gets: that after an id, or the first of a run that is
    /// going on.
    fn first(&self, last_id: Option<&str>) -> usize {
        let at = match (last_id, self.events.last()) {
            (Some(id), _) => self.events.partition_point(|e| e.id <= number(id)),
            (None, Some(event)) if !event.last => self.begin,
            _ => self.events.len(),
        };
        self.forgotten + at
    }
}

/// Reads an id of Redis: milliseconds, and a number. Other text is 0.
fn number(id: &str) -> (u64, u64) {
    let (a, b) = id.split_once('-').unwrap_or((id, "0"));
    (a.parse().unwrap_or(0), b.parse().unwrap_or(0))
}

/// A feed with the task that fills it, which ends with the last subscriber.
struct Filled {
    feed: watch::Sender<Feed>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Filled {
    fn drop(&mut self) {
        if let Some(task) = self.task.get_mut().expect("nothing panics with it").take() {
            task.abort();
        }
    }
}

pub struct Followed {
    client: Client,
    redis: ConnectionManager,
    feeds: Mutex<HashMap<i64, std::sync::Weak<Filled>>>,
}

impl Followed {
    pub async fn open(url: &str) -> RedisResult<Self> {
        let client = Client::open(url)?;
        let config = ConnectionManagerConfig::new().set_response_timeout(None);
        let redis = client.get_connection_manager_with_config(config).await?;
        Ok(Followed {
            client,
            redis,
            feeds: Mutex::default(),
        })
    }

    /// Adds an event to those of a thread.
    pub async fn publish(&self, thread: i64, name: &str, data: &str) -> RedisResult<()> {
        let mut redis = self.redis.clone();
        let mut add = redis::cmd("XADD");
        add.arg(key(thread));
        if name == "stored" {
            // not for each token
            let now = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default();
            add.arg("MINID")
                .arg("~")
                .arg((now - KEPT).as_millis() as u64);
        }
        add.arg("*").arg("event").arg(name).arg("data").arg(data);
        let _: String = add.query_async(&mut redis).await?;
        if name == "done" || name == "error" {
            let _: i64 = redis::cmd("EXPIRE")
                .arg(key(thread))
                .arg(KEPT.as_secs())
                .query_async(&mut redis)
                .await?;
        }
        Ok(())
    }

    /// Returns the feed of a thread, with the events of the past.
    async fn join(&self, thread: i64) -> RedisResult<Arc<Filled>> {
        if let Some(filled) = self.joined(thread, None) {
            return Ok(filled);
        }
        let config = AsyncConnectionConfig::new().set_response_timeout(None); // it waits for events
        let mut redis = self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await?;
        let past: StreamRangeReply = redis::cmd("XRANGE")
            .arg(key(thread))
            .arg("-")
            .arg("+")
            .query_async(&mut redis)
            .await?;
        let mut feed = Feed::default();
        let mut after = "0".to_owned();
        for id in past.ids {
            after.clone_from(&id.id);
            feed.add(id);
        }
        let filled = Arc::new(Filled {
            feed: watch::channel(feed).0,
            task: Mutex::default(),
        });
        let used = self.joined(thread, Some(&filled)).expect("one was offered");
        if Arc::ptr_eq(&used, &filled) {
            // Nobody else began to fill one meanwhile.
            let feed = filled.feed.clone();
            let task = tokio::spawn(async move {
                let options = StreamReadOptions::default().block(0);
                loop {
                    let mut read = redis::cmd("XREAD");
                    read.arg(&options)
                        .arg("STREAMS")
                        .arg(key(thread))
                        .arg(&after);
                    let Ok(reply) = read.query_async::<StreamReadReply>(&mut redis).await else {
                        feed.send_modify(|feed| feed.broken = true);
                        return;
                    };
                    feed.send_modify(|feed| {
                        for id in reply.keys.into_iter().flat_map(|k| k.ids) {
                            after.clone_from(&id.id);
                            feed.add(id);
                        }
                    });
                }
            });
            *filled.task.lock().expect("nothing panics with it") = Some(task);
        }
        Ok(used)
    }

    /// Returns the feed that is followed already, or the offered one.
    fn joined(&self, thread: i64, offered: Option<&Arc<Filled>>) -> Option<Arc<Filled>> {
        let mut feeds = self.feeds.lock().expect("nothing panics with it");
        feeds.retain(|_, feed| feed.strong_count() > 0);
        let known = feeds.get(&thread).and_then(|feed| feed.upgrade());
        if let Some(known) = known.filter(|filled| !filled.feed.borrow().broken) {
            return Some(known);
        }
        let offered = offered?;
        feeds.insert(thread, Arc::downgrade(offered));
        Some(offered.clone())
    }
}

/// Shows the events of a thread until the client leaves.
pub async fn follow(
    State(server): State<Shared>,
    id: Id,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let thread = id_of(id)?;
    if !threads::exists(&server.db, thread).await? {
        return Err(Failure(StatusCode::NOT_FOUND, "no such thread".into()));
    }
    let filled = server.followed.join(thread).await?;
    let last_id = headers.get("last-event-id").and_then(|id| id.to_str().ok()); // other text is ignored
    let mut next = filled.feed.borrow().first(last_id);
    let (out, events) = mpsc::channel::<Bytes>(16);
    tokio::spawn(async move {
        let mut changes = filled.feed.subscribe();
        let mut stopping = server.stopping.clone();
        loop {
            let events = {
                let feed = changes.borrow_and_update();
                if feed.broken || next < feed.forgotten {
                    return;
                }
                feed.events[next - feed.forgotten..].to_vec()
            };
            next += events.len();
            for event in events {
                if out.send(event.text.clone()).await.is_err() {
                    return; // it has left
                }
            }
            tokio::select! {
                _ = changes.changed() => {} // the loop sees whether the feed has ended
                _ = out.closed() => return, // the client has left
                _ = stopping.changed() => return, // or the sender has ended, with the process
            }
        }
    });
    let events = ReceiverStream::new(events).map(Ok::<_, Infallible>);
    Ok((
        [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        Body::from_stream(events),
    )
        .into_response())
}
