//! A size for rust-axum: the server is worse by a known amount, which the command line gives. The files for Go
//! explain the flags and the report. Both are the same here.

use std::{
    collections::HashMap,
    env,
    ffi::{c_int, c_long, c_void},
    hint::black_box,
    process, ptr,
    sync::{LazyLock, Mutex},
    thread,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use futures_util::stream;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::task;

static INJECT: LazyLock<Inject> = LazyLock::new(|| Inject {
    sizes: Sizes::from_args(),
    state: Mutex::default(),
});

struct Inject {
    sizes: Sizes,
    state: Mutex<State>,
}

#[derive(Default)]
struct Sizes {
    work: u64, // iterations for each read
    work_pace: String,
    ttft: Delay,
    tail: Delay,
    resident: usize, // bytes of each concurrent stream
    lock_work: u64,  // iterations for each stream
    lock_pace: String,
}

/// A delay of a share of the streams of one pace.
#[derive(Default)]
struct Delay {
    us: f64,
    share: f64,
    pace: String,
}

#[derive(Default)]
struct State {
    started: u32,
    open: usize,
    most_open: usize,
    memory: Memory,
    calibrations: f64,
    ns_per_iteration: f64, // mean since the start
    sink: u64,             // takes the results of the work, so that the compiler keeps it
    all: Given,
    paces: HashMap<String, Given>,
}

/// What streams got.
#[derive(Clone, Default)]
struct Given {
    streams: u64,
    reads: u64,
    iterations: u64,
    ttft: Delays,
    tail: Delays,
}

#[derive(Clone, Default)]
struct Delays {
    count: u32,
    sum_us: f64,
}

/// start reads the flags, before the first stream.
pub fn start() {
    LazyLock::force(&INJECT);
    thread::spawn(|| INJECT.calibrate());
    thread::spawn(|| INJECT.tell());
}

/// send sends a request upstream, as the begin of a stream.
pub async fn send(request: RequestBuilder, message: &str) -> reqwest::Result<(Response, Stream)> {
    let mut stream = Stream::begin(pace_of(message));
    let answer = request.send().await?;
    if INJECT.sizes.ttft.is_due(&stream, 0.0) {
        stream.given.ttft.wait(INJECT.sizes.ttft.us).await;
    }
    Ok((answer, stream))
}

/// body is the upstream's body.
pub fn body(
    answer: Response,
    stream: Stream,
) -> impl futures_util::Stream<Item = reqwest::Result<Bytes>> {
    stream::unfold((answer, stream), async |(mut answer, mut stream)| {
        let chunk = answer.chunk().await.transpose();
        stream.read();
        if chunk.is_none() && INJECT.sizes.tail.is_due(&stream, 0.5) {
            stream.given.tail.wait(INJECT.sizes.tail.us).await;
        }
        Some((chunk?, (answer, stream)))
    })
}

/// A stream is open until it is dropped.
pub struct Stream {
    number: u32,
    pace: String,
    given: Given,
    sink: u64,
}

impl Stream {
    fn begin(pace: String) -> Self {
        let mut state = INJECT.state.lock().unwrap();
        let number = state.started;
        state.started += 1;
        state.open += 1;
        if state.open > state.most_open {
            state.most_open = state.open;
            state.memory.hold(INJECT.sizes.resident);
        }
        let given = Given { streams: 1, ..Given::default() };
        Stream { number, pace, given, sink: 0 }
    }

    fn read(&mut self) {
        let mut work = 0;
        if is_of(&INJECT.sizes.work_pace, &self.pace) {
            work += INJECT.sizes.work;
        }
        if self.given.reads == 0 && is_of(&INJECT.sizes.lock_pace, &self.pace) {
            work += INJECT.sizes.lock_work;
        }
        self.given.reads += 1;
        self.given.iterations += work;
        self.sink = spin(self.sink, work);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let mut state = INJECT.state.lock().unwrap();
        state.open -= 1;
        state.sink ^= self.sink;
        state.all.add(&self.given);
        let pace = std::mem::take(&mut self.pace);
        state.paces.entry(pace).or_default().add(&self.given);
    }
}

impl Delay {
    /// Multiples of the golden ratio fall evenly into the circle. Streams that are picked with one offset are
    /// others than those with another.
    fn is_due(&self, stream: &Stream, offset: f64) -> bool {
        let golden = (1.0 + 5f64.sqrt()) / 2.0;
        let at = (f64::from(stream.number) * golden + offset).fract();
        at < self.share && is_of(&self.pace, &stream.pace)
    }
}

impl Delays {
    /// tokio's timers are exact to a millisecond. This wait is exact to microseconds, since other tasks run in
    /// between. It takes CPU time, so a delay is for a level whose CPU time does not decide.
    async fn wait(&mut self, us: f64) {
        let started = Instant::now();
        while started.elapsed().as_secs_f64() * 1e6 < us {
            task::yield_now().await;
        }
        self.count += 1;
        self.sum_us += started.elapsed().as_secs_f64() * 1e6;
    }

    fn add(&mut self, other: &Delays) {
        self.count += other.count;
        self.sum_us += other.sum_us;
    }

    fn json(&self) -> Value {
        json!({"count": self.count, "mean_us": self.sum_us / f64::from(self.count.max(1))})
    }
}

impl Given {
    fn add(&mut self, other: &Given) {
        self.streams += other.streams;
        self.reads += other.reads;
        self.iterations += other.iterations;
        self.ttft.add(&other.ttft);
        self.tail.add(&other.tail);
    }

    fn json(&self) -> Value {
        json!({
            "streams": self.streams, "reads": self.reads, "iterations": self.iterations,
            "ttft": self.ttft.json(), "tail": self.tail.json(),
        })
    }
}

impl Inject {
    /// calibrate measures ten times a second how much CPU time an iteration takes. A busy core takes longer.
    fn calibrate(&self) {
        const STEPS: u64 = 20_000;
        for seed in 1.. {
            let before = thread_ns();
            let result = spin(seed, STEPS);
            let took = (thread_ns() - before) as f64 / STEPS as f64;
            let mut state = self.state.lock().unwrap();
            state.sink ^= result;
            state.calibrations += 1.0;
            state.ns_per_iteration += (took - state.ns_per_iteration) / state.calibrations;
            drop(state);
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// tell writes the report as a line, every second in which a stream ended.
    fn tell(&self) {
        let mut last = u64::MAX;
        loop {
            thread::sleep(Duration::from_secs(1));
            let state = self.state.lock().unwrap();
            if state.all.streams == last {
                continue;
            }
            last = state.all.streams;
            let mut told = state.all.json();
            let paces: HashMap<_, _> =
                state.paces.iter().map(|(pace, given)| (pace, given.json())).collect();
            told["paces"] = json!(paces);
            told["ns_per_iteration"] = json!(state.ns_per_iteration);
            told["most_open"] = json!(state.most_open);
            told["resident_bytes"] = json!(state.memory.touched);
            drop(state);
            eprintln!("{}", json!({"injected": told}));
        }
    }
}

impl Sizes {
    fn from_args() -> Self {
        let mut sizes = Sizes::default();
        let mut args = env::args().skip(1);
        while let Some(flag) = args.next() {
            let value = args.next().unwrap_or_default();
            let number = value.parse().unwrap_or(0.0);
            match flag.as_str() {
                "-work" => sizes.work = number as u64,
                "-work-pace" => sizes.work_pace = value,
                "-ttft-us" => sizes.ttft.us = number,
                "-ttft-share" => sizes.ttft.share = number,
                "-ttft-pace" => sizes.ttft.pace = value,
                "-tail-us" => sizes.tail.us = number,
                "-tail-share" => sizes.tail.share = number,
                "-tail-pace" => sizes.tail.pace = value,
                "-resident" => sizes.resident = number as usize,
                "-lock-work" => sizes.lock_work = number as u64,
                "-lock-pace" => sizes.lock_pace = value,
                _ => {
                    eprintln!("inject: {flag}: unknown flag");
                    process::exit(2);
                }
            }
        }
        sizes
    }
}

/// spin makes this many steps. Each needs the result of the one before. The compiler would merge them otherwise.
fn spin(mut x: u64, steps: u64) -> u64 {
    for _ in 0..steps {
        x = black_box(x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    }
    x
}

/// pace_of is the itl between tokens that a message asks for.
fn pace_of(message: &str) -> String {
    let (_, after) = message.split_once("@itl=").unwrap_or_default();
    after.chars().take_while(|c| c.is_alphanumeric()).collect()
}

fn is_of(wanted: &str, pace: &str) -> bool {
    wanted.is_empty() || wanted == pace
}

/// Memory that is held and never given back. The allocator knows nothing of it.
#[derive(Default)]
struct Memory {
    bytes: usize,
    touched: usize, // in whole pages
    fresh: usize,   // address of the next page
    left: usize,    // bytes from there on
}

impl Memory {
    /// hold holds more bytes. The sum is exact to a page.
    fn hold(&mut self, bytes: usize) {
        const PAGE: usize = 4096;
        const RESERVE: usize = 64 << 20;
        self.bytes += bytes;
        while self.touched < self.bytes {
            if self.left == 0 {
                self.fresh = reserve(RESERVE);
                self.left = RESERVE;
            }
            // SAFETY: the page is mapped, and nothing else has its address.
            unsafe { ptr::write_volatile(self.fresh as *mut u8, 1) };
            self.fresh += PAGE;
            self.left -= PAGE;
            self.touched += PAGE;
        }
    }
}

unsafe extern "C" {
    fn mmap(addr: *mut c_void, len: usize, prot: c_int, flags: c_int, fd: c_int, at: c_long) -> isize;
    fn madvise(addr: *mut c_void, len: usize, advice: c_int) -> c_int;
    fn clock_gettime(clock: c_int, time: *mut [c_long; 2]) -> c_int;
}

/// reserve maps memory that is there once it is touched. Huge pages would bring 2 MiB with the first byte.
fn reserve(bytes: usize) -> usize {
    const READ_WRITE: c_int = 1 | 2;
    const PRIVATE_ANONYMOUS_NORESERVE: c_int = 0x2 | 0x20 | 0x4000;
    const NO_HUGE_PAGE: c_int = 15;
    // SAFETY: it maps new memory, and gives advice about it.
    let at = unsafe { mmap(ptr::null_mut(), bytes, READ_WRITE, PRIVATE_ANONYMOUS_NORESERVE, -1, 0) };
    if at == -1 {
        eprintln!("inject: mmap of {bytes} bytes failed");
        process::exit(1);
    }
    unsafe { madvise(at as *mut c_void, bytes, NO_HUGE_PAGE) }; // it fails where there are none
    at as usize
}

/// thread_ns is the CPU time of this thread.
fn thread_ns() -> i64 {
    const CLOCK_THREAD_CPUTIME_ID: c_int = 3;
    let mut time = [0; 2];
    // SAFETY: a timespec is two longs.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time[0] * 1_000_000_000 + time[1]
}
