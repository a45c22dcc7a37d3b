package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// PeopleFile lists who may start a workflow by hand. It is a file of main, so that it changes by review.
const PeopleFile = ".github/dispatchers"

// loginForm includes the logins of companies, which have an underscore.
var loginForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$`)

// ReadPeople reads the logins in PeopleFile, one a line. A missing file has none. A line that cannot be a
// login is an error, since a slip would else let everybody in.
func ReadPeople(root string) (logins []string, err error) {
	text, err := os.ReadFile(filepath.Join(root, PeopleFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		login, _, _ := strings.Cut(line, "#")
		if login = strings.TrimSpace(login); login == "" {
			continue
		}
		if !loginForm.MatchString(login) {
			return nil, fmt.Errorf("plan: %s: %.60q cannot be a login; want one login a line", PeopleFile, login)
		}
		logins = append(logins, login)
	}
	return logins, err
}

// mayStart returns an error unless all these people may start a workflow by hand. Somebody else may have
// started the run again.
func (at Place) mayStart(logins ...string) error {
	for _, login := range logins {
		listed := slices.ContainsFunc(at.People, func(known string) bool { return strings.EqualFold(known, login) })
		if len(at.People) > 0 && !listed {
			return fmt.Errorf("plan: %.60q may not start this workflow; %s lists who may", login, PeopleFile)
		}
	}
	return nil
}
