// Package machines runs k6 and the stub on a second machine, the load machine, by the system's ssh. Servers stay on this one.
// Nothing is installed there but files in the user's cache.
package machines

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fairstream/k6/shared/strict"
)

// A File says which machine does what. The words are those of dotnet/crank.
type File struct {
	Load    Load    `json:"load"`    // k6 and the stub
	Servers Servers `json:"servers"` // this machine
}

// Load is the load machine.
type Load struct {
	SSH      string `json:"ssh"`                // USER@HOST
	Port     int    `json:"port,omitempty"`     // of its sshd; 0 leaves it to ssh
	Identity string `json:"identity,omitempty"` // file of the private key; "" leaves it to ssh
	HostKey  string `json:"host_key"`           // type and public key, as ssh-keyscan prints them behind the name
	Address  string `json:"address"`            // where the stub listens, for servers
	K6       int    `json:"k6,omitempty"`       // how many k6 share the load; 0 is one
}

// Servers is this machine.
type Servers struct {
	Address string `json:"address"` // where servers listen, for k6
}

// mostK6 is how many k6 may share a load. An sshd has 10 sessions at once by default, and the stub takes one.
const mostK6 = 8

var (
	sshForm     = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9\[][A-Za-z0-9.:\]-]*$`)
	hostKeyForm = regexp.MustCompile(`^(ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) [A-Za-z0-9+/]+=*$`)
)

// example is a File that can be copied.
const example = `{"load": {"ssh": "bench@10.0.0.2", "host_key": "ssh-ed25519 AAAA…", "address": "10.0.0.2"}, "servers": {"address": "10.0.0.1"}}`

// Read reads the file of machines at a path. A path of a key in it begins at the file's directory.
func Read(path string) (f File, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	if err := strict.Decode(text, &f); err != nil {
		return f, fmt.Errorf("%s: %w; want such as %s", path, err, example)
	}
	if err := f.check(); err != nil {
		return f, fmt.Errorf("%s: %w", path, err)
	}
	if f.Load.Identity != "" && !filepath.IsAbs(f.Load.Identity) {
		f.Load.Identity = filepath.Join(filepath.Dir(path), f.Load.Identity)
	}
	return f, nil
}

func (f File) check() error {
	switch {
	case !sshForm.MatchString(f.Load.SSH):
		return fmt.Errorf(`load.ssh is %.80q; want USER@HOST`, f.Load.SSH)
	case !hostKeyForm.MatchString(f.Load.HostKey):
		return fmt.Errorf(`load.host_key is %.80q; want its type and key, such as "ssh-ed25519 AAAA…"; on that machine: cut -d" " -f1,2 /etc/ssh/ssh_host_ed25519_key.pub`, f.Load.HostKey)
	case f.Load.Port < 0 || f.Load.Port > 65535:
		return fmt.Errorf("load.port is %d; want 1 to 65535", f.Load.Port)
	case f.Load.K6 < 0 || f.Load.K6 > mostK6:
		return fmt.Errorf("load.k6 is %d; want 1 to %d", f.Load.K6, mostK6)
	}
	for name, text := range map[string]string{"load.address": f.Load.Address, "servers.address": f.Servers.Address} {
		if a, err := netip.ParseAddr(text); err != nil || !a.Is4() || a.IsUnspecified() || a.IsLoopback() || a.IsMulticast() {
			return fmt.Errorf("%s is %.60q; want the IPv4 address of one network card, such as 10.0.0.1", name, text)
		}
	}
	device, err := f.device()
	switch {
	case err != nil:
		return err
	case device == "":
		return fmt.Errorf("servers.address is %s, which this machine does not have; it has %s", f.Servers.Address, strings.Join(own(), ", "))
	case slices.Contains(own(), f.Load.Address):
		return fmt.Errorf("load.address is %s, which is this machine's; want that of another machine, or leave out -machines", f.Load.Address)
	}
	return nil
}

// Count is how many k6 share the load.
func (l Load) Count() int { return max(1, l.K6) }

// device is the network card with the servers' address; "" without one.
func (f File) device() (string, error) {
	cards, err := net.Interfaces()
	if err != nil {
		return "", err
	}
	for _, card := range cards {
		if slices.Contains(addresses(card), f.Servers.Address) {
			return card.Name, nil
		}
	}
	return "", nil
}

// own are the addresses of this machine.
func own() (all []string) {
	cards, _ := net.Interfaces() // they only explain
	for _, card := range cards {
		all = append(all, addresses(card)...)
	}
	return all
}

func addresses(card net.Interface) (all []string) {
	of, _ := card.Addrs() // one that went away has none
	for _, a := range of {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil {
			all = append(all, n.IP.String())
		}
	}
	return all
}

// speed is how many Mbit/s a network card carries, as its driver says; 0 is unknown. Many virtual ones do not say.
func speed(device string) int64 {
	text, err := os.ReadFile(filepath.Join("/sys/class/net", device, "speed"))
	if err != nil {
		return 0
	}
	mbit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return max(0, mbit)
}
