// Package cmd has a file for each command: it declares flags, checks their
// values and calls the package that does the work.
package cmd
