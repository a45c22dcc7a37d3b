// Package pipeline holds the tests of .github, and no other code. Static ones
// read the files: actionlint, zizmor, and rules of our own for what neither
// knows. The others start the workflows with act on this machine, as they are but
// for one key that act refuses, with a fake GitHub on loopback and stand-ins for
// the actions and for the load. ACTIONS_DIR may name a directory with real
// actions, each in OWNER_NAME@40HEX, to be used in place of the stand-ins.
//
// act knows no permissions, concurrency, timeouts and path filters: those
// are for the static tests. What needs GitHub itself (tokens, queues, the
// deployment of pages) is not tested.
package pipeline
