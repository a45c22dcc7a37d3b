package sample

import (
	"strconv"
	"strings"
)

// PidstatArgs is the command line that samples processes once a second, until
// it is ended by SIGINT. -h puts a process on a line, -H writes Unix seconds;
// JSON output exists only from sysstat 12.7.7 on.
func PidstatArgs(pids []int) []string {
	var list []string
	for _, pid := range pids {
		list = append(list, strconv.Itoa(pid))
	}
	return []string{"pidstat", "-u", "-r", "-h", "-H", "-p", strings.Join(list, ","), "1"}
}

// PidstatEnv keeps decimal points and column names the same everywhere.
var PidstatEnv = []string{"LC_ALL=C"}
