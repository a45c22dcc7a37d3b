package files

import (
	"strings"
	"testing"
	"time"

	"fairstream/stub/common"
)

func plain(size int, seed uint32) script {
	return script{key: key{size: size, seed: seed, kind: "bytes"}, cut: never, end: never, stall: never}
}

func TestScriptIsReadFromTheName(t *testing.T) {
	with := func(change func(*script)) script {
		s := plain(200_000, 3)
		change(&s)
		return s
	}
	for name, want := range map[string]script{
		"8k-17":                     plain(8_000, 17),
		"0-1":                       plain(0, 1),
		"64m-4294967295":            plain(64_000_000, 4_294_967_295),
		"200k-3":                    plain(200_000, 3),
		"200000-3":                  plain(200_000, 3),
		"200k-3,id=v7,hold":         with(func(s *script) { s.ID, s.Hold = "v7", true }),
		"200k-3,hold=1,id=v7":       with(func(s *script) { s.ID, s.Hold = "v7", true }),
		"200k-3,tally=go-http@base": with(func(s *script) { s.Tally = "go-http@base" }),
		"200k-3,piece=50k,pace=1s":  with(func(s *script) { s.piece, s.pace = 50_000, time.Second }),
		"200k-3,binary,type=png":    with(func(s *script) { s.binary, s.kind = true, "png" }),
		"200k-3,trailers":           with(func(s *script) { s.chunked, s.trailers = true, true }),
		"200k-3,close,cut=1k":       with(func(s *script) { s.close, s.cut = true, 1_000 }),
		"200k-3,end=200k,hangup":    with(func(s *script) { s.end, s.hangup = 200_000, true }),
		"200k-3,stall=0,refuse":     with(func(s *script) { s.stall, s.refuse = 0, true }),
		"200k-3,status=404":         with(func(s *script) { s.status = 404 }),
		"200k-3,headers=1.5s":       with(func(s *script) { s.headers = 1500 * time.Millisecond }),
		"200k-3,chunked,chunked=0":  plain(200_000, 3),
	} {
		if got, err := parseName(name); err != nil || got != want {
			t.Errorf("%q: got %+v, %v; want %+v", name, got, err, want)
		}
	}
}

const (
	wantSize  = "want a size from 0 to 100m, such as 8000, 8k or 64m"
	wantSeed  = "want SIZE-SEED, such as 8k-17, with a seed from 1 to 4294967295"
	wantKnown = "unknown; known are binary, chunked, close, cut, end, hangup, headers, hold, id, pace, piece, refuse, stall, status, " +
		"tally, trailers, type"
)

func TestBadNamesAreErrorsThatSayWhatIsWanted(t *testing.T) {
	for name, want := range map[string]string{
		"":                        `file "": ` + wantSize,
		"-1":                      `file "-1": ` + wantSize,
		"8K-1":                    `file "8K-1": ` + wantSize,
		"8kk-1":                   `file "8kk-1": ` + wantSize,
		"101m-1":                  `file "101m-1": ` + wantSize,
		"99999999999999999999k-1": `file "99999999999999999999k-1": ` + wantSize,
		"8k":                      `file "8k": ` + wantSeed,
		"8k-":                     `file "8k-": ` + wantSeed,
		"8k-0":                    `file "8k-0": ` + wantSeed,
		"8k-4294967296":           `file "8k-4294967296": ` + wantSeed,
		"8k--1":                   `file "8k--1": ` + wantSeed,
		"8k-1-2":                  `file "8k-1-2": ` + wantSeed,
		"8k-1,":                   "directive : " + wantKnown,
		"8k-1,speed=3":            "directive speed: " + wantKnown,
		"8k-1,@hold=1":            "directive @hold: " + wantKnown,
		"8k-1,id":                 "", // its name is 1
		"8k-1,id=a/b":             "directive id=a/b: want 1 to 64 letters, digits, - or _",
		"8k-1,hold":               "directive hold: needs id, which releases its events",
		"8k-1,hold=yes":           "directive hold=yes: want 0 or 1",
		"8k-1,piece=1.5":          "directive piece=1.5: " + wantSize,
		"8k-1,pace=5":             "directive pace=5: want a duration from 0s to 1h0m0s, such as 50ms",
		"8k-1,pace=5ms":           "directive pace: needs piece, since one piece has no pace",
		"8k-1,type=gif":           "directive type=gif: want one of bytes, html, json, png, text, unknown",
		"8k-1,status=200":         "directive status=200: want a status from 400 to 599",
		"8k-1,cut=9k":             "a fault after 9000 bytes: the file has only 8000",
		"8k-1,cut=1,end=1":        "directives cut, end and stall: want one of them",
		"8k-1,chunked,close":      "directives chunked and close: want one of them",
	} {
		got, err := parseName(name)
		if want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %+v, %v; want %s", name, got, err, want)
		}
	}
}

func TestBadNameIsAnErrorThatKeepsTheConnection(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	r, body, err := c.file("8k-1,speed=3")
	if err != nil || r.StatusCode != 400 || !strings.Contains(body, "directive speed: unknown") {
		t.Errorf("status %d, %v: %s", r.StatusCode, err, body)
	}
	c.whole("8k-1")
	if n := s.Stats.Requests.Load(); n != 2 {
		t.Errorf("%d requests counted, want 2", n)
	}
}

// Accepted names keep the bounds.
func FuzzParseName(f *testing.F) {
	for _, name := range []string{"8k-17", "200k-3,id=v7,hold", "1m-1,cut=5,piece=1,pace=1ms", "0-1,,", "8k-1,type=png,binary,close", "+1k-1", "1-+1", "0x1-1", "8k-1,id==", "é-1"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s, err := parseName(name)
		if err != nil {
			return
		}
		if s.size < 0 || s.size > maxSize || s.seed == 0 || s.piece < 0 || s.pace < 0 || s.pace > common.MaxWait || s.headers > common.MaxWait ||
			s.cut > s.size || s.end > s.size || s.stall > s.size || s.chunked && s.close || types[s.kind] == "" {
			t.Errorf("%q: out of bounds: %+v", name, s)
		}
	})
}
