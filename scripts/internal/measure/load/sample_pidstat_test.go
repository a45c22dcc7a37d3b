package load

import (
	"strings"
	"testing"
)

func TestPidstatSamplesProcessesOnceASecond(t *testing.T) {
	got := strings.Join(PidstatArgs([]int{7, 12, 3}), " ")
	if want := "pidstat -u -r -h -H -p 7,12,3 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
