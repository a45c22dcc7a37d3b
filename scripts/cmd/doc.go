// Package cmd has a file for each command: it declares flags, checks what they
// say and calls the package that does the work.
package cmd
