// Made from the types of Go by `go test ./internal/show/site -run TypesOfThePages -update`; do not edit.

/** A Manifest names everything else. Its file is the only one that changes under its name. */
export interface Manifest {
  schema: number;
  workload: string; // Workload is the one that the rest is about. Each has a manifest: commits, runs and epochs of its own. That of the first with data is the file data/manifest.json, which lists all.
  workloads: Workload[]; // in the file data/manifest.json alone
  newest: string | null; // begin of the newest record; null: no history
  repository: string | null; // https://github.com/OWNER/NAME
  history: string | null; // commit of the branch with the facts
  commits: CommitFile;
  own: OwnRun[]; // a row each, newest first; of a published site none
  comparisons: ComparisonRow[]; // Comparisons on somebody's own machine, newest first; of a published site none. They have no points and no ranks.
  servers: Server[]; // by name
  scenarios: string[];
  metrics: Metric[];
  columns: Record<string, string[]>; // Columns are the metrics of the table of a scenario, by its name without a level.
  epochs: Epoch[];
  cuts: [number, number][]; // where the epoch changes: a commit, and its epoch's place; the first is commit 0
  series: Record<string, string>; // "SCENARIO/METRIC": its file
  headlines: Headline[];
  health: string; // files
  leaderboard: string | null; // the first of Leaderboards
  leaderboards: string;
  events: string;
  runs: string;
  proven: string | null;
  broken: Broken[];
  tie_rule: string; // when servers are tied, in sentences
}

/** Commits has all of them, in columns. Null is unknown. */
export interface Commits {
  schema: number;
  sha: string[]; // 10 hex; of a local run, of its id
  run: (string | null)[]; // newest that is not quick: its files are runs/RUN.jsonl.gz, details/RUN.json.gz, events/RUN.json
  time: (number | null)[]; // unix seconds
  subject: (string | null)[];
  author: (string | null)[];
  epoch: number[]; // places in Manifest.Epochs
  quick: number[]; // 1: it has shortened runs only
}

/** A Series is a metric in a scenario. A server without a point in it is left out. */
export interface Series {
  schema: number;
  series: string; // SCENARIO/METRIC
  servers: Record<string, Column>;
  noise: Record<string, [number, number, number][]>; // Noise, by server: an epoch's place; 1.96 sd of a run's figure for unchanged code; the number of differences of consecutive points. The noise is in per cent, or in the unit of an absolute metric.
}

/** Health is what the newest run of main says; where all are somebody's own, the newest of them. */
export interface Health {
  schema: number;
  commit: number | null; // place of the newest with points; null: none
  run: string | null;
  headlines: HeadlineHealth[];
  open: string[]; // ids of events that regressed, were confirmed and not accepted
  missing: string[]; // servers that the commit before had and the newest has not
  failed: Failure[];
  warning: Failure[];
}

/** Runs has all runs, the newest first. */
export interface Runs {
  schema: number;
  runs: RunRow[];
}

/** Events are the verdicts that say of something that it changed, newest first. */
export interface Events {
  schema: number;
  events: Event[];
  others: Record<string, number>; // how many events with other verdicts there are; they are in events/
}

/** Leaderboards are the newest runs of all servers together, at most 50: first those of somebody's own machine, last those that were shortened. */
export interface Leaderboards {
  schema: number;
  leaderboards: LeaderboardName[];
}

/** A Leaderboard is a run in which all servers were loaded in the same minutes. */
export interface Leaderboard {
  schema: number;
  commit: number | null;
  run: string;
  time: string;
  epoch: number; // place; -1: no commit of that epoch has points
  rounds: number;
  quick: boolean; // it was shortened, and measures little
  solo: boolean; // each target was loaded alone, minutes from the others
  conditions: string; // the machine's conditions in words
  columns: string[]; // metrics
  tables: LeaderboardTable[]; // a scenario each
  rankings: Ranking[];
}

/** A Comparison is what the pages show of base against head: the verdicts in the words of `scripts/bench replay`, with the figures of the rounds that count. */
export interface Comparison {
  schema: number;
  run: string; // its id
  quick: boolean;
  verdicts: ServerVerdict[]; // by server
}

/** Proven is what trials of known truth say of this machine's verdicts. */
export interface Proven {
  schema: number;
  tables: ProvenTable[];
}

/** A Figures is the first line of a run's file, before the records: what the rounds say together. Pages show these and work none out. */
export interface Figures {
  figures: number; // the version of this line
  metrics: string[];
  rows: FigureRow[];
}

/** A Record holds the figures of one target in one round and scenario. */
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
}

