package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

// tracking checks whether the firewall tracks connections within the machine. The module alone does no harm:
// it tracks nothing unless a rule asks for it. Watch opens a connection, so that there is one to track.
func tracking(m *machine) seen {
	const count, table = "/proc/sys/net/netfilter/nf_conntrack_count", "/proc/net/nf_conntrack"
	all, err := m.number(count)
	switch {
	case missing(err) && m.exists("/proc/sys/net"):
		return seen{state: Fine, text: "not in this kernel, or not loaded"}
	case err != nil:
		return unknown(count, err)
	case all == 0:
		return seen{state: Fine, text: "loaded, and follows no connection"}
	}
	text, err := m.read(table)
	if err != nil {
		s := unknown(table, err)
		s.text = fmt.Sprintf("%d connections followed; whether any is within this machine: %s", all, s.text)
		return s
	}
	within := 0
	for line := range strings.Lines(text) {
		if strings.Contains(line, " src=127.0.0.1 ") && !strings.Contains(line, "[UNREPLIED]") {
			within++
		}
	}
	text = fmt.Sprintf("%d connections followed, %d of them within this machine", all, within)
	if within == 0 {
		return seen{state: Fine, text: text}
	}
	return seen{Fix, text, "sudo nft 'table inet quiet { chain in { type filter hook prerouting priority raw; iif lo notrack; }; " +
		"chain out { type filter hook output priority raw; oif lo notrack; }; }'"}
}

// usualPorts is the kernel's default number of ports for connections.
const usualPorts = 60999 - 32768 + 1

// ports checks whether enough of them are free. A closed connection keeps its port for 60 s.
func ports(m *machine) seen {
	const file = "/proc/sys/net/ipv4/ip_local_port_range"
	text, err := m.read(file)
	columns := strings.Fields(text)
	if len(columns) != 2 {
		return unknown(file, err)
	}
	first, err1 := strconv.Atoi(columns[0])
	last, err2 := strconv.Atoi(columns[1])
	if err1 != nil || err2 != nil || last < first {
		return unknown(file, nil)
	}
	waiting, err := 0, error(nil)
	fields := strings.Fields(m.field("/proc/net/sockstat", "TCP")) // inuse 8 orphan 0 tw 12 …
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] == "tw" {
			waiting, err = strconv.Atoi(fields[i+1])
		}
	}
	if len(fields) == 0 || err != nil {
		return unknown("/proc/net/sockstat", nil)
	}
	n := last - first + 1
	text = fmt.Sprintf("%d ports, %d of them kept by closed connections", n, waiting)
	switch {
	case waiting > n/2:
		return seen{Fix, text, "sleep 60"}
	case n < usualPorts:
		return seen{Fix, text, `sudo sysctl net.ipv4.ip_local_port_range="32768 60999"`}
	default:
		return seen{state: Fine, text: text}
	}
}

// neededFiles is the number of open files that verify's crowd of 1,000 requests needs in a server: two
// connections for each, and a reserve.
const neededFiles = 2100

// files checks how many files a process may open. Go raises its own limit at the start, so the limit of the
// parent counts for servers.
func files(m *machine) seen {
	_, parent := m.own()
	if parent == 0 {
		return seen{state: Unknown, text: "the parent of this process cannot be seen"}
	}
	file := fmt.Sprintf("/proc/%d/limits", parent)
	text, err := m.read(file)
	if err != nil {
		return unknown(file, err)
	}
	_, after, _ := strings.Cut(text, "Max open files")
	columns := strings.Fields(after) // soft hard files …
	if len(columns) < 2 {
		return unknown(file, nil)
	}
	soft, err := strconv.Atoi(columns[0])
	if err != nil && columns[0] != "unlimited" {
		return unknown(file, nil)
	}
	text = columns[0] + " a process"
	if columns[0] == "unlimited" || soft >= neededFiles {
		return seen{state: Fine, text: text}
	}
	const enough = 65536
	hard, err := strconv.Atoi(columns[1])
	switch {
	case err != nil && columns[1] != "unlimited":
		return unknown(file, nil)
	case err == nil && hard < neededFiles:
		return seen{Fix, text, fmt.Sprintf("sudo prlimit --nofile=%d --pid $$", enough)}
	case err == nil && hard < enough:
		return seen{Fix, text, fmt.Sprintf("ulimit -n %d", hard)}
	default:
		return seen{Fix, text, fmt.Sprintf("ulimit -n %d", enough)}
	}
}
