// Package archive is the forms of the files that the branch gh-pages keeps of a run:
// their paths, how they are written, and how they are read, strictly. It reads and
// writes no file itself.
package archive
