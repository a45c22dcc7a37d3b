package branch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/measure/revision"
	"fairstream/scripts/internal/workload"
)

// filesAt lists those below a directory of a revision. Records of another edition are an error.
func filesAt(ctx context.Context, root, ref, dir string) ([]string, error) {
	all, err := revision.Files(ctx, root, ref, dir)
	if err == nil && len(all) > 0 {
		var text []byte
		text, err = revision.File(ctx, root, ref, record.EditionPath)
		err = cmp.Or(err, record.CheckEdition(Branch, text))
	}
	if err != nil {
		err = fmt.Errorf("history: %w", err)
	}
	return all, err
}

// Published lists the commits in a commit's history whose records lie in runs/ of a revision, newest first.
// Quick runs, failed servers and unreadable files do not count. say is called with each unreadable file.
func Published(ctx context.Context, root, ref, commit string, say func(string)) ([]plan.PublishedCommit, error) {
	files, err := filesAt(ctx, root, ref, "runs")
	if err != nil {
		return nil, err
	}
	of := map[string][]string{}
	for _, file := range files {
		if hash, _, ok := strings.Cut(path.Base(file), "-"); ok && record.IsCommit(hash) && !strings.HasSuffix(file, ".leaderboard.jsonl") {
			of[hash] = append(of[hash], file)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	history, err := revision.History(ctx, root, commit)
	if err != nil {
		return nil, err
	}
	history = slices.DeleteFunc(history, func(commit string) bool { return of[commit] == nil })
	var all []plan.PublishedCommit
	var texts map[string][]byte // per block of commits, since callers read neighbours next
	read := -1
	for i, commit := range history {
		all = append(all, plan.PublishedCommit{Commit: commit, Servers: func(ctx context.Context) (servers []workload.Server, err error) {
			if block := i / atOnce; block != read {
				var files []string
				for _, commit := range history[block*atOnce : min(len(history), (block+1)*atOnce)] {
					files = append(files, of[commit]...)
				}
				if texts, err = revision.Texts(ctx, root, ref, files); err != nil {
					return nil, err
				}
				read = block
			}
			for _, file := range of[commit] {
				text, ok := texts[file]
				of, err := serversIn(text)
				if !ok {
					err = errors.New("no regular file")
				}
				if err != nil {
					say(fmt.Sprintf("%s on %s cannot be read, and counts as not published: %v", file, ref, err))
					continue
				}
				servers = append(servers, of...)
			}
			return servers, nil
		}})
	}
	return all, nil
}

// atOnce is the number of commits whose files one git process reads. Ten thousand processes would take
// minutes.
const atOnce = 100

// serversIn lists the servers with figures in a run's file. A failed server has nothing to compare.
func serversIn(text []byte) (servers []workload.Server, err error) {
	records, err := record.Read(bytes.NewReader(text))
	for _, r := range records {
		if s := r.ID(); r.Status != record.Invalid && !r.Run.Quick && r.OfServer() && !slices.Contains(servers, s) {
			servers = append(servers, s)
		}
	}
	return servers, err
}
