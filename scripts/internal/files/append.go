package files

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
)

// CompleteLines returns the complete lines of a file that AppendLines writes. A crash or a full disk may leave a
// part of a line at the end.
func CompleteLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// AppendLines adds lines after the last complete line of a file, and creates the file if needed. After an error it
// has added none. Several processes may append to one file; they take turns.
func AppendLines(path string, lines []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(add(f, lines), f.Close())
}

func add(f *os.File, lines []byte) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil { // Close unlocks
		return err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	end := int64(len(CompleteLines(text)))
	if err := f.Truncate(end); err != nil {
		return err
	}
	_, err = f.WriteAt(lines, end)
	if err == nil {
		err = f.Sync() // some disks report that they are full only here
	}
	if err != nil {
		return errors.Join(err, f.Truncate(end))
	}
	return nil
}
