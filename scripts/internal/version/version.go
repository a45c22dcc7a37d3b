// Package version holds the version of the project. Its tag is "v" and the version.
package version

// Version changes with each release. scripts/CHANGELOG.md says what users notice of it.
const Version = "0.3.0"
