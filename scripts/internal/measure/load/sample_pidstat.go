package load

import (
	"strconv"
	"strings"
)

// PidstatArgs is the command line that samples processes once a second until SIGINT. -h prints a process a
// line, and -H prints Unix seconds. JSON output exists only since sysstat 12.7.7.
func PidstatArgs(pids []int) []string {
	var list []string
	for _, pid := range pids {
		list = append(list, strconv.Itoa(pid))
	}
	return []string{"pidstat", "-u", "-r", "-h", "-H", "-p", strings.Join(list, ","), "1"}
}

// PidstatEnv fixes decimal points and column names.
var PidstatEnv = []string{"LC_ALL=C"}
