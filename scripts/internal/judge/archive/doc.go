// Package archive defines the files of a run on the branch gh-pages: their paths, and how to encode and
// decode them strictly. It does not access files itself.
package archive
