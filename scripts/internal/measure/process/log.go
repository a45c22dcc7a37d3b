package process

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A log that grows beyond mostLog loses all but its end, so that a server that prints each request does not fill the disk. Writers
// append, so they go on at the new end.
const (
	mostLog   = 16 << 20
	keptLog   = 1 << 20
	lookAtLog = time.Second
)

// limitLog keeps the end of the log while the program runs. Between two looks it may grow further.
func (p *Process) limitLog() {
	tick := time.NewTicker(lookAtLog)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-tick.C:
			if err := p.shortenLog(); err != nil {
				return // the limit of the file's size holds
			}
		}
	}
}

func (p *Process) shortenLog() error {
	f, err := os.OpenFile(p.log, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close() // what matters was written
	info, err := f.Stat()
	if err != nil || info.Size() <= mostLog {
		return err
	}
	end, err := io.ReadAll(io.NewSectionReader(f, info.Size()-keptLog, keptLog))
	if err != nil {
		return err
	}
	left := info.Size() - int64(len(end))
	if err := f.Truncate(0); err != nil {
		return err
	}
	p.leftOut.Add(left)
	_, err = fmt.Fprintf(f, "[%d MiB before this are left out]\n%s", p.leftOut.Load()>>20, end)
	return err
}

// Printed is how many bytes the program has printed, with those that its log lost.
func (p *Process) Printed() int64 {
	info, err := os.Stat(p.log)
	if err != nil {
		return 0 // it printed nothing
	}
	return p.leftOut.Load() + info.Size()
}
