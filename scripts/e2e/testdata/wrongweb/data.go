package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
)

const file = "data.json"

func (s *server) getData(w http.ResponseWriter, _ *http.Request) {
	content, err := s.read()
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	w.Header().Set("Content-Type", s.dataType)
	w.Write(content)
}

func read() ([]byte, error) { return os.ReadFile(file) }

// parsed writes the file's value in a form of its own.
func parsed() ([]byte, error) {
	content, err := read()
	var v any
	if err == nil {
		err = json.Unmarshal(content, &v)
	}
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(v, " ", "   ")
}

func once() func() ([]byte, error) {
	content, err := read()
	return func() ([]byte, error) { return content, err }
}

// cached reads the file again when a property of it has changed.
func cached[T comparable](property func(os.FileInfo) T) func() ([]byte, error) {
	var content []byte
	var of *T
	return func() ([]byte, error) {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if now := property(info); of == nil || *of != now {
			of = &now
			content, err = read()
		}
		return content, err
	}
}

func byTime() func() ([]byte, error) {
	return cached(func(i os.FileInfo) time.Time { return i.ModTime() })
}

func byLength() func() ([]byte, error) { return cached(func(i os.FileInfo) int64 { return i.Size() }) }

func first4kB() ([]byte, error) {
	content, err := read()
	return content[:min(4<<10, len(content))], err
}
