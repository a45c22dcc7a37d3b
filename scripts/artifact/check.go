package artifact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/manifest"
	"fairstream/scripts/plan"
	"fairstream/scripts/record"
)

// check holds a record to the plan and to what such a record can be.
func check(r record.Record, p plan.Plan, servers []manifest.Server) error {
	if err := asked(r, p); err != nil {
		return err
	}
	if err := same(r, p, servers); err != nil {
		return err
	}
	if err := plain(r); err != nil {
		return err
	}
	return figures(r)
}

// asked refuses a record of anything that the plan does not have.
func asked(r record.Record, p plan.Plan) error {
	if !slices.Contains(p.Servers, r.Server.Name) {
		return fmt.Errorf("server %q is not in the plan; it has %s", bounded(r.Server.Name), strings.Join(p.Servers, ", "))
	}
	commit, ok := commits(p)[r.Server.Side]
	if !ok {
		return fmt.Errorf("side %q in a plan of kind %s", r.Server.Side, p.Kind)
	}
	if r.Server.Commit == nil {
		return fmt.Errorf("server.commit is not known; want %s", commit)
	}
	if *r.Server.Commit != commit {
		return fmt.Errorf("server.commit is %q; want %s", bounded(*r.Server.Commit), commit)
	}
	if scenarios := strings.Split(p.Scenarios, ","); !slices.Contains(scenarios, r.Scenario) {
		return fmt.Errorf("scenario %q is not in the plan; it has %s", bounded(r.Scenario), p.Scenarios)
	}
	if r.Round < 1 || r.Round > p.Rounds {
		return fmt.Errorf("round %d of %d", r.Round, p.Rounds)
	}
	if r.Run.Rounds != p.Rounds {
		return fmt.Errorf("run.rounds is %d; the plan has %d", r.Run.Rounds, p.Rounds)
	}
	if r.Run.Quick != p.Quick {
		return fmt.Errorf("run.quick is %t; the plan has %t", r.Run.Quick, p.Quick)
	}
	return nil
}

// same refuses a record of main whose server is another than at the plan's revision.
// A pull request may add a server or change its framework, so what it says of
// them only has to be harmless.
func same(r record.Record, p plan.Plan, servers []manifest.Server) error {
	if p.Kind == "pull" {
		return nil
	}
	i := slices.IndexFunc(servers, func(s manifest.Server) bool { return s.Name == r.Server.Name })
	if i < 0 {
		return fmt.Errorf("server %q is not in servers/", bounded(r.Server.Name))
	}
	s := servers[i]
	// A server that could not be had at its revision has neither; it has no figures either.
	if r.Status == record.Invalid && r.Server.Language == "" && r.Server.Framework == "" {
		return nil
	}
	if r.Server.Language != s.Language || r.Server.Framework != s.Framework {
		return fmt.Errorf("server is %q, %q; %s is %s, %s", bounded(r.Server.Language), bounded(r.Server.Framework), s.Name, s.Language, s.Framework)
	}
	return nil
}

// What texts of a record look like. None has a character that HTML, Markdown
// or a shell gives a meaning, but for those in what a CPU or a system is called;
// no component is a domain, which GitHub would make a link.
var (
	idForm        = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$`)
	hashForm      = regexp.MustCompile(`^[0-9a-f]{40}$`)
	componentForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_/-]{0,39}$`)
	versionForm   = regexp.MustCompile(`^[0-9][0-9A-Za-z.+~_-]{0,39}$`)
	frameworkForm = regexp.MustCompile(`^([0-9A-Za-z][0-9A-Za-z ./_+-]{0,39})?$`)
	titleForm     = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z ()@.,/_+-]{0,99}$`)
)

// plain refuses texts that are not of their form.
func plain(r record.Record) error {
	type text struct {
		key   string
		value *string
		form  *regexp.Regexp
	}
	texts := []text{
		{"run.id", &r.Run.ID, idForm}, {"run.commit", r.Run.Commit, hashForm}, {"server.tree", r.Server.Tree, hashForm},
		{"server.language", &r.Server.Language, frameworkForm}, {"server.framework", &r.Server.Framework, frameworkForm},
		{"host.cpu", r.Host.CPU, titleForm}, {"host.os", r.Host.OS, titleForm}, {"host.kernel", r.Host.Kernel, titleForm},
	}
	for key, versions := range map[string]map[string]string{"tools": r.Tools, "server.versions": r.Server.Versions} {
		const most = 16
		if len(versions) > most {
			return fmt.Errorf("%s has %d entries; want at most %d", key, len(versions), most)
		}
		for component, version := range versions {
			texts = append(texts, text{"a key of " + key, &component, componentForm}, text{key + "." + bounded(component), &version, versionForm})
		}
	}
	for _, t := range texts {
		if t.value != nil && !t.form.MatchString(*t.value) {
			return fmt.Errorf("%s is %q; want the form %s", t.key, bounded(*t.value), t.form)
		}
	}
	const most = 16
	if len(r.Why) > most {
		return fmt.Errorf("why has %d reasons; want at most %d", len(r.Why), most)
	}
	return nil
}

// limits are by unit: far beyond any honest figure, near enough that a chart
// survives a dishonest one.
var limits = map[string]float64{
	"streams": 1e9, "%": 100, "streams/s": 1e7, "ms": 1e8, "us": 1e9, "bytes": 1e13, "% of one core": 1e5, "seconds": 1e6,
}

// figures refuses numbers that no measurement gives.
func figures(r record.Record) error {
	if r.Host.Cores < 1 || r.Host.Cores > 4096 {
		return fmt.Errorf("host.cores is %d", r.Host.Cores)
	}
	if m := r.Host.MemoryBytes; m != nil && (*m < 1 || *m > 1<<50) {
		return fmt.Errorf("host.memory_bytes is %d", *m)
	}
	if year := r.Started.UTC().Year(); year < 2020 || year > 2099 {
		return fmt.Errorf("started is in the year %d", year)
	}
	for _, m := range record.Table {
		v, known := r.Metrics.Get(m.Name)
		if !known {
			continue
		}
		if r.Status == record.Invalid && m.Name != "failed_pct" {
			return fmt.Errorf("metric %s is %g in a record that is invalid; such a record has no figures", m.Name, v)
		}
		if most, ok := limits[m.Unit]; !ok || v < 0 || v > most {
			return fmt.Errorf("metric %s is %g %s; want 0 to %g", m.Name, v, m.Unit, most)
		}
	}
	if r.Status == record.OK {
		if rate, known := r.Metrics.Get("rate_per_s"); !known || rate == 0 {
			return errors.New("status ok without a stream: metric rate_per_s is 0 or null")
		}
		if failed, known := r.Metrics.Get("failed_pct"); !known || failed > 0 {
			return errors.New("status ok, though streams failed or nobody knows: metric failed_pct is not 0")
		}
	}
	return ordered(r.Metrics)
}

// ordered refuses latencies that contradict each other.
func ordered(m record.Metrics) error {
	before, last := "", 0.0
	for _, name := range []string{"stream_p50_ms", "stream_p95_ms", "stream_p99_ms", "stream_max_ms"} {
		v, known := m.Get(name)
		if !known {
			continue
		}
		if v < last {
			return fmt.Errorf("latencies are not in order: %s is %g, %s is %g", before, last, name, v)
		}
		before, last = name, v
	}
	return nil
}
