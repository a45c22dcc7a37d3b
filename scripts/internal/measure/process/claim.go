package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A server listens some time after we chose its port. Meanwhile another process of ours could choose the same
// port. So each process locks, for each port that it chose lately, the byte of that number in a file that they
// share. The locks vanish with the process. The file is in a directory of our user's own. Names that all users
// share, such as abstract sockets, let another user claim every port.
var claims struct {
	sync.Mutex
	opened bool
	file   *os.File // nil: there is no such directory
	ports  []int    // locked ones, oldest first
}

// claimsKept is the number of choices after which a claim ends. Its server listens by then.
const claimsKept = 256

// claim returns false when another process of our user has claimed the port. Without a directory of our own
// every claim succeeds. Then two processes may choose the same port at the same time, which is rare. The
// second server cannot listen, and its error names the port.
func claim(port int) bool {
	claims.Lock()
	defer claims.Unlock()
	if !claims.opened {
		claims.opened, claims.file = true, openClaims(os.Getenv("XDG_RUNTIME_DIR"), "/tmp")
	}
	if claims.file == nil {
		return true
	}
	if err := lockByte(claims.file, port, unix.F_WRLCK); errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return false
	}
	if claims.ports = append(claims.ports, port); len(claims.ports) > claimsKept {
		_ = lockByte(claims.file, claims.ports[0], unix.F_UNLCK) // a claim that stays costs one port
		claims.ports = claims.ports[1:]
	}
	return true
}

// lockByte changes the lock of a byte. The lock belongs to the open file, so that two of them in one process
// exclude each other, and a program that we start has none.
func lockByte(f *os.File, at int, kind int16) error {
	return unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: int64(at), Len: 1})
}

// openClaims opens the shared file in the first of the parents that can have a directory of our own. In /tmp
// another user may have taken its name. TMPDIR does not count, since two processes may have different ones.
func openClaims(parents ...string) *os.File {
	for _, parent := range parents {
		if !filepath.IsAbs(parent) {
			continue // unset
		}
		dir := filepath.Join(parent, fmt.Sprint("fairstream-", os.Geteuid()))
		_ = os.Mkdir(dir, 0o700) // owned checks what is there now
		if !owned(dir) {
			continue
		}
		if f, err := os.OpenFile(filepath.Join(dir, "ports"), os.O_RDWR|os.O_CREATE, 0o600); err == nil {
			return f
		}
	}
	return nil
}

// owned reports whether a directory belongs to us, and nobody else may enter it.
func owned(dir string) bool {
	info, err := os.Lstat(dir) // a link would lead to what others chose
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