/** Details are the reduced details of a run. */
export interface Details {
  schema: number;
  workload: string;
  k6_runs: K6Run[]; // of the first round, in order
  distributions: Distribution[];
}

/** A WorkloadForm is a workload with data, in the list of them. */
export interface Workload {
  name: string;
  unit: string; // "stream" or "request"
  upstream: boolean; // its servers ask the stub; without, direct is a lower bound
  cost_of: string; // what its cost is the cost of: "stream", "megabyte"
  scenarios: string[];
  curves: string[]; // names of its distributions
  headlines: Headline[];
  file: string | null; // its manifest; null: data/manifest.json
  does: string; // what its servers do
  checks: number; // of its contract; 0: unknown
  shapes: Shape[]; // its scenarios in words
  comparisons: ComparisonRow[]; // as in its manifest: every page shows all
}

/** A CommitFile is that of Commits. */
export interface CommitFile {
  count: number; // commits
  file: string;
}

/** An OwnRun is one of somebody's own machine, in place of a commit's. */
export interface OwnRun {
  run: string;
  text: string; // commands of the run
  time: string; // its begin
  quick: boolean;
  failed: string[]; // servers that have no figures in some scenario
}

/** A ComparisonRow is a comparison on somebody's own machine. */
export interface ComparisonRow {
  run: string; // local/ID
  text: string; // server and revisions
  time: string; // its begin
  quick: boolean;
  details: boolean; // details/RUN.json.gz is there
  file: string; // its Comparison
  verdicts: VerdictRow[];
}

/** A Server is one that was ever measured. */
export interface Server {
  workload: string;
  name: string;
  language: string;
  framework: string;
  was: string[]; // older names
  first: number; // commits in which it has points; -1: in none
  last: number;
}

/** A Metric is one of record.Table, of the workload. Scale is by what a value is multiplied to be shown. */
export interface Metric {
  name: string;
  label: string;
  unit: string;
  better: 'higher' | 'lower' | ''; // higher, lower or ""
  means: string;
  scale: number;
  over: string | null; // the same over, or added to, direct or the rig
  absolute?: boolean; // Absolute metrics may be 0 or less: their changes and noise are in their unit, not per cent.
}

/** An Epoch is what records share that may be compared: machine, rig, placement, schema. First and Last are commits; another epoch may lie between. */
export interface Epoch {
  id: string;
  text: string;
  rig: string;
  placement: string;
  first: number;
  last: number;
}

/** A Headline is a series that stands for the rest. */
export interface Headline {
  scenario: string;
  metric: string;
}

/** A Broken is an unreadable file of the history or of gh-pages/accepted. The site leaves it out. */
export interface Broken {
  file: string;
  why: string;
}

/** A Column is a server's points, a place a commit, in the metric's unit. */
export interface Column {
  m: (number | null)[]; // null: not measured
  l: (number | null)[]; // the least round
  h: (number | null)[]; // the greatest round
  s: (0 | 1 | 2)[]; // Good, Warning or Absent
}

/** A HeadlineHealth is a headline's newest point of each server. */
export interface HeadlineHealth {
  scenario: string;
  metric: string;
  servers: Record<string, Pulse>;
}

/** A Failure is a server whose newest records are invalid, or have a warning, in a scenario. Why comes from the records: text from outside. */
export interface Failure {
  server: string;
  scenario: string;
  why: string[];
}

/** A RunRow says what there is of a run. */
export interface RunRow {
  run: string; // YYYY/MM/SHA10-RUNID-ATTEMPT, or local/ID
  commit: number;
  time: string; // its begin
  servers: string[]; // of its trend runs
  trend_runs: boolean; // runs/RUN.jsonl.gz is there
  leaderboard: boolean; // runs/RUN.leaderboard.jsonl.gz
  events: boolean; // events/RUN.json
  details: boolean; // details/RUN.json.gz
  quick: boolean;
}

/** An Event is an entry in main's history. Its id stays when it is found again. */
export interface Event {
  id: string;
  workload: string;
  server: string;
  base: string; // 40 hex
  head: string;
  from: number | null; // their places; null: not in the history
  at: number | null;
  gradual: boolean;
  run: string; // of the workflow: 123-1
  path: string; // events/PATH.json has all cells
  verdict: Verdict;
  confirmed: boolean;
  rounds: number;
  discarded: number;
  time: string | null; // the begin of its run, else of the head commit
  cells: Cell[]; // that changed
  accepted: Accepted | null;
  now: Now | null; // null: cannot be said
  fixed: string | null; // 40 hex: the commit that regained the last loss
}

/** A LeaderboardName says where a Leaderboard is. */
export interface LeaderboardName {
  run: string;
  time: string; // its begin
  quick: boolean;
  file: string;
}

