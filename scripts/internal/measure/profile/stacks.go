package profile

import (
	"regexp"
	"strings"
)

// Stacks counts the stacks in the output of perf script: a line for each frame, the innermost first, and an empty line after each
// sample. A stack is its functions from the outermost on, with ";" between.
func Stacks(text, dir string) map[string]int64 {
	all := map[string]int64{}
	var frames []string
	kernel := "" // the part of the stack in the kernel, as one row
	flush := func() {
		if kernel != "" {
			frames = append([]string{kernel}, frames...)
		}
		if len(frames) > 0 {
			var stack strings.Builder
			for i := len(frames) - 1; i >= 0; i-- {
				if stack.Len() > 0 {
					stack.WriteByte(';')
				}
				stack.WriteString(frames[i])
			}
			all[stack.String()]++
		}
		frames, kernel = nil, ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			flush()
			continue
		}
		_, rest, _ := strings.Cut(line, " ") // behind the address
		symbol, object := rest, ""
		if i := strings.LastIndex(rest, " ("); i >= 0 && strings.HasSuffix(rest, ")") {
			symbol, object = rest[:i], rest[i+2:len(rest)-1]
		}
		if inKernel(object) {
			kernel = kernelRow(kernel, symbol)
			continue
		}
		name := functionName(symbol, object, dir)
		if n := len(frames); n == 0 || frames[n-1] != name { // recursion, and rows such as "in JavaScript"
			frames = append(frames, name)
		}
	}
	flush()
	return all
}

func inKernel(object string) bool {
	return strings.HasPrefix(object, "[kernel") || strings.HasPrefix(object, "[guest.kernel") || strings.HasSuffix(object, ".ko")
}

var syscallForm = regexp.MustCompile(`^__(?:x64|arm64|se|do)_sys_(\w+)$`)

// kernelRow names the part of a stack in the kernel by its syscall, where the kernel shows it. before is what inner frames said.
func kernelRow(before, symbol string) string {
	if m := syscallForm.FindStringSubmatch(symbol); m != nil {
		return "kernel: " + m[1]
	}
	if before == "" {
		return "kernel"
	}
	return before
}

var (
	// V8 says how a function was compiled.
	tier = regexp.MustCompile(`^(?:LazyCompile|Function|JS|Script|Eval|RegExp|Interpreter):\s?[*~^+']?`)
	// Rust's legacy names end with a hash, which differs between builds.
	rustHash = regexp.MustCompile(`::h[0-9a-f]{16}$`)
	// place is where V8 found a function: line and column, which change with each edit.
	place = regexp.MustCompile(`:\d+(?::\d+)?$`)
)

// unnamed is the row of code that a runtime made and did not name.
const unnamed = "in JavaScript"

// functionName is the same at base and head: without their directories, tiers, hashes and lines.
func functionName(symbol, object, dir string) string {
	if symbol == "[unknown]" || symbol == "" {
		if strings.HasPrefix(object, "//anon") || strings.HasPrefix(object, "[anon") || strings.HasPrefix(object, "/memfd:") || strings.HasPrefix(object, "/tmp/perf-") || object == "[JIT]" {
			return unnamed
		}
		return "unknown (" + object[strings.LastIndexByte(object, '/')+1:] + ")"
	}
	name := tier.ReplaceAllString(symbol, "")
	if name != symbol {
		name = place.ReplaceAllString(name, "")
	}
	name = rustHash.ReplaceAllString(name, "")
	for _, prefix := range []string{"file://" + dir + "/", dir + "/"} {
		name = strings.ReplaceAll(name, prefix, "")
	}
	return strings.ReplaceAll(name, ";", ",") // it stands between functions
}
