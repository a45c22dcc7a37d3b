package doctor

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fairstream/scripts/internal/measure/usage"
)

// A Short is one screen about a machine that is not the reader's own: what it is, what noise to expect, and what
// nobody can mend from inside.
type Short struct {
	Report
	cores     int
	model     string
	stealPct  float64 // between the two readings
	noPidstat bool
	root      bool

	Work Work
}

// shortWidth and shortLines are what every terminal and every summary of a job shows.
const (
	shortWidth = 80
	shortLines = 24
)

// LookShort examines this machine. It works on all cores between the two readings, since a host shows steal
// only while its guest wants to run.
func LookShort(ctx context.Context) (Short, error) {
	var work Work
	s, err := lookShort(os.DirFS("/"), func() error {
		working, end := context.WithTimeout(ctx, WatchTime)
		defer end()
		done := make(chan Work)
		go func() { done <- MeasureWork(working, usage.Allowed(os.DirFS("/"))) }()
		err := Watch(ctx)
		work = <-done
		return err
	})
	s.Work = work
	return s, err
}

func lookShort(root fs.FS, wait func() error) (s Short, err error) {
	m, err := watched(root, wait)
	if err != nil {
		return s, err
	}
	s.Findings, s.cores, s.root = m.findings(), m.after.Cores, m.isRoot()
	s.model = cmp.Or(usage.Printable(m.field("/proc/cpuinfo", "model name")), "a processor that /proc/cpuinfo does not name")
	if all := m.after.CPU.All - m.before.CPU.All; all > 0 {
		s.stealPct = 100 * float64(m.after.CPU.Steal-m.before.CPU.Steal) / float64(all)
	}
	s.noPidstat = !slices.ContainsFunc([]string{"/usr/bin/pidstat", "/bin/pidstat", "/usr/local/bin/pidstat"}, m.exists)
	return s, nil
}

// WriteText prints the screen.
func (s Short) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, s.title()+"\n"+s.text())
	return err
}

// WriteMarkdown prints the screen for the summary of a job, folded below its first line.
func (s Short) WriteMarkdown(w io.Writer) error {
	_, err := fmt.Fprintf(w, "<details><summary>Measured on %s</summary>\n\n```\n%s```\n\n</details>\n\n", html.EscapeString(s.title()), s.text())
	return err
}

// title is the machine in one line.
func (s Short) title() string {
	text := fmt.Sprintf("%s, %s", plural(s.cores, "core"), s.model)
	if r := []rune(text); len(r) > shortWidth {
		text = string(r[:shortWidth-1]) + "…"
	}
	return text
}

// text is all below the title. A machine with much to tell loses the empty lines.
func (s Short) text() string {
	var b strings.Builder
	line := func(name, text string) {
		b.WriteString(column(name, strings.ReplaceAll(text, " %", noBreak+"%"), shortWidth))
	}
	line("virtual", s.finding("virtual").Seen)
	line("steal", s.steal())

	b.WriteString("\nNoise to expect\n")
	line("others", strings.Replace(s.finding("others").Seen, ": by nobody", ", by nobody", 1))
	line("work", s.work())
	line("comparison", "base and head share the minute, so most noise reaches both; the rest makes a comparison longer, or its verdict less sharp")

	b.WriteString("\nCannot be mended here\n")
	for _, f := range s.in(Given) {
		switch f.Name {
		case "virtual":
			line("neighbours", f.Why)
		case "steal": // it has its line above
		default:
			line(f.Name, f.Seen)
		}
	}
	if unknown := s.in(Unknown); len(unknown) > 0 {
		line("not shown", namesOf(unknown)+": the kernel does not tell")
	}
	if s.noPidstat && !s.root {
		line("pidstat", "missing, and only root may install it")
	}

	if fix := s.in(Fix); len(fix) > 0 {
		b.WriteString("\nCould be mended\n")
		line("with root", namesOf(fix)+"; scripts/bench doctor says how")
	}
	if text := b.String(); 1+strings.Count(text, "\n") > shortLines {
		return strings.ReplaceAll(text, "\n\n", "\n")
	}
	return b.String()
}

// steal says what the host took. Linux has a clock of steal for guests of KVM, Xen and VMware (kvm.c,
// xen/time.c and cpu/vmware.c of arch/x86/kernel). It has none for guests of Hyper-V, so they always read 0.
func (s Short) steal() string {
	text := fmt.Sprintf("%s, %.1f %% just now", s.finding("steal").Seen, s.stealPct)
	if s.finding("steal").State == Unknown {
		text = s.finding("steal").Seen
	}
	if strings.Contains(s.finding("virtual").Seen, "Hyper-V") {
		text += "; Hyper-V shows its guests none, so it may take time unseen"
	}
	return text
}

// work says how even the machine was.
func (s Short) work() string {
	if s.Work.Pieces == 0 {
		return "not measured, since no core could be pinned"
	}
	return fmt.Sprintf("%d equal pieces, on all cores at once: nine of ten took %.2f to %.2f times the median, the slowest %.1f times", s.Work.Pieces, s.Work.Low, s.Work.High, s.Work.Max)
}

// finding returns the finding of a check.
func (s Short) finding(name string) Finding {
	i := slices.IndexFunc(s.Findings, func(f Finding) bool { return f.Name == name })
	if i < 0 {
		return Finding{State: Unknown, Seen: "unknown"}
	}
	return s.Findings[i]
}

// namesShown limits a list, so that it has one line or two.
const namesShown = 8

// namesOf lists findings, with a comma between them.
func namesOf(found []Finding) string {
	var all []string
	for _, f := range found {
		all = append(all, f.Name)
	}
	if more := len(all) - namesShown; more > 0 {
		return strings.Join(all[:namesShown], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(all, ", ")
}
