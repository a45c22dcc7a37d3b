package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"fairstream/scripts/internal/show/page"
	"fairstream/scripts/internal/version"
)

// Built is what the pages need to know of the data.
type Built struct {
	Manifest Manifest
	Counts   Counts
	facts    Facts
	parts    []*part
}

// Counts are what the site has, of all workloads.
type Counts struct{ Commits, Servers, Comparisons, Series int }

func (c *Counts) add(p *part) {
	c.Commits += len(p.places)
	c.Servers += len(p.knownServers())
	for _, of := range p.compared {
		if of.own {
			c.Comparisons++
		}
	}
	for _, metrics := range p.series {
		c.Series += len(metrics)
	}
}

// assetsFile is, among the built files, the list of scripts and styles with their names.
const assetsFile = "assets.json"

// assets are the names of built files, by their sources.
type assets map[string]struct {
	File string `json:"file"`
}

func readAssets(built fs.FS) (a assets, err error) {
	text, err := fs.ReadFile(built, assetsFile)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err == nil && a["style.css"].File == "" {
		err = errors.New("it names no style.css")
	}
	if err != nil {
		return nil, fmt.Errorf("site: %s of the built pages: %w; npm run build in gh-pages/ makes it", assetsFile, err)
	}
	return a, nil
}

// A pageText is what a page is, for its head.
type pageText struct {
	here, dir, title, description string
	script                        string // "": that of every page is enough
}

// Pages writes the pages of the site, and the built files that they use.
func Pages(built fs.FS, b Built, out Out) error {
	a, err := readAssets(built)
	if err != nil {
		return err
	}
	if err := copyBuilt(built, out); err != nil {
		return err
	}
	proven := provenTables(b.facts, b.parts)
	for _, p := range b.parts {
		if err := p.pages(a, b.parts, proven, out); err != nil {
			return err
		}
	}
	return moved(b.parts[1:], out)
}

// copyBuilt writes what was built, without a note about the build and the report's page, which waits for a run.
func copyBuilt(built fs.FS, out Out) error {
	return fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") || name == reportPage || name == assetsFile {
			return err
		}
		text, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		return out(name, text)
	})
}

// pages writes the pages of one workload.
func (p *part) pages(a assets, all []*part, proven []page.Table, out Out) error {
	write := func(t pageText, template string, content func(root, home string) any) error {
		root := strings.Repeat("../", strings.Count(p.dir+t.dir, "/"))
		f := p.frame(t, a, all, root)
		var b bytes.Buffer
		if err := page.Write(&b, f, template, content(f.Root, f.Home)); err != nil {
			return err
		}
		return out(p.dir+t.dir+"index.html", b.Bytes())
	}
	for i, one := range p.resultsPages() {
		v := one.view
		err := write(pageText{"results", one.dir, v.Title, "Which server is cheapest, fastest and smallest, and how sure that is.", ""}, "results", func(_, home string) any {
			p.addLinks(&v, i, home)
			return v
		})
		if err != nil {
			return err
		}
	}
	err := write(pageText{"history", "history/", "History", "Throughput, latency, CPU cost and memory of each server, commit by commit, with every event.", "src/pages/history.ts"},
		"history", func(root, home string) any { return p.historyPage(root, home) })
	if err != nil {
		return err
	}
	err = write(pageText{"comparisons", "comparisons/", "Comparisons", "Each comparison of two versions of a server: the verdict, and every figure with its interval.", ""},
		"comparisons", func(_, home string) any { return p.comparisonsPage(home) })
	if err != nil {
		return err
	}
	for _, c := range p.compared {
		v := p.comparisonPage(c, "")
		err := write(pageText{"comparisons", c.dir, v.Title, c.says, ""}, "comparison", func(_, home string) any { return p.comparisonPage(c, home) })
		if err != nil {
			return err
		}
	}
	err = write(pageText{"method", "method/", "Method", "How servers are measured and judged, and how often a verdict is wrong.", ""},
		"method", func(root, _ string) any { return methodPage(p, all, proven, root) })
	if err != nil {
		return err
	}
	return write(pageText{"", "run/", "Run", "One run in full: every record, its timelines and distributions, and the reason for each warning.", "src/pages/run.tsx"},
		"run", func(string, string) any { return nil })
}

