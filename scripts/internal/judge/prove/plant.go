// Package prove finds out how often verdicts are wrong on this machine: it plans
// trials, of which some have a regression of a known size planted and others
// none, keeps what they measured, and makes the tables of false alarms and of
// changes missed. It is pure but for the copies of servers that it writes; it
// loads nothing, and judges nothing itself: that is package compare's.
package prove

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"fairstream/scripts/internal/measure/manifest"
)

// plantFiles make a dose out of command line flags, in any server of Go's
// package main that asks its upstream through a package variable client.
//
//go:embed testdata/plant/*.go
var plantFiles embed.FS

// Flags are the doses of a planted server, as it takes them on its command
// line. Times are in us. The zero Flags are the same program without any.
type Flags struct {
	Work      int     `json:"work,omitempty"`    // iterations of a small loop for each read
	TTFTUS    float64 `json:"ttft_us,omitempty"` // by which TTFTShare of streams begin later
	TTFTShare float64 `json:"ttft_share,omitempty"`
	TTFTPace  string  `json:"ttft_pace,omitempty"` // of the streams that this is for; "" is any
	TailUS    float64 `json:"tail_us,omitempty"`   // by which TailShare of streams end later
	TailShare float64 `json:"tail_share,omitempty"`
	TailPace  string  `json:"tail_pace,omitempty"`
	Resident  int64   `json:"resident,omitempty"` // bytes for each of the streams that are open at a time
	Fixed     int64   `json:"fixed,omitempty"`    // bytes from the start
	Leak      int64   `json:"leak,omitempty"`     // bytes that each stream leaves behind
	Merge     int     `json:"merge,omitempty"`    // reads handed on as one; 0 and 1 are none
}

// Args are the flags that are not zero.
func (f Flags) Args() (args []string) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for _, flag := range []struct {
		name  string
		value float64
	}{
		{"work", float64(f.Work)}, {"ttft-us", f.TTFTUS}, {"ttft-share", f.TTFTShare}, {"tail-us", f.TailUS}, {"tail-share", f.TailShare},
		{"resident", float64(f.Resident)}, {"fixed", float64(f.Fixed)}, {"leak", float64(f.Leak)}, {"merge", float64(f.Merge)},
	} {
		if flag.value != 0 {
			args = append(args, "-"+flag.name, number(flag.value))
		}
	}
	for _, pace := range [][2]string{{"-ttft-pace", f.TTFTPace}, {"-tail-pace", f.TailPace}} {
		if pace[1] != "" {
			args = append(args, pace[:]...)
		}
	}
	return args
}

// Plant writes a copy of the server in from to dir, which does not exist yet,
// with the dose. It is a server like any other, and its program is the same
// whatever the dose, which is in the run command alone.
func Plant(from, dir string, dose Flags) (manifest.Server, error) {
	s, err := Copy(from, dir)
	if err != nil {
		return s, fmt.Errorf("plant: %w", err)
	}
	files, err := fs.Glob(plantFiles, "testdata/plant/*.go")
	for i := 0; err == nil && i < len(files); i++ {
		var code []byte
		if code, err = plantFiles.ReadFile(files[i]); err == nil {
			err = os.WriteFile(filepath.Join(dir, "plant_"+filepath.Base(files[i])), code, 0o644)
		}
	}
	if err != nil {
		return s, fmt.Errorf("plant: %w", err)
	}
	s.Run = append(s.Run, dose.Args()...)
	data, err := json.MarshalIndent(map[string]any{
		"language": s.Language, "framework": s.Framework, "build": s.Build, "run": s.Run, "versions": s.Versions,
	}, "", "  ")
	if err != nil {
		return s, fmt.Errorf("plant: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifest.File), append(data, '\n'), 0o644); err != nil {
		return s, fmt.Errorf("plant: %w", err)
	}
	return s, nil
}

// built are directories of a server that its build makes again.
var built = []string{"bin", "target", "node_modules"}

// Copy writes the sources of the server in from to dir, which has none yet.
func Copy(from, dir string) (manifest.Server, error) {
	if err := os.CopyFS(dir, sources{os.DirFS(from)}); err != nil {
		return manifest.Server{}, err
	}
	return manifest.Load(dir)
}

// Renew makes dir such a copy again, and leaves what was built there: a build of
// the next copy is then short.
func Renew(from, dir string) (manifest.Server, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return manifest.Server{}, err
	}
	for _, e := range entries {
		if !slices.Contains(built, e.Name()) {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return manifest.Server{}, err
			}
		}
	}
	return Copy(from, dir)
}
