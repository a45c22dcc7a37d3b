// Package site turns the history of main into the files that the site reads:
// facts in, files out. The types in form.go are those files' forms.
//
// It is pure: it runs nothing, asks no clock and reads what an fs.FS gives; the same
// facts make the same bytes, in whatever order they are listed. Nothing that it
// writes is committed, all of it can be made again. It judges nothing: verdicts are
// those of events/, ranks those of package report.
//
//	data/manifest.json                       the only name that does not change; all others have a hash of their bytes
//	data/s/SCENARIO/METRIC.HASH.json         a series: a point a commit and server, and its noise
//	data/leaderboard.HASH.json                      one for each of the newest 50 runs of all servers together
//	data/commits, runs, ranks, events, health, proven  .HASH.json each
//	runs/….jsonl.gz, ….leaderboard.jsonl.gz         what the rounds say together (type Figures), then the facts as pages read them (type Trend run of package archive)
//	events/….json                             verdicts with all of their cells (type Event of package history)
//	details/….json.gz                        timelines and distributions (type Details of package details)
//
// Build goes in steps. Each is a function: it takes what it needs and returns what it makes.
// load reads the runs, order puts them into places, index makes the history of these,
// readEvents reads the verdicts, newestLeaderboards the leaderboards, copyLeaderboards copies what belongs
// to a run, and write writes the rest. Steps that read files also return those that they could not read.
//
// A commit's place is its index in the history: commits that have a run, in main's
// order of first parents, oldest 0. Those that git does not know stand, by the begin of
// their runs, before the first later one that it knows. Runs on somebody's own
// machine have a row each, as if each were a commit of its own: two runs of one
// working copy are two points.
//
// A point is the median over the rounds of a commit in which a metric is known and no
// stream failed. Where a commit has several runs, a server's newest counts, of those
// in the epoch of the commit's newest. Shortened runs (-quick) have no points.
package site