/** A Table has a row for each target, direct last. */
export interface LeaderboardTable {
  scenario: string;
  rows: LeaderboardRow[];
}

/** A Ranking orders the servers of one scenario by one metric; Why says why there is none. */
export interface Ranking {
  scenario: string;
  metric: string;
  rounds: number;
  apart_pct: number | null; // in the median pair, two that differ by less are tied; null: too few rounds for ranks
  why: string;
  sentence: string;
  tie: string; // which servers are tied, as a sentence
  ranked: Ranked[];
  unranked: string[]; // servers that miss a round or have failed streams
}

/** A ServerVerdict is the verdict on one server. */
export interface ServerVerdict {
  workload: string;
  server: string;
  base: string | null; // commits; null: a changed working copy
  head: string | null;
  verdict: Verdict;
  headline: string;
  load: string; // its difference to the usual load, and how it is judged, in sentences; "": none
  alpha_pct: number; // the false-alarm rate
  rounds: number[]; // that count
  discarded: string[]; // discarded rounds, with the reason
  cells: CellResult[]; // as the table of the terminal
  requests: RequestRow[]; // Requests is its table of requests by name, and MoreRequests how many it leaves out.
  more_requests: number;
}

/** A Table shows one aspect of trials. */
export interface ProvenTable {
  title: string;
  head: string[];
  rows: string[][];
  note: string;
}

/** A FigureRow is a target in a scenario. */
export interface FigureRow {
  target: string; // with its side in a comparison: go-http@base
  scenario: string;
  cells: ([number, number, number, number] | null)[]; // For each metric the mean (record.Mean), the least and the greatest of the rounds that count, in the metric's unit, and the number of rounds; null: unknown.
}

/** A Run holds what all records of a run share. */
export interface RunFacts extends Asked {
  id: string;
  commit: string | null; // null: unknown
  dirty: boolean | null; // the checkout differed from the commit
  placement: string;
  rig: string; // hash of the sources of k6, its scripts and the stub
}

/** A Host is the machine, as far as it stays the same between runs. Null is unknown. */
export interface Host {
  cpu: string | null;
  cores: number;
  memory_bytes: number | null;
  os: string | null;
  kernel: string | null;
}

/** Conditions describe the machine and the rig in the record's slices. Side by side, all targets have the same. null is unknown. */
export interface Conditions {
  load_before: number | null; // load average of the minute before the k6 run
  steal_pct: number | null; // of all cores, taken by other virtual machines
  others_pct: number | null; // of all cores, used by other programs
  disturbed: string[] | null; // Disturbed lists the reasons that are the machine's or the rig's fault. Such a round may be measured again. Each reason stands in Why too.
}

/** A Server is a server of a run, or one side of it in a comparison. */
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
  margins?: Record<string, number>; // Margins are the server's own, by the names of its server.json, in per cent. LeftOut are the requests of head that base does not answer as head wants; neither side got them.
  left_out?: string[];
  requests_dropped?: string[]; // Dropped, Added and Changed are of head: how its requests differ from those of base's server.json. A request with another weight is changed.
  requests_added?: string[];
  requests_changed?: string[];
}

/** Status says whether the figures of a record are usable. */
export type RecordStatus = 'ok' | 'warning' | 'invalid';

/** A Request has figures of the requests of one name, such as "GET /search". CPU time and memory have no such parts. */
export interface RequestFigures {
  name: string;
  requests: number; // complete
  failed: number;
  p50_ms: number | null; // null: no request was complete, or the record is invalid
  p95_ms: number | null;
  share_pct: number; // of the time of all complete requests
}

/** A K6Run is one run of k6. */
export interface K6Run {
  scenario: string; // ranking or compare; of older runs one without level
  round: number;
  target: string; // its target in a solo run, else ""
  levels: string[]; // those of a ranking are called as records; "" without levels; with raw.WarmUp
  targets: string[];
  slices: number[][];
  timelines: Timeline[]; // of k6, the stub, and targets with a process
}

/** A Distribution belongs to one target in one scenario. It has the curves of Curves; one without values is nil. */
export interface Distribution {
  target: string;
  scenario: string; // with level
  curves: Record<string, MaybeCurve>; // by name
}

/** A Shape is a scenario in words. */
export interface Shape {
  name: string;
  levels: string[];
  load: string;
  shows: string;
}

/** A VerdictRow is a verdict in a sentence. */
export interface VerdictRow {
  server: string;
  verdict: Verdict;
  headline: string;
}