// siteScript is that of every page.
const siteScript = "src/pages/site.ts"

func (p *part) frame(t pageText, a assets, all []*part, root string) page.Frame {
	f := page.Frame{
		Title: t.title, Description: t.description, Here: t.here, Root: root, Home: root + p.dir, Style: a["style.css"].File,
		Version: version.Version, Scripts: []string{a[siteScript].File}, Workload: p.workload.Name, AsOf: "No run has been published yet.",
		History: page.Link{Text: ""}, Code: page.Link{Text: strings.TrimPrefix(p.facts.Repository, "https://"), Href: p.facts.Repository},
	}
	if f.Root == "" {
		f.Root = "./"
		f.Home = "./" + p.dir
	}
	if t.here == "results" && t.dir == "" && len(p.results) > 0 {
		f.Image = p.pictureURL()
	}
	if t.script != "" {
		f.Scripts = append(f.Scripts, a[t.script].File)
	}
	for _, of := range all {
		f.Workloads = append(f.Workloads, page.Link{Text: of.workload.Name, Href: f.Root + of.dir + sameIn(t)})
	}
	f.BrokenCount = p.brokenCount
	for _, b := range p.broken {
		f.Broken = append(f.Broken, page.Broken{File: b.File, Why: b.Why})
	}
	if h := p.facts.History; h != "" {
		f.History = page.Link{Text: fmt.Sprintf("history %.10s", h)}
		if p.facts.Repository != "" {
			f.History.Href = p.facts.Repository + "/tree/" + h
		}
	}
	if newest := p.manifest.Newest; newest != nil {
		f.AsOf = fmt.Sprintf("Data as of %s: %s.", newest.UTC().Format("2 Jan 2006 15:04 UTC"), p.counted())
		if p.hasMain() {
			f.Newest = newest.UTC().Format("2006-01-02T15:04:05Z")
		}
	}
	return f
}

// rootOf is the way to the begin of the site, from that to the begin of the workload.
func (p *part) rootOf(home string) string { return strings.TrimSuffix(home, p.dir) }

// sameIn is the same page of another workload, or the page that leads to its like.
func sameIn(t pageText) string {
	switch t.here {
	case "results":
		return ""
	case "":
		return t.dir
	}
	return t.here + "/"
}

// counted is how many commits, and runs and comparisons of one's own, there are.
func (p *part) counted() string {
	own, comparisons := 0, 0
	for _, one := range p.places {
		if one.local != nil {
			own++
		}
	}
	for _, c := range p.compared {
		if c.own {
			comparisons++
		}
	}
	var parts []string
	if n := len(p.places) - own; n > 0 {
		parts = append(parts, Many(n, "measured commit"))
	}
	if own > 0 {
		parts = append(parts, Many(own, "run")+" of your own")
	}
	if comparisons > 0 {
		parts = append(parts, Many(comparisons, "comparison")+" of your own")
	}
	return strings.Join(parts, ", ")
}

// movedPages are old addresses, and where their content is now.
var movedPages = [][2]string{{"trend/", "history/"}, {"regressions/", "history/"}, {"charts/", "history/"}, {"leaderboard/", ""}, {"tworuns/", "run/"}}

// moved writes a small page at each old address. Pages of the other workloads never had another one.
func moved(others []*part, out Out) error {
	var names []string
	for _, p := range others {
		names = append(names, p.workload.Name)
	}
	for _, m := range movedPages {
		var b bytes.Buffer
		if err := page.Moved(&b, "../", "../"+m[1], names); err != nil {
			return err
		}
		if err := out(m[0]+"index.html", b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
