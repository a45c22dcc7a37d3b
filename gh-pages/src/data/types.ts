// Made from the types of Go by `go test ./internal/show/site -run TypesOfThePages -update`; do not edit.

// A Manifest names what the page of a run reads. Its file is the only one that changes under its name.
export interface Manifest {
  schema: number;
  // Workload is the one that the rest is about. Each has a manifest: commits, runs and epochs of its own.
  // That of the first with data is the file data/manifest.json, which lists all.
  workload: string;
  workloads: WorkloadForm[]; // in the file data/manifest.json alone
  newest: string | null; // begin of the newest record; null: no history
  repository: string | null; // https://github.com/OWNER/NAME
  history: string | null; // commit of the branch with the facts
  commits: CommitFile;
  servers: Server[]; // by name
  metrics: Metric[];
  // Columns are the metrics of the table of a scenario, by its name without a level.
  columns: Record<string, string[]>;
  epochs: Epoch[];
  events: string; // a file, as Runs
  runs: string;
  broken: Broken[];
}

// Commits has all of them, in columns. Null is unknown.
export interface Commits {
  schema: number;
  sha: string[]; // 10 hex; of a local run, of its id
  // newest that is not quick: its files are runs/RUN.jsonl.gz, details/RUN.json.gz, events/RUN.json
  run: (string | null)[];
  time: (number | null)[]; // unix seconds
  subject: (string | null)[];
  author: (string | null)[];
  epoch: number[]; // places in Manifest.Epochs
  quick: number[]; // 1: it has shortened runs only
}

// A Series is a metric in a scenario. A server without a point in it is left out.
export interface Series {
  schema: number;
  series: string; // SCENARIO/METRIC
  servers: Record<string, Column>;
  // Noise, by server: an epoch's place; 1.96 sd of a run's figure for unchanged code; the number of
  // differences of consecutive points. The noise is in per cent, or in the unit of an absolute metric.
  noise: Record<string, [number, number, number][]>;
}

// Runs has all runs, the newest first.
export interface Runs {
  schema: number;
  runs: RunRow[];
}

// A Figures is the first line of a run's file, before the records: what the rounds say together. Pages show
// these and work none out.
export interface Figures {
  figures: number; // the version of this line
  metrics: string[];
  rows: FigureRow[];
}

// A Record holds the figures of one target in one round and scenario.
export interface Rec {
  schema: number;
  workload: string; // decides the scenarios and the metrics
  run: RunFacts;
  host: Host;
  conditions: Conditions;
  tools: Record<string, string>; // versions
  server: RunServer;
  scenario: string; // with its level: stress-100
  round: number; // from 1
  started: string;
  status: RecordStatus;
  why: string[]; // reasons of a status other than ok
  retried?: number; // requests that were sent twice, since the server had closed an idle connection
  metrics: Record<string, number | null>;
  requests?: RequestFigures[]; // by name, in workloads that mix requests; older records have none
  outcomes?: Outcome[]; // of the server's own k6 script
}

// Details are the reduced details of a run.
export interface Details {
  schema: number;
  workload: string;
  k6_runs: K6Run[]; // of the first round, in order
  distributions: Distribution[];
}

// A WorkloadForm is a workload with data, in the list of them.
export interface WorkloadForm {
  name: string;
  unit: string; // "stream" or "request"
  file: string | null; // its manifest; null: data/manifest.json
}

// A CommitFile is that of Commits.
export interface CommitFile {
  count: number; // commits
  file: string;
}

// A Server is one that was ever measured.
export interface Server {
  workload: string;
  name: string;
  language: string;
  framework: string;
  was: string[]; // older names
  first: number; // commits in which it has points; -1: in none
  last: number;
}

// A Metric is one of record.Table, of the workload. Scale is by what a value is multiplied to be shown.
export interface Metric {
  name: string;
  label: string;
  unit: string;
  better: 'higher' | 'lower' | ''; // higher, lower or ""
  means: string;
  scale: number;
  // Absolute metrics may be 0 or less: their changes and noise are in their unit, not per cent.
  absolute?: boolean;
}

// An Epoch is what records share that may be compared: machine, rig, placement, schema. First and Last are
// commits; another epoch may lie between.
export interface Epoch {
  id: string;
  text: string;
  rig: string;
  placement: string;
  first: number;
  last: number;
}

// A Broken is an unreadable file of the history or of gh-pages/accepted. The site leaves it out.
export interface Broken {
  file: string;
  why: string;
}

// A Column is a server's points, a place a commit, in the metric's unit.
export interface Column {
  m: (number | null)[]; // null: not measured
  l: (number | null)[]; // the least round
  h: (number | null)[]; // the greatest round
  s: (0 | 1 | 2)[]; // Good, Warning or Absent
}

// A RunRow says what there is of a run.
export interface RunRow {
  run: string; // YYYY/MM/SHA10-RUNID-ATTEMPT, or local/ID
  commit: number; // place; -1: of a comparison
  time: string; // its begin
  servers: string[]; // of its trend runs
  trend_runs: boolean; // runs/RUN.jsonl.gz is there
  leaderboard: boolean; // runs/RUN.leaderboard.jsonl.gz
  events: boolean; // events/RUN.json
  details: boolean; // details/RUN.json.gz
  quick: boolean;
  comparison: boolean; // of base and head, on somebody's own machine
}

// A FigureRow is a target in a scenario.
export interface FigureRow {
  target: string; // with its side in a comparison: go-http@base
  scenario: string;
  // For each metric the mean (record.Mean), the least and the greatest of the rounds that count, in the
  // metric's unit, and the number of rounds; null: unknown.
  cells: ([number, number, number, number] | null)[];
}