/** A Pulse is a server's newest point and what came before. */
export interface Pulse {
  at: number; // commit
  m: number; // Low and High as in a Column
  l: number;
  h: number;
  s: 0 | 1 | 2;
  change: number | null; // to the median of up to 20 earlier points of the epoch, per cent; null: there are none
  of: number; // how many
  noise: number | null; // of this epoch, as in a Series
  inside: boolean | null; // the change is within the noise; null: one of them is not known
  spark: (number | null)[]; // Mid of the newest 50 commits; null, too, in another epoch than At's
}

/** An EventCell is the result of a cell. Changes are shares of base, or differences in the metric's unit for absolute metrics. Base and head are means of the rounds. */
export interface Cell {
  scenario: string;
  levels?: string[]; // that the cell combines
  metric: string;
  verdict: Verdict;
  base: number;
  head: number;
  change: number;
  low: number; // 95 % interval
  high: number;
  rounds: number;
}

/** Accepted is the acceptance of an event's regressions: of all of them, or of some cells. */
export interface Accepted {
  by: string;
  why: string;
  until: string | null;
  since: string; // 40 hex
  file: string;
  cells: number; // regressed cells that it covers
  all: boolean; // it covers every regressed cell
}

/** Now compares the newest figures with those from before an event. */
export interface Now {
  change: number; // share of the earlier value
  inside: boolean; // runs of the same code differ by as much
}

/** A Row is a target in a scenario. */
export interface LeaderboardRow {
  target: string;
  language: string;
  framework: string;
  versions: Record<string, string>;
  status: RecordStatus; // the worst of its records: ok, warning, invalid
  why: string[]; // text from outside
  cells: ([number, number, number] | null)[]; // a column each: mean, least and greatest of the rounds; null: unknown
}

/** A Ranked server is somewhere between its best and its worst rank. */
export interface Ranked {
  server: string;
  best: number; // 0: too few rounds for ranks
  worst: number;
  ratio: number; // to the first
  low: number | null; // interval of the ratio
  high: number | null;
}

/** A Verdict is the result for a cell or a server. */
export type Verdict = 'regressed' | 'improved' | 'unchanged' | 'no large change' | 'inconclusive' | 'not measured' | 'identical';

/** A CellResult is a row of that table, and what a chart of it needs. */
export interface CellResult extends Row {
  name: string; // of the metric
  decides: string; // the subject that it decides on, such as "CPU"; "": none
  verdict: Verdict;
  leaning: 'worse' | 'better' | ''; // of an inconclusive cell: worse, better or ""
  effect: Effect | null; // null: not measured
  values: ([number, number] | null)[]; // Values are the figures of base and head in each of the rounds that count, in the unit of the label; null: unknown.
}

/** A RequestRow is the latency of the requests of one name, as tables show it. */
export interface RequestRow {
  name: string;
  share: string; // of base's time
  metric: string; // its label
  base: string; // means of the rounds
  head: string;
  change: string;
  interval: string; // 95 %
  result: string;
}

/** Asked is what a run shall do. Commands fill it in, the load obeys it, and records keep it. */
export interface Asked extends LoadChange {
  quick: boolean; // scenarios are shortened
  solo: boolean; // each target is loaded alone, one after the other
  load_ms: number; // of each level side by side; 0: from the scenario
  rounds: number;
  once?: boolean; // a comparison is judged once, after all rounds
  shared_by?: number; // servers that share the false-alarm rate of a comparison; 0: one
  seed: number;
}

/** A Timeline has a value for each second. First is the end of the first second after the begin of the first slice. nil is a second without a sample. */
export interface Timeline {
  process: string;
  first: number;
  cpu_pct: (number | null)[]; // of one core; pidstat counts ticks of 10 ms
  rss_kib: (number | null)[];
}

/** A Curve is a distribution of durations in microseconds. It starts with count, mean, minimum and maximum. Then follows the bucket of each quantile of levels(count), as the difference to the bucket before. nil counts nothing. */
export type MaybeCurve = number[] | null;

/** A Row is a cell as tables show it: every figure is text. */
export interface Row {
  scenario: string;
  metric: string; // its label
  base: string; // means of the rounds; "" where it was not measured, as in the next three
  head: string;
  change: string;
  interval: string; // 95 %
  result: string;
}

/** An Effect is a change with its 95 % interval, beside the margin that a cell must exclude to count as unchanged. All are shares of base, or in Unit. */
export interface Effect {
  change: number;
  low: number;
  high: number;
  margin: number;
  unit: string; // "": shares of base
}

/** A LoadChange says how a load differs from the usual one. All targets of a run get the same. */
export interface LoadChange {
  slice_ms: number; // of each slice; 0: from the scenario
  vu_divisor?: number; // divides the VUs of levels side by side; 0 leaves all
  rate_per_s?: number; // requests to each target where load is paced; 0: from the scenario
}

