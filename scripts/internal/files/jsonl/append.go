package jsonl

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
)

// CompleteLines are the whole lines of a file that Append adds to: what stands behind the
// last is what a crash or a full disk left of one.
func CompleteLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// Append adds lines behind the last whole one of a file, which it makes when there
// is none: all of them, or, after an error, none. Of several processes that add to
// a file at the same time each waits for the other.
func Append(path string, lines []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(add(f, lines), f.Close())
}

func add(f *os.File, lines []byte) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil { // closing lets it go
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
		err = f.Sync() // a disk may say only now that it is full
	}
	if err != nil {
		return errors.Join(err, f.Truncate(end))
	}
	return nil
}
