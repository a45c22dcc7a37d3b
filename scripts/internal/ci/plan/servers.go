package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/workload"
)

// A Found is a server in a repository of other people.
type Found struct {
	Directory string `json:"directory"`
	Name      string `json:"name"`
	Server    string `json:"server"` // Dotted: workload and name
}

// Auto finds the servers of a repository by their server.json.
const Auto = "auto"

// A Finding is which servers an event is about.
type Finding struct {
	Revision string
	Base     string  // hash, branch or tag
	Touched  []Found // that the pull request touches, or that somebody named
	Others   []Found // that pass at once
	Trusted  bool    // the token may set statuses: the pull request is not from outside
	Say      string  // why nothing is found; "" otherwise
	Refusal  *Plan   // answers a comment that starts nothing; nil otherwise
}

// Find finds servers in directories, separated by commas or lines, or all with Auto. A pull request touches a server if it changes
// a file of its directory, or one outside of all servers' directories. Documents do not count. Nobody measures a merge group: its pull
// requests were measured.
func (at Elsewhere) Find(ctx context.Context, e Event, list string) (f Finding, err error) {
	if e.Name == "merge_group" {
		return at.findInGroup(ctx, e, list)
	}
	plan := Plan{Kind: Pull}
	pull, err := at.pull(ctx, e, &plan)
	if err != nil || plan.Say != "" {
		return refused(plan), err
	}
	f.Revision, f.Base = pull.Head.SHA, cmp.Or(at.Base, pull.Base.SHA)
	f.Trusted = Place{GitHub: at.GitHub}.outside(pull) == "" || plan.Run != ""
	all, err := at.all(ctx, f.Revision, list)
	if err != nil {
		return f, err
	}
	if len(at.named) > 0 {
		if f.Touched, err = named(all, at.named); err != nil {
			plan.Reply, plan.Pull, plan.Revision = true, pull.Number, f.Revision
			plan.Say = "`/benchmark` was not understood: " + strings.ReplaceAll(err.Error(), "`", "'")
			return refused(plan), nil
		}
		return f, nil
	}
	base := f.Base
	changed, known, err := at.Code.Changed(ctx, base, f.Revision)
	if err != nil {
		return f, err
	}
	before, err := at.Code.Files(ctx, base)
	if err != nil {
		return f, err
	}
	for _, s := range all {
		if !known || s.Server == "" || touches(s, all, before, changed) {
			f.Touched = append(f.Touched, s)
		} else {
			f.Others = append(f.Others, s)
		}
	}
	return f, nil
}

// refused is the finding of an event that asks for nothing. A comment gets an answer.
func refused(p Plan) Finding {
	f := Finding{Say: p.Say}
	if p.Reply {
		f.Refusal = &p
	}
	return f
}

func (at Elsewhere) findInGroup(ctx context.Context, e Event, list string) (f Finding, err error) {
	var p struct {
		Group struct {
			HeadSHA string `json:"head_sha"`
		} `json:"merge_group"`
	}
	if err := json.Unmarshal(e.JSON, &p); err != nil {
		return f, fmt.Errorf("plan: event: %w", err)
	}
	if !record.IsCommit(p.Group.HeadSHA) {
		return f, fmt.Errorf("plan: merge_group: head_sha %.60q; want a full hash", p.Group.HeadSHA)
	}
	f = Finding{Revision: p.Group.HeadSHA, Trusted: true}
	all, err := at.all(ctx, f.Revision, list)
	f.Others = slices.DeleteFunc(all, func(s Found) bool { return s.Server == "" }) // its pull request had no verdict either
	return f, err
}

// all are the servers of a commit in the directories of a list. Two of one workload and name get the names of their paths. One
// that cannot be read has no Server: its plan says so in its comment.
func (at Elsewhere) all(ctx context.Context, commit, list string) (all []Found, err error) {
	dirs := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' })
	if strings.TrimSpace(list) == Auto {
		files, err := at.Code.Files(ctx, commit)
		if err != nil {
			return nil, err
		}
		dirs = nil
		for _, file := range files {
			if path.Base(file) == server.File {
				dirs = append(dirs, path.Dir(file))
			}
		}
		if len(dirs) == 0 {
			return nil, InputError{fmt.Errorf("plan: %.10s has no %s; `scripts/bench init` of a server's directory writes one", commit, server.File)}
		}
	}
	var seen []string
	for _, dir := range dirs {
		if dir = strings.TrimSpace(dir); dir == "" {
			continue
		}
		of := at
		if of.Directory, err = directory(dir); err != nil {
			return nil, err
		}
		if slices.Contains(seen, of.Directory) {
			continue
		}
		seen = append(seen, of.Directory)
		plan := Plan{Revision: commit}
		id, err := of.server(ctx, &plan)
		if err != nil {
			return nil, err
		}
		if plan.Say != "" {
			all = append(all, Found{Directory: of.Directory, Name: workload.NameOfDirectory(of.Directory)})
			continue
		}
		all = append(all, Found{of.Directory, id.Name, id.Dotted()})
	}
	unique := slices.Clone(all)
	for i, s := range all {
		if slices.ContainsFunc(all, func(t Found) bool { return t.Server == s.Server && t.Directory != s.Directory }) {
			of, _, _ := strings.Cut(s.Server, ".")
			id := workload.Server{Workload: of, Name: workload.NameOfDirectory(s.Directory)}
			if err := id.Check(); err != nil {
				return nil, InputError{err}
			}
			unique[i].Name, unique[i].Server = id.Name, id.Dotted()
		}
	}
	for i, s := range unique {
		if j := slices.IndexFunc(unique, func(t Found) bool { return t.Name == s.Name }); j < i {
			return nil, InputError{fmt.Errorf("plan: %s and %s are both called %s; rename one of these directories", unique[j].Directory, s.Directory, s.Name)}
		}
	}
	return unique, nil
}

// directory checks the path of a server in its repository.
func directory(name string) (string, error) {
	name = path.Clean(name)
	if !directoryForm.MatchString(name) || strings.HasPrefix(name, "..") {
		return "", InputError{fmt.Errorf("plan: directory %.100q; want the path of the server in its repository, such as services/chat or . (a dot)", name)}
	}
	return name, nil
}

// touches reports whether changed files touch a server. A file in the directory of another server does not, if that server is among
// the files of base: a pull request cannot give a common directory a server, and so hide a change of it.
func touches(s Found, all []Found, before, changed []string) bool {
	return slices.ContainsFunc(changed, func(file string) bool {
		if in(file, s.Directory) {
			return true
		}
		document := path.Ext(file) == ".md" || strings.HasPrefix(file, ".github/")
		return !document && !slices.ContainsFunc(all, func(t Found) bool {
			return t.Directory != "." && in(file, t.Directory) && slices.Contains(before, path.Join(t.Directory, server.File))
		})
	})
}

func in(file, dir string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }

// named are the servers that somebody named, by name, by workload and name, or by directory.
func named(all []Found, names []string) (servers []Found, err error) {
	var known []string
	for _, s := range all {
		known = append(known, s.Name)
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(s Found) bool {
			return name == s.Name || name == s.Directory || strings.Replace(name, "/", ".", 1) == s.Server
		})
		if i < 0 {
			return nil, InputError{fmt.Errorf("plan: server %.60q: unknown; known are %s", name, strings.Join(known, ", "))}
		}
		if !slices.Contains(servers, all[i]) {
			servers = append(servers, all[i])
		}
	}
	return servers, nil
}
