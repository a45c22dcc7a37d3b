// Package pipeline holds the tests of .github, and no other code. Static ones
// read the files: actionlint, zizmor, and rules of our own for what neither
// knows. The others start the unmodified workflows with act on this machine, with
// a fake GitHub on loopback and stand-ins for the actions and for the load.
//
// act knows no permissions, concurrency, timeouts and path filters: those
// are for the static tests. What needs GitHub itself (tokens, queues, the
// deployment of pages) is not tested.
package pipeline
