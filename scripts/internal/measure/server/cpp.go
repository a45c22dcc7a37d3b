package server

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// cppFrameworks are recognised by the start of a header's name.
var cppFrameworks = []framework{
	{"drogon/", "drogon"}, {"crow", "crow"}, {"oatpp/", "oatpp"}, {"httplib.h", "cpp-httplib"}, {"pistache/", "pistache"}, {"boost/beast", "boost.beast"}, {"boost/asio", "boost.asio"}, {"sys/epoll.h", "epoll"},
}

var (
	cppMain         = regexp.MustCompile(`(?m)^\s*(int|auto)\s+main\s*\(`)
	cmakeExecutable = regexp.MustCompile(`(?i)\badd_executable\s*\(\s*([^\s)]+)`)
	cmakeProject    = regexp.MustCompile(`(?i)\bproject\s*\(\s*([^\s)]+)`)
	makeTarget      = regexp.MustCompile(`(?m)^((?:[\w-]+/)*[\w-]+)\s*:[^=]`)
)

// cpp recognises a CMakeLists.txt, a Makefile beside sources in C++, or sources alone.
func (d directory) cpp() (draft Draft, ok bool, err error) {
	sources, text, err := d.cppSources()
	if err != nil {
		return draft, false, err
	}
	cmake, errCMake := d.text("CMakeLists.txt")
	recipes, errMake := d.text(cmp.Or(d.first("Makefile", "makefile", "GNUmakefile"), "Makefile"))
	if err := errors.Join(errCMake, errMake); err != nil {
		return draft, false, err
	}
	isPython := d.first("requirements.txt", "pyproject.toml") != "" // which may have an extension in C++
	if (cmake == "" || isPython) && !cppMain.MatchString(text) {
		return draft, false, nil
	}
	draft = Draft{Language: "c++", Framework: "none", Versions: map[string][]string{"g++": {"g++", "-dumpfullversion"}}}
	for _, f := range cppFrameworks {
		if strings.Contains(text, "#include <"+f.pkg) || strings.Contains(text, `#include "`+f.pkg) {
			draft.Framework = f.name
			break
		}
	}
	switch {
	case cmake != "":
		draft.Build = []string{"sh", "-c", "cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel"}
		program := cmakeProgram(cmake)
		draft.Run = []string{"build/" + program}
		draft.Unsure = append(draft.Unsure, fmt.Sprintf("CMakeLists.txt is to make %s in its own directory; correct \"run\" if it does not", program))
	case recipes != "":
		draft.Build, draft.Run = []string{"make"}, []string{"bin/server"}
		program := makeProgram(recipes)
		switch {
		case program == "":
			draft.Unsure = append(draft.Unsure, "the Makefile names no program; correct \"run\"")
		case strings.Contains(program, "/"):
			draft.Run = []string{program}
		default:
			draft.Run = []string{"./" + program}
		}
	default:
		draft.Build = append([]string{"g++", "-std=c++20", "-O2", "-pthread", "-o", "server"}, sources...)
		draft.Run = []string{"./server"}
		draft.Unsure = append(draft.Unsure, "g++ compiles all sources as C++20, and links no library; correct \"build\" if the server needs one")
	}
	return draft, true, nil
}

// cmakeProgram is the first program that a CMakeLists.txt makes.
func cmakeProgram(text string) string {
	program := "server"
	if m := cmakeExecutable.FindStringSubmatch(text); m != nil {
		program = m[1]
	}
	if m := cmakeProject.FindStringSubmatch(text); m != nil && slices.Contains([]string{"${PROJECT_NAME}", "${CMAKE_PROJECT_NAME}"}, program) {
		program = m[1]
	}
	return program
}

// makeProgram is the first target of a Makefile that may be a program; "" without any.
func makeProgram(text string) string {
	for _, m := range makeTarget.FindAllStringSubmatch(text, -1) {
		if !slices.Contains([]string{"all", "build", "clean", "install", "test"}, m[1]) {
			return m[1]
		}
	}
	return ""
}

// cppSources lists the sources in the directory and in src/. text is theirs and that of headers beside them.
func (d directory) cppSources() (names []string, text string, err error) {
	for _, pattern := range []string{"*.cpp", "*.cc", "*.cxx", "*.h", "*.hpp"} {
		here, errHere := filepath.Glob(filepath.Join(d.dir, pattern))
		below, errBelow := filepath.Glob(filepath.Join(d.dir, "src", pattern))
		found, err := slices.Concat(here, below), errors.Join(errHere, errBelow)
		if err != nil {
			return nil, "", err
		}
		for _, file := range found {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, "", err
			}
			if !strings.HasPrefix(filepath.Ext(file), ".h") {
				names = append(names, strings.TrimPrefix(file, d.dir+"/"))
			}
			text += string(content)
		}
	}
	return names, text, nil
}
