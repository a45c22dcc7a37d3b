package services

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairstream/scripts/internal/workload"
)

// Programs are the paths of the services' programs.
type Programs struct{ Initdb, Postgres, Redis string }

// debian is where Debian's packages of PostgreSQL have their programs.
var debian = "/usr/lib/postgresql/*/bin"

// Packages are those of Debian, by a program that they have.
var Packages = map[string]string{"initdb": "postgresql", "redis-server": "redis-server"}

// Find looks for the programs. The error says how to install what is missing.
func Find(needs workload.Needs) (p Programs, err error) {
	p = Programs{Path("initdb"), Path("postgres"), Path("redis-server")}
	var missing []string
	for _, of := range []struct {
		name, path string
		needed     bool
	}{{"initdb", p.Initdb, needs.Postgres}, {"postgres", p.Postgres, needs.Postgres}, {"redis-server", p.Redis, needs.Redis}} {
		if of.path == "" && of.needed {
			missing = append(missing, of.name)
		}
	}
	if missing != nil {
		err = fmt.Errorf("%s: not found; a server needs PostgreSQL or Redis; install both: sudo apt-get install postgresql redis-server", strings.Join(missing, ", "))
	}
	return p, err
}

// Path looks for a program in PATH, and where Debian has those of PostgreSQL; "" without any.
func Path(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	all, err := filepath.Glob(filepath.Join(debian, name))
	if err != nil || len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return all[len(all)-1] // the newest, if there are several
}

// unprivileged returns the words that run a command as a user without rights, who gets the files. PostgreSQL refuses to
// run as root, and nothing here needs root. Other users stay what they are.
func unprivileged(files ...string) ([]string, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(nobody.Gid)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := os.Chown(f, uid, gid); err != nil {
			return nil, err
		}
	}
	return []string{"setpriv", "--reuid=" + nobody.Uid, "--regid=" + nobody.Gid, "--clear-groups"}, nil
}
