package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"fairstream/scripts/internal/judge/record"
)

// How the job that loads all servers together begins.
const (
	leaderboardJob = "outputs.leaderboard != '[]' }}\n"
	rankGroup      = "    permissions:\n      contents: read # for load.yml's checkout\n      actions: write # for load.yml's watchdog, not for the job that loads\n    concurrency:\n      # One machine for all workflows; no run in the queue replaces another.\n      group: fairstream-machine\n"
)

// Each edit of the project's own files breaks exactly one rule.
var wrong = []struct {
	rule, file, old, new string
}{
	{"triggers", "ci", "  pull_request:\n", "  pull_request_target:\n"},
	{"triggers", "ci", "  pull_request:\n", "  pull_request:\n  issue_comment:\n"},
	{"triggers", "ci", "branches: [main]", "branches: [main, next]"},
	{"triggers", "benchmark", "    branches: [main]\n", ""},
	{"triggers", "load", "  workflow_call:\n", "  workflow_dispatch:\n  workflow_call:\n"},
	{"triggers", "new", "", "on: {pull_request: }\npermissions: {}\njobs: {}\n"},
	{"followed workflows exist", "ci", "name: ci\n", "name: tests\n"},
	{"followed workflows exist", "pull-request", "workflows: [ci]", "workflows: []"},
	{"nothing is granted to a whole workflow", "ci", "permissions: {}\n", ""},
	{"nothing is granted to a whole workflow", "load", "permissions: {}\n", "permissions: {contents: read}\n"},
	{"grants", "ci", "contents: read", "contents: write"},
	{"grants", "load", "contents: read", "pull-requests: write"},
	{"grants", "pull-request", "      pull-requests: read # to find", "      pull-requests: write # to find"},
	{"grants", "benchmark", "      contents: write #", "      contents: write\n      issues: write #"},
	{"grants", "ci", "    permissions:\n      contents: read # to check the code out\n", ""},
	{"grants", "watch", "      actions: read #", "      actions: write #"},
	{"triggers", "watch", "  workflow_dispatch:\n", "  workflow_dispatch:\n  push:\n    branches: [main]\n"},
	{"no secret, and no token beside foreign code", "ci", "run: scripts/test\n", "run: scripts/test\n        env:\n          GITHUB_TOKEN: ${{ github.token }}\n"},
	{"no secret, and no token beside foreign code", "load", "          SERVERS: ${{ matrix.job.servers }}\n", "          SERVERS: ${{ matrix.job.servers }}\n          GITHUB_TOKEN: ${{ github.token }}\n"},
	{"no secret, and no token beside foreign code", "benchmark", "uses: ./.github/workflows/load.yml\n", "uses: ./.github/workflows/load.yml\n    secrets: inherit\n"},
	{"no secret, and no token beside foreign code", "pull-request", "${{ github.token }}", "${{ secrets.PAT }}"},
	{"pins", "ci", "@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1", "@v7.0.1"},
	{"pins", "ci", "90b1 # v7.0.1", "90b1"},
	{"pins", "ci", "@3d3c42e5aac5", "@4d3c42e5aac5"},
	{"pins", "action setup", "actions/setup-go@b7ad1dad31e06c5925ef5d2fc7ad053ef454303e", "actions/setup-go@main"},
	{"checkouts", "ci", "persist-credentials: false", "fetch-depth: 1"},
	{"checkouts", "load", "persist-credentials: false", "persist-credentials: true"},
	{"checkouts", "load", "fetch-depth: 0 ", "ref: ${{ fromJSON(inputs.plan).revision }} "},
	{"checkouts", "pages", "          ref: refs/heads/main\n", ""},
	{"timeouts", "ci", "    timeout-minutes: 90\n", ""},
	{"timeouts", "load", "timeout-minutes: 120", "timeout-minutes: 7200"},
	{"triggers", "compare", "  workflow_call:\n", "  pull_request_target:\n  workflow_call:\n"},
	{"grants", "compare", "      contents: read # to check both", "      pull-requests: write\n      contents: read # to check both"},
	{"no secret, and no token beside foreign code", "compare", "          repository: code/", "          token: ${{ github.token }}\n          repository: code/"},
	{"no secret, and no token beside foreign code", "action compare", "        HEAD: ", "        GITHUB_TOKEN: ${{ github.token }}\n        HEAD: "},
	{"checkouts", "compare", "ref: ${{ job.workflow_sha }}", "ref: main"},
	{"checkouts", "compare", "repository: ${{ job.workflow_repository }}", "repository: ${{ github.repository }}"},
	{"inputs", "compare", "BASE: ${{ inputs.base }}", "BASE: ${{ github.event.pull_request.title }}"},
	{"zips stay zips", "compare", "          skip-decompress: true\n", ""},
	{"caches", "compare", "          cache: false\n", ""},
	{"triggers", "publish", "  workflow_call:\n", "  push:\n  workflow_call:\n"},
	{"grants", "publish", "      contents: write # commits", "      issues: write\n      contents: write # commits"},
	{"no secret, and no token beside foreign code", "publish", "          ROUNDS: ${{ fromJSON(needs.plan.outputs.plan).rounds }}\n", "          GITHUB_TOKEN: ${{ github.token }}\n"},
	{"checkouts", "publish", "ref: ${{ job.workflow_sha }}", "ref: main"},
	{"checkouts", "publish", "ref: ${{ github.ref }} #", "ref: ${{ inputs.server }} #"},
	{"zips stay zips", "publish", "          skip-decompress: true\n", ""},
	{"concurrency", "publish", "group: fairstream-history", "group: history"},
	{"the machine", "ci", "runs-on: ubuntu-24.04", "runs-on: self-hosted"},
	{"the machine", "ci", "runs-on: ubuntu-24.04", "runs-on: [fairstream-main]"},
	{"the machine", "pages", "runs-on: ubuntu-24.04", "runs-on: ${{ inputs.runner }}"},
	{"the machine", "load", "inputs.lane }}\n    #", "inputs.other }}\n    #"},
	{"the machine", "pull-request", "lane: pr\n", "lane: main\n"},
	{"the machine", "pages", "jobs:\n", "jobs:\n  load:\n    permissions: {}\n    concurrency: {group: fairstream-machine, cancel-in-progress: false, queue: max}\n    uses: ./.github/workflows/load.yml\n"},
	{"the machine", "ci", "jobs:\n", "jobs:\n  load:\n    permissions: {}\n    concurrency: {group: fairstream-machine, cancel-in-progress: false, queue: max}\n    uses: ./.github/workflows/load.yml\n"},
	{"the machine", "benchmark", "uses: ./.github/workflows/pages.yml", "uses: ./.github/workflows/ci.yml"},
	{"concurrency", "benchmark", "queue: max", "queue: maxx"},
	{"concurrency", "pull-request", "      queue: max", "      queue: single"},
	{"concurrency", "benchmark", "cancel-in-progress: false\n      queue: max", "cancel-in-progress: true\n      queue: max"},
	{"concurrency", "benchmark", "group: fairstream-history", "group: history"},
	{"concurrency", "pull-request", "group: fairstream-machine", "group: machine-${{ github.ref }}"},
	{"concurrency", "pull-request", "  cancel-in-progress: false\n  queue: max\njobs:", "  cancel-in-progress: true\njobs:"},
	{"concurrency", "ci", "  cancel-in-progress:", "  cancel-in-progres:"},
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
	{"one command a step", "action setup", "    - uses: actions/setup-go", "    - run: echo ${{ inputs.servers }}\n      shell: sh\n    - uses: actions/setup-go"},
	{"branches in full", "pages", "-history refs/remotes/origin/gh-pages", "-history gh-pages"},
	{"inputs", "benchmark", "          GITHUB_TOKEN:", "          REASON: ${{ inputs.reason }}\n          GITHUB_TOKEN:"},
	{"inputs", "pull-request", "          GITHUB_TOKEN:", "          TITLE: ${{ github.event.workflow_run.display_title }}\n          GITHUB_TOKEN:"},
	{"inputs", "ci", "          servers: true", "          servers: ${{ github.head_ref }}"},
	{"zips stay zips", "benchmark", "          skip-decompress: true\n", ""},
	{"zips stay zips", "pull-request", "path: ${{ runner.temp }}/records", "path: records"},
	{"inputs that actions have", "load", "if-no-files-found: error", "if-no-file-found: error"},
	{"chart suites", "benchmark", "name: throughput, records", "name: throughput; records"},
	{"grants", "benchmark", leaderboardJob + "    permissions:\n      contents: read", leaderboardJob + "    permissions:\n      contents: write"},
	{"nothing is granted to a whole workflow", "benchmark", "permissions: {}\n", "permissions: {contents: read}\n"},
	{"the machine", "benchmark", "outputs.leaderboard }}\n      lane: main", "outputs.leaderboard }}\n      lane: pr"},
	{"concurrency", "benchmark", leaderboardJob + rankGroup, leaderboardJob + strings.Replace(rankGroup, "fairstream-machine", "leaderboard", 1)},
	{"what was loaded is waited for", "benchmark", "needs: [plan, load, leaderboard, comparison]\n    # A failed or", "needs: [plan, load, comparison]\n    # A failed or"},
	{"what was loaded is waited for", "benchmark", "!cancelled() && ", ""},
	{"what was loaded is waited for", "benchmark", "${{ always() && needs.plan.result", "${{ needs.plan.result"},
	{"what was loaded is waited for", "pull-request", "needs: [plan, announce, load]", "needs: [plan, announce]"},
	{"chart suites", "benchmark", fmt.Sprintf("records v%d", record.Schema), "records v0"},
	{"chart suites", "benchmark", "tool: customBiggerIsBetter", "tool: customSmallerIsBetter"},
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
