package site

import (
	"io/fs"

	"fairstream/scripts/internal/judge/accept"
	"fairstream/scripts/internal/judge/details"
	"fairstream/scripts/internal/judge/prove"
	"fairstream/scripts/internal/judge/record"
)

// Facts are all that the site says something about.
type Facts struct {
	Files      fs.FS    // of the branch: runs/, details/ and flags/; nil: there is none
	History    string   // its commit; "": unknown
	Repository string   // https://github.com/OWNER/NAME; "": unknown
	Main       []Commit // its first parents, oldest first
	Acks       []accept.Ack
	Unread     error // names the files of Acks that cannot be read; nil: none
	// IsAncestor says whether a commit is in the history of another.
	IsAncestor func(commit, of string) (bool, error)
	Renamed    map[string]string // servers: old name to new
	Local      []Local
	Proven     []prove.Table
}

// A Commit is what is shown of one.
type Commit struct {
	Hash    string
	Time    int64 // of the committer, unix seconds
	Author  string
	Subject string
}

// A Local is a run on somebody's own machine; a pair is none, and has two records of
// what has one here.
type Local struct {
	Records []record.Record
	Details *details.Details // nil: there are none
}

// Out takes the files, by path; it is called from several goroutines.
type Out func(path string, data []byte) error
