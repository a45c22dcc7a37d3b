// Package site turns the history of main into the files that the site reads:
// facts in, files out. The types in form.go are those files' forms.
//
// It is pure: it runs nothing, asks no clock, and reads only an fs.FS. The same facts
// make the same bytes, in whatever order they are listed. Its output is never committed,
// since it can be made again. It judges nothing: verdicts come from events/, ranks from
// package rank.
//
//	index.html, history/, comparisons/, method/, run/     the pages (package page); run/ is drawn by a script
//	results/RUN/, comparisons/…/                          older runs of all servers, and comparisons: a page for each of the newest 50
//	latest.json, latest.csv, badge.json, picture.svg      the newest results, for other programs (type Latest)
//	history/SCENARIO/METRIC.json                          a series: a point a commit and server, and its noise
//	history/SCENARIO/METRIC/SERVER.svg                    its picture, with one server among the others
//	WORKLOAD/…                                            the same of each other workload
//	trend/, leaderboard/, regressions/, tworuns/, charts/ old addresses, which lead on
//	data/manifest.json                                    what the page of a run reads; it names the files below
//	data/manifest/WORKLOAD.HASH.json                      the same of each other workload
//	data/commits, runs, events  .HASH.json
//	runs/….jsonl.gz, ….leaderboard.jsonl.gz               what the rounds say together (type Figures), then the records
//	events/….json                                         verdicts with all of their cells (type Event of package verdict)
//	details/….json.gz                                     timelines and distributions (type Details of package record)
//
// Build writes the data in steps. Each is a function: it takes what it needs and returns what it makes.
// load reads the runs, order puts them into places, and index makes the history of these.
// readEvents reads the verdicts, newestResults the runs of all servers, and ownComparisons what somebody compared. write writes
// the rest. Steps that read files also return the files that they could not read. Pages then writes the pages.
//
// Each workload has a history, and so a manifest, of its own. Nothing is compared across two. A
// run of main may have servers of several workloads: it is then a run of each. Its path ends in
// .WORKLOAD, except that of the first workload.
//
// A commit's place is its index in the history of a workload: commits with a run, in main's order of
// first parents, oldest 0. A commit that git does not know stands, by the begin of its
// run, before the first later one that git knows. Runs on somebody's own machine have a
// row each, like commits: two runs of one working copy are two points.
//
// A point is the mean of the rounds of a commit, without rounds in which the metric
// is unknown or requests failed. If a commit has several runs, the newest run of a server
// counts, within the epoch of the commit's newest run. Shortened runs (-quick) have no points.
package site
