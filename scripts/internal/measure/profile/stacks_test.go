package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

const script = `
	  4a1b20 regexp.compile (/tmp/code/base/shop/bin/server)
	  4a1c00 regexp.MustCompile (/tmp/code/base/shop/bin/server)
	  5b2000 main.(*server).chat (/tmp/code/base/shop/bin/server)

	ffffffff81a0 tcp_sendmsg ([kernel.kallsyms])
	ffffffff81b0 __x64_sys_write ([kernel.kallsyms])
	ffffffff81c0 do_syscall_64 ([kernel.kallsyms])
	  4a9b20 internal/runtime/syscall.Syscall6 (/tmp/code/base/shop/bin/server)
	  5b2000 main.(*server).chat (/tmp/code/base/shop/bin/server)

	  7f001 LazyCompile:*chat file:///tmp/code/base/shop/server.js:12:7 (/tmp/perf-77.map)
	  7f002 Builtin: CallFunction (/tmp/perf-77.map)

	  7f003 [unknown] (//anon)
	  7f004 [unknown] (//anon)
	  7f005 WTF::run (/usr/bin/bun)

	  7f006 axum::handler::call::h0123456789abcdef (/tmp/code/base/shop/target/release/server)

	ffffffff81a0 [unknown] ([kernel.kallsyms])

`

// Stacks of base and head have the same names, and the kernel is one row.
func TestStacksAreCountedByTheirFunctions(t *testing.T) {
	got := Stacks(script, "/tmp/code/base/shop")
	var all []string
	for _, stack := range slices.Sorted(maps.Keys(got)) {
		all = append(all, fmt.Sprintf("%d %s", got[stack], stack))
	}
	want := []string{
		"1 Builtin: CallFunction;chat server.js",
		"1 WTF::run;in JavaScript",
		"1 axum::handler::call",
		"1 kernel",
		"1 main.(*server).chat;internal/runtime/syscall.Syscall6;kernel: write",
		"1 main.(*server).chat;regexp.MustCompile;regexp.compile",
	}
	if !slices.Equal(all, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
	if head := Stacks(strings.ReplaceAll(script, "/base/", "/head/"), "/tmp/code/head/shop"); !maps.Equal(got, head) {
		t.Errorf("head has other names: %v", head)
	}
}

// py-spy names the functions of Python by file and line. Lines change with each edit.
func TestStacksOfPySpy(t *testing.T) {
	got := spied("<module> (/tmp/code/base/s/server.py:90);chat (/tmp/code/base/s/server.py:12) 7\n<module> (/tmp/code/base/s/server.py:91);chat (/tmp/code/base/s/server.py:13) 3\nno count\n", "/tmp/code/base/s")
	if want := "<module> (server.py);chat (server.py)"; len(got) != 1 || got[want] != 10 {
		t.Errorf("%v", got)
	}
	for version, old := range map[string]bool{"3.11.7": true, "3.12.0": false, "3.9": true, "4.0": false, "": false, "x": false} {
		if Old(version) != old {
			t.Errorf("%q: %v", version, !old)
		}
	}
}
