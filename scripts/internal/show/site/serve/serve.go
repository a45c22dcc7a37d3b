// Package serve shows a site as GitHub Pages does: gzip on the fly, ten minutes of
// caching, no listing of directories. So that what a page takes at home is what it
// takes there. It knows nothing of the site.
package serve

import (
	"compress/gzip"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// Handler serves the files of a site.
func Handler(site fs.FS) http.Handler {
	files := http.FileServerFS(site)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.Error(w, "want GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if strings.HasSuffix(r.URL.Path, "/") {
			if _, err := fs.Stat(site, path.Join(name, "index.html")); err != nil {
				http.NotFound(w, r)
				return
			}
			name = "index.html"
		}
		w.Header().Set("Cache-Control", "max-age=600")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !text[path.Ext(name)] {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Vary", "Accept-Encoding")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			files.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Range") // of what is compressed there are no parts
		z := &zipping{ResponseWriter: w}
		defer z.close()
		files.ServeHTTP(z, r)
	})
}

// text are the suffixes of what Pages compresses.
var text = map[string]bool{".html": true, ".css": true, ".js": true, ".json": true, ".svg": true, ".xml": true, ".txt": true, ".csv": true}

// A zipping compresses the body of an answer that has one.
type zipping struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (z *zipping) WriteHeader(status int) {
	if status == http.StatusOK {
		z.Header().Del("Content-Length")
		z.Header().Del("Accept-Ranges")
		z.Header().Set("Content-Encoding", "gzip")
		z.z = gzip.NewWriter(z.ResponseWriter)
	}
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipping) Write(p []byte) (int, error) {
	if z.z == nil {
		return z.ResponseWriter.Write(p)
	}
	return z.z.Write(p)
}

func (z *zipping) close() {
	if z.z != nil {
		z.z.Close() // the browser may have left
	}
}
