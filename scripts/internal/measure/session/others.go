package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// otherLoad names a k6 that another command runs on this machine; "" means that there is none. The lock of a
// checkout cannot tell, because the other may have a checkout of its own.
func otherLoad(proc string) string {
	names, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "comm")) // the pattern is well formed
	for _, name := range names {
		if comm, err := os.ReadFile(name); err != nil || string(comm) != "k6\n" {
			continue
		}
		dir := filepath.Dir(name)
		args, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if words := bytes.Split(args, []byte{0}); err == nil && len(words) > 1 && string(words[1]) == "run" {
			return fmt.Sprintf("process %s, %s", filepath.Base(dir), words[0])
		}
	}
	return ""
}
