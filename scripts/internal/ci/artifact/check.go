package artifact

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fairstream/scripts/internal/ci/plan"
	"fairstream/scripts/internal/judge/raw"
	"fairstream/scripts/internal/judge/record"
	"fairstream/scripts/internal/judge/verdict"
	"fairstream/scripts/internal/measure/server"
	"fairstream/scripts/internal/measure/verify"
	"fairstream/scripts/internal/measure/verify/contracts"
	"fairstream/scripts/internal/workload"
)

// check compares a record with the plan, and its texts with their forms. record.Read held the figures to their limits.
func (f frame) check(r record.Record) error {
	asked := f.asked
	if isDirect(r) {
		asked = direct
	}
	for _, check := range []func(record.Record) error{asked, f.planned, plain} {
		if err := check(r); err != nil {
			return err
		}
	}
	return nil
}

// asked refuses a server that the plan does not have at this revision.
func (f frame) asked(r record.Record) error {
	p := f.plan
	if !slices.Contains(p.Servers, r.ID()) {
		return fmt.Errorf("server %q is not in the plan; it has %s", bounded(r.ID().String()), plan.Join(p.Servers, ", "))
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
	return f.same(r)
}

// same refuses a record of main whose server differs from the plan's revision. A pull request may add a
// server or change its framework. Its description then only has to be harmless.
func (f frame) same(r record.Record) error {
	if f.plan.Kind == plan.Pull {
		return nil
	}
	i := slices.IndexFunc(f.known, func(s server.Server) bool { return s.ID() == r.ID() })
	if i < 0 {
		return fmt.Errorf("server %q is not in servers/", bounded(r.ID().String()))
	}
	s := f.known[i]
	// A server without source has neither, and it has no figures.
	if r.Status == record.Invalid && r.Server.Language == "" && r.Server.Framework == "" {
		return nil
	}
	if r.Server.Language != s.Language || r.Server.Framework != s.Framework {
		return fmt.Errorf("server is %q, %q; %s is %s, %s", bounded(r.Server.Language), bounded(r.Server.Framework), s.ID(), s.Language, s.Framework)
	}
	if r.Server.Reference != s.Reference {
		return fmt.Errorf("server.reference is %t; %s says %t", r.Server.Reference, s.ID(), s.Reference)
	}
	return nil
}

// direct has no commit, no side, no language and no process. Every job may load it.
func direct(r record.Record) error {
	s := r.Server
	if s.Commit != nil || s.Tree != nil || s.Artefact != nil || s.Side != "" || s.Language != "" || s.Framework != "" || len(s.Versions) > 0 || len(s.FailedChecks) > 0 || len(s.MissingChecks) > 0 || s.Reference {
		return errors.New("direct has a commit, tree, artefact, side, language, framework or versions; it is the stub itself and has none")
	}
	for _, m := range record.Table(r.Workload) {
		if v, known := r.Metrics.Get(m.Name); known && m.OfServer() {
			return fmt.Errorf("metric %s is %g of direct, which has no server and is beside nothing", m.Name, v)
		}
	}
	if v, known := r.Metrics.Get(overDirect); known && v != 1 {
		return fmt.Errorf("metric %s is %g of direct itself; want 1", overDirect, v)
	}
	return nil
}

// planned refuses a k6 run that the plan does not have.
func (f frame) planned(r record.Record) error {
	if err := f.scenario(r); err != nil {
		return err
	}
	if last := lastRound(f.plan, f.rounds, f.together); r.Round < 1 || r.Round > last {
		return fmt.Errorf("round %d of %d", r.Round, last)
	}
	least := f.rounds
	if f.plan.Within != "" {
		least = verdict.Looks(f.rounds)[0] // the first round says how many fit
	}
	if r.Run.Rounds < least || r.Run.Rounds > f.rounds {
		return fmt.Errorf("run.rounds is %d; the plan has %d", r.Run.Rounds, f.rounds)
	}
	if r.Run.Once != f.plan.Once {
		return fmt.Errorf("run.once is %t; the plan has %t", r.Run.Once, f.plan.Once)
	}
	if want := f.plan.SharedBy(); r.Run.SharedBy != want {
		return fmt.Errorf("run.shared_by is %d; the plan has %d", r.Run.SharedBy, want)
	}
	if r.Run.Quick != f.plan.Quick {
		return fmt.Errorf("run.quick is %t; the plan has %t", r.Run.Quick, f.plan.Quick)
	}
	if r.Run.Solo || r.Run.LoadMS != 0 {
		return fmt.Errorf("run.solo is %t, load_ms %d; the workflow asks for none of them", r.Run.Solo, r.Run.LoadMS)
	}
	// A comparison lowers the load for a slow server, and a run lowers it for many servers.
	divisor, ms, pull := r.Run.VUDivisor, r.Run.SliceMS, f.plan.Kind == plan.Pull
	if want := workload.Named(r.Workload).VUDivisor(len(f.servers)); !pull && (divisor != want || ms != 0) {
		return fmt.Errorf("run.vu_divisor is %d, slice_ms %d; a run of %d servers has %d and 0", divisor, ms, len(f.servers), want)
	}
	if pull && (!slices.Contains([]int{0, 2, 4, 8}, divisor) || ms < 0 || ms > 20_000 || ms%100 != 0) {
		return fmt.Errorf("run.vu_divisor is %d, slice_ms %d; a comparison divides by 2, 4 or 8 and has slices up to 20 s", divisor, ms)
	}
	// Where servers declare their requests, it chooses a rate.
	if rate := r.Run.RatePerS; rate != 0 && !(pull && workload.Named(r.Workload).Declares && slices.Contains(workload.Rates, rate)) {
		return fmt.Errorf("run.rate_per_s is %d; a comparison of servers that declare their requests has one of %v, and any other run has none", rate, workload.Rates)
	}
	return nil
}

func (f frame) scenario(r record.Record) error {
	name := r.Scenario
	if f.plan.Kind == plan.Pull {
		if compared := workload.Named(r.Workload).ComparedRecords(); !slices.Contains(compared, name) {
			return fmt.Errorf("scenario %q is not in the plan; a comparison has %s", bounded(name), strings.Join(compared, ", "))
		}
		return nil
	}
	scenario, level := record.Level(name)
	if scenarios := f.plan.Scenarios[r.Workload]; !slices.Contains(strings.Split(scenarios, ","), scenario) {
		return fmt.Errorf("scenario %q is not in the plan; it has %s", bounded(name), scenarios)
	}
	if name != record.Scenario(scenario, level) || level != "" && !levelForm.MatchString(level) {
		return fmt.Errorf("scenario %q has no level of the form %s", bounded(name), levelForm)
	}
	return nil
}

// Forms of texts in a record. They exclude the characters that HTML, Markdown and shells interpret, except
// those in names of CPUs and systems. No component is a domain, since GitHub would turn it into a link.
var (
	idForm        = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$`)
	hashForm      = regexp.MustCompile(`^[0-9a-f]{40}$`)
	sumForm       = regexp.MustCompile(`^[0-9a-f]{64}$`)
	levelForm     = regexp.MustCompile(`^([1-9][0-9]{0,4}k-)?[1-9][0-9]{0,4}$|^half$`) // VUs, maybe after a size; or a share of the machine
	placementForm = regexp.MustCompile(`^(shared|split|split-cores)$`)
	componentForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_/-]{0,39}$`)
	versionForm   = regexp.MustCompile(`^[0-9][0-9A-Za-z.+~_-]{0,39}$`)
	frameworkForm = regexp.MustCompile(`^([0-9A-Za-z][0-9A-Za-z ./:_+-]{0,39})?$`)
	titleForm     = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z ()@.,/_+-]{0,99}$`)
)

// checks are the required checks of a workload, or the optional ones, as records name them.
func checks(workload string, must bool) []string {
	var all []verify.Result
	for _, c := range contracts.Of(workload) {
		all = append(all, verify.Result{Clause: c.Clause, Check: c.Name, Must: c.Must})
	}
	return verify.Names(verify.Failures(all, must))
}

// plain refuses texts that do not match their form. No workflow loads from a second machine.
func plain(r record.Record) error {
	if r.Host.Load != nil {
		return errors.New("host.load is there; want a record of one machine")
	}
	type text struct {
		key   string
		value *string
		form  *regexp.Regexp
	}
	texts := []text{
		{"run.id", &r.Run.ID, idForm}, {"run.commit", r.Run.Commit, hashForm}, {"server.tree", r.Server.Tree, hashForm},
		{"run.rig", &r.Run.Rig, sumForm}, {"run.placement", &r.Run.Placement, placementForm}, {"server.artefact", r.Server.Artefact, sumForm},
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
	for _, of := range []struct {
		key, kind string
		has, want []string
	}{
		{"failed_checks", "required", r.Server.FailedChecks, checks(r.ID().Workload, true)},
		{"missing_checks", "optional", r.Server.MissingChecks, checks(r.ID().Workload, false)},
	} {
		if len(of.has) > len(of.want) {
			return fmt.Errorf("server.%s has %d entries; the contract has %d %s checks", of.key, len(of.has), len(of.want), of.kind)
		}
		for _, check := range of.has {
			if !slices.Contains(of.want, check) {
				return fmt.Errorf("server.%s has %q; want %s checks: %s", of.key, bounded(check), of.kind, strings.Join(of.want, ", "))
			}
		}
	}
	w := workload.Named(r.Workload)
	declares := w.Declares || w.Scripted
	if !declares && (len(r.Server.LeftOut) > 0 || len(r.Server.Margins) > 0 || len(r.Server.Limits) > 0) {
		return fmt.Errorf("server.left_out, server.margins and server.limits have entries; servers of %s declare none of them", bounded(r.Workload))
	}
	if !w.Scripted && len(r.Outcomes) > 0 {
		return fmt.Errorf("outcomes has entries; servers of %s have no script", bounded(r.Workload))
	}
	if (!declares || r.Server.Side != "head") && len(r.Server.Dropped)+len(r.Server.Added)+len(r.Server.Changed) > 0 {
		return errors.New("server.requests_dropped, requests_added or requests_changed has entries; want them of head alone, where servers declare requests")
	}
	for _, change := range r.Server.Packages {
		if !raw.VersionsForm.MatchString(change) {
			return fmt.Errorf("server.packages_changed has %q; want a package and two versions, such as hono 4.11.9 to 4.12.0", bounded(change))
		}
	}
	if n := len(r.Server.Packages); n > 0 && r.Server.Side != "head" || r.Server.Bump && n == 0 {
		return errors.New("server.packages_changed or bump has entries; want them of head alone, and a bump with its package")
	}
	if err := workload.CheckMargins(r.Server.Margins); err != nil {
		return fmt.Errorf("server.margins: %w", err)
	}
	if err := workload.CheckLimits(r.Server.Limits); err != nil {
		return fmt.Errorf("server.limits: %w", err)
	}
	return nil
}

// overDirect has rules of its own.
const overDirect = "rate_x_direct"