// A Run holds what all records of a run share.
export interface RunFacts extends Asked {
  id: string;
  commit: string | null; // null: unknown
  dirty: boolean | null; // the checkout differed from the commit
  placement: string;
  rig: string; // hash of the sources of k6, its scripts and the stub
}

// A Host is the machine, as far as it stays the same between runs. Null is unknown.
export interface Host {
  cpu: string | null;
  cores: number;
  memory_bytes: number | null;
  os: string | null;
  kernel: string | null;
  load?: LoadHost | null; // Load is the machine of k6 and the stub; nil: it is this one.
}

// Conditions describe the machine and the rig in the record's slices. Side by side, all targets have the
// same. null is unknown.
export interface Conditions {
  load_before: number | null; // load average of the minute before the k6 run
  steal_pct: number | null; // of all cores, taken by other virtual machines
  others_pct: number | null; // of all cores, used by other programs
  // Disturbed lists the reasons that are the machine's or the rig's fault. Such a round may be measured
  // again. Each reason stands in Why too.
  disturbed: string[] | null;
}

// A Server is a server of a run, or one side of it in a comparison.
export interface RunServer {
  name: string;
  language: string;
  framework: string;
  side: string; // base or head in a comparison, else ""
  commit: string | null; // null: its code is not committed in this state
  tree: string | null; // git's hash of the directory; null as above
  artefact: string | null; // hash of the built program; null: not built
  versions: Record<string, string> | null;
  failed_checks?: string[]; // required checks that it failed: "C7 crowd"
  missing_checks: string[] | null; // optional checks that it failed: "C4 nodelay"
  reference?: boolean; // it has no rank, as direct has none
  // Margins are the server's own, by the names of its server.json, in per cent. LeftOut are the requests of
  // head that base does not answer as head wants; neither side got them.
  margins?: Record<string, number>;
  // Limits are the server's own, by the names of its server.json and in their units.
  limits?: Record<string, number>;
  left_out?: string[];
  // Dropped, Added and Changed are of head: how its requests differ from those of base's server.json. A
  // request with another weight is changed.
  requests_dropped?: string[];
  requests_added?: string[];
  requests_changed?: string[];
  // Packages are of head: how the versions of its packages differ from base's, such as "hono 4.11.9 to
  // 4.12.0". Bump says that only the first was changed, and its code is that of base. The others moved with
  // it.
  packages_changed?: string[];
  bump?: boolean;
}

// Status says whether the figures of a record are usable.
export type RecordStatus = 'ok' | 'warning' | 'invalid';

// A Request has figures of the requests of one name, such as "GET /search". CPU time and memory have no such
// parts.
export interface RequestFigures {
  name: string;
  requests: number; // complete
  failed: number;
  p50_ms: number | null; // null: no request was complete, or the record is invalid
  p95_ms: number | null;
  share_pct: number; // of the time of all complete requests
}

// An Outcome is what a script says of a server by itself: a check, with how often it passed and failed, or a
// threshold. It covers the whole k6 run.
export interface Outcome {
  name: string; // of the check, or metric and text of the threshold
  threshold?: boolean;
  passed: number; // a threshold passed once, or failed once
  failed: number;
}

// A K6Run is one run of k6.
export interface K6Run {
  scenario: string; // ranking or compare; of older runs one without level
  round: number;
  target: string; // its target in a solo run, else ""
  levels: string[]; // those of a ranking are called as records; "" without levels; with raw.WarmUp
  targets: string[];
  slices: number[][];
  timelines: Timeline[]; // of k6, the stub, and targets with a process
}

// A Distribution belongs to one target in one scenario. It has the curves of Curves; one without values is
// nil.
export interface Distribution {
  target: string;
  scenario: string; // with level
  curves: Record<string, MaybeCurve>; // by name
}

// Asked is what a run shall do. Commands fill it in, the load obeys it, and records keep it.
export interface Asked extends LoadChange {
  quick: boolean; // scenarios are shortened
  solo: boolean; // each target is loaded alone, one after the other
  load_ms: number; // of each level side by side; 0: from the scenario
  rounds: number;
  once?: boolean; // a comparison is judged once, after all rounds
  shared_by?: number; // servers that share the false-alarm rate of a comparison; 0: one
  seed: number;
}

// A LoadHost is a second machine, which loads the servers of a Host. Null is unknown.
export interface LoadHost {
  cpu: string | null;
  cores: number;
  memory_bytes: number | null;
  os: string | null;
  kernel: string | null;
  k6: number; // how many share the load
  link_mbit: number | null; // speed of the network card here, per second
}

// A Timeline has a value for each second. First is the end of the first second after the begin of the first
// slice. nil is a second without a sample.
export interface Timeline {
  process: string;
  first: number;
  cpu_pct: (number | null)[]; // of one core; pidstat counts ticks of 10 ms
  rss_kib: (number | null)[];
}

// A Curve is a distribution of durations in microseconds. It starts with count, mean, minimum and maximum.
// Then follows the bucket of each quantile of levels(count), as the difference to the bucket before. nil
// counts nothing.
export type MaybeCurve = number[] | null;

// A LoadChange says how a load differs from the usual one. All targets of a run get the same.
export interface LoadChange {
  slice_ms: number; // of each slice; 0: from the scenario
  vu_divisor?: number; // divides the VUs of levels side by side; 0 leaves all
  rate_per_s?: number; // requests to each target where load is paced; 0: from the scenario
}

