package pipeline

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Each edit of the project's own files breaks exactly one rule.
var wrong = []struct {
	rule, file, old, new string
}{
	{"triggers", "ci", "branches: [main]", "branches: [main, next]"},
	{"triggers", "benchmark", "    branches: [main]\n", ""},
	{"triggers", "load", "  workflow_call:\n", "  workflow_dispatch:\n  workflow_call:\n"},
	{"triggers", "new", "", "on: {pull_request: }\npermissions: {}\njobs: {}\n"},
	{"followed workflows exist", "ci", "name: ci\n", "name: tests\n"},
	{"nothing is granted to a whole workflow", "ci", "permissions: {}\n", ""},
	{"nothing is granted to a whole workflow", "load", "permissions: {}\n", "permissions: {contents: read}\n"},
	{"grants", "ci", "contents: read", "contents: write"},
	{"grants", "ci", "    permissions:\n      contents: read # to check the code out\n", ""},
	{"no secret, and no token beside foreign code", "ci", "run: scripts/test\n", "run: scripts/test\n        env:\n          GITHUB_TOKEN: ${{ github.token }}\n"},
	{"no secret, and no token beside foreign code", "load", "          SERVERS: ${{ matrix.job.servers }}\n", "          SERVERS: ${{ matrix.job.servers }}\n          GITHUB_TOKEN: ${{ github.token }}\n"},
	{"no secret, and no token beside foreign code", "benchmark", "uses: ./.github/workflows/load.yml\n", "uses: ./.github/workflows/load.yml\n    secrets: inherit\n"},
	{"no secret, and no token beside foreign code", "pull-request", "${{ github.token }}", "${{ secrets.PAT }}"},
	{"pins", "ci", "90b1 # v7.0.1", "90b1"},
	{"pins", "ci", "@3d3c42e5aac5", "@4d3c42e5aac5"},
	{"checkouts", "ci", "persist-credentials: false", "fetch-depth: 1"},
	{"checkouts", "load", "persist-credentials: false", "persist-credentials: true"},
	{"checkouts", "load", "fetch-depth: 0 ", "ref: ${{ fromJSON(inputs.plan).revision }} "},
	{"checkouts", "pages", "          ref: refs/heads/main\n", ""},
	{"timeouts", "ci", "    timeout-minutes: 90\n", ""},
	{"timeouts", "load", "timeout-minutes: 120", "timeout-minutes: 7200"},
	{"no secret, and no token beside foreign code", "compare", "          repository: code/", "          token: ${{ github.token }}\n          repository: code/"},
	{"no secret, and no token beside foreign code", "action compare", "        HEAD: ", "        GITHUB_TOKEN: ${{ github.token }}\n        HEAD: "},
	{"checkouts", "compare", "ref: ${{ job.workflow_sha }}", "ref: main"},
	{"checkouts", "compare", "repository: ${{ job.workflow_repository || 'unknown/unknown' }}", "repository: ${{ github.repository }}"},
	{"inputs", "compare", "BASE: ${{ inputs.base }}", "BASE: ${{ github.event.pull_request.title }}"},
	{"zips stay zips", "compare", "          skip-decompress: true\n", ""},
	{"checkouts", "publish", "ref: ${{ github.ref }} #", "ref: ${{ inputs.server }} #"},
	{"the machine", "ci", "runs-on: ubuntu-24.04", "runs-on: self-hosted"},
	{"the machine", "ci", "runs-on: ubuntu-24.04", "runs-on: [fairstream-main]"},
	{"the machine", "load", "inputs.lane }}\n    #", "inputs.other }}\n    #"},
	{"the machine", "pull-request", "lane: pr\n", "lane: main\n"},
	{"the machine", "pages", "jobs:\n", "jobs:\n  load:\n    permissions: {}\n    concurrency: {group: fairstream-machine, cancel-in-progress: false, queue: max}\n    uses: ./.github/workflows/load.yml\n"},
	{"the machine", "benchmark", "uses: ./.github/workflows/pages.yml", "uses: ./.github/workflows/ci.yml"},
	{"concurrency", "benchmark", "queue: max", "queue: maxx"},
	{"concurrency", "pull-request", "      queue: max", "      queue: single"},
	{"concurrency", "benchmark", "cancel-in-progress: false\n      queue: max", "cancel-in-progress: true\n      queue: max"},
	{"concurrency", "benchmark", "group: fairstream-history", "group: history"},
	{"concurrency", "pull-request", "group: fairstream-machine", "group: machine-${{ github.ref }}"},
	{"concurrency", "pull-request", "  cancel-in-progress: false\n  queue: max\njobs:", "  cancel-in-progress: true\njobs:"},
	{"grants", "load", "      contents: read # to check the code out\n    strategy", "      contents: read # to check the code out\n      actions: write\n    strategy"},
	{"a lost runner", "load", "exec scripts/bench ci watchdog", "exec scripts/bench list"},
	{"a lost runner", "load", "    name: watchdog\n", "    name: watchdog\n    needs: load\n"},
	{"caches", "action setup", "        cache: false\n", ""},
	{"caches", "action setup", "package-manager-cache: false", "package-manager-cache: true"},
	{"caches", "ci", "      - run: scripts/test", cacheStep("", "") + "      - run: scripts/test"},
	{"caches", "ci", "      - run: scripts/test", cacheStep("/restore", "          key: tools\n") + "      - run: scripts/test"},
	{"caches", "ci", "      - run: scripts/test", cacheStep("/restore", "          key: ${{ hashFiles('a') }}\n          restore-keys: tools\n") + "      - run: scripts/test"},
	{"caches", "ci", "      - run: scripts/test", cacheStep("/save", "          key: ${{ hashFiles('a') }}\n") + "      - run: scripts/test"},
	{"caches", "load", "      - name: report", cacheStep("/save", "          key: ${{ hashFiles('a') }}\n        if: github.event_name == 'push'\n") + "      - name: report"},
	{"one command a step", "ci", "run: scripts/test", "run: scripts/test ${{ github.ref }}"},
	{"one command a step", "ci", "run: scripts/test", "run: scripts/bench setup && scripts/test"},
	{"commands that exist", "action compare", `"$BENCH" ci plan`, `"$BENCH" plan`},
	{"commands that exist", "load", `-quick="$QUICK" -once`, `-quick="$QUICK" -single`},
	{"one command a step", "action setup", "    - uses: actions/setup-go", "    - run: echo ${{ inputs.servers }}\n      shell: sh\n    - uses: actions/setup-go"},
	{"branches in full", "pages", "-history refs/remotes/origin/gh-pages", "-history gh-pages"},
	{"inputs", "benchmark", "          GITHUB_TOKEN:", "          REASON: ${{ inputs.reason }}\n          GITHUB_TOKEN:"},
	{"inputs", "pull-request", "          GITHUB_TOKEN:", "          TITLE: ${{ github.event.workflow_run.display_title }}\n          GITHUB_TOKEN:"},
	{"inputs", "ci", "          servers: true", "          servers: ${{ github.head_ref }}"},
	{"zips stay zips", "pull-request", "path: ${{ runner.temp }}/records", "path: records"},
	{"inputs that actions have", "load", "if-no-files-found: error", "if-no-file-found: error"},
	{"chart suites", "benchmark", "name: throughput, records", "name: throughput; records"},
	{"nothing is granted to a whole workflow", "benchmark", "permissions: {}\n", "permissions: {contents: read}\n"},
	{"what was loaded is waited for", "benchmark", "needs: [plan, load, leaderboard, comparison, trials]\n    # A failed or", "needs: [plan, load, comparison, trials]\n    # A failed or"},
	{"what was loaded is waited for", "benchmark", "!cancelled() && ", ""},
	{"what was loaded is waited for", "benchmark", "${{ always() && needs.plan.result", "${{ needs.plan.result"},
}

// cacheStep is a step of an action that restores or saves a cache.
func cacheStep(part, with string) string {
	return "      - uses: actions/cache" + part + "@0123456789012345678901234567890123456789 # v6.0.0\n        with:\n          path: x\n" + with
}

func TestEachRuleIsBrokenByItsFault(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range wrong {
		t.Run(w.rule+"/"+w.file, func(t *testing.T) {
			files := maps.Clone(ours(t))
			path := "workflows/" + w.file + ".yml"
			if name, ok := strings.CutPrefix(w.file, "action "); ok {
				path = "actions/" + name + "/action.yml"
			}
			if !strings.Contains(files[path], w.old) {
				t.Fatalf("%s has no %q", path, w.old)
			}
			files[path] = strings.Replace(files[path], w.old, w.new, 1)
			all, err := parse(files)
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, r := range rules {
				if len(r.check(all)) > 0 {
					broken = append(broken, r.name)
				}
			}
			if !slices.Equal(broken, []string{w.rule}) {
				t.Errorf("broken: %q, want %q alone", broken, w.rule)
			}
		})
		seen[w.rule] = true
	}
	for _, r := range rules {
		if !seen[r.name] {
			t.Errorf("%s: no fault shows that it can be broken", r.name)
		}
	}
}
