// Package pipeline holds the tests of .github, and no other code. Static tests read the files with
// actionlint, zizmor, and rules of our own. The others start the workflows with act on this machine, with one
// key removed that act refuses. They use a fake GitHub on loopback, and stand-ins for the actions and for the
// load. ACTIONS_DIR may name a directory with real actions, each in OWNER_NAME@40HEX, which then replace the
// stand-ins.
//
// act knows no permissions, concurrency, timeouts and path filters: those
// are for the static tests. What needs GitHub itself (tokens, queues, the
// deployment of pages) is not tested.
//
// Tests of the runner need root. They start the gate in a process namespace, and boot a systemd with both
// lanes in namespaces of its own.
package pipeline
