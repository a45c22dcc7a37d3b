package version

import (
	"os"
	"regexp"
	"testing"
)

// The newest entry of the change log is that of the version.
func TestTheChangeLogHasTheVersion(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## (\S+)`).FindSubmatch(text)
	if newest == nil || string(newest[1]) != Version {
		t.Errorf("the newest entry of CHANGELOG.md is %q; want %s", newest, Version)
	}
}
