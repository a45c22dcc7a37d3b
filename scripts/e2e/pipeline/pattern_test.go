package pipeline

import (
	"strings"
	"testing"
)

// The name of one server may begin as that of another one in the same workflow.
func TestAReportDownloadsTheRecordsOfItsServerAlone(t *testing.T) {
	all, err := parse(map[string]string{"workflows/compare.yml": ours(t)["workflows/compare.yml"]})
	if err != nil {
		t.Fatal(err)
	}
	const expression = "${{ steps.plan.outputs.server }}"
	found := 0
	eachStep(all, func(_ workflow, s step) string {
		if s.action() != "actions/download-artifact" {
			return ""
		}
		found++
		pattern := strings.ReplaceAll(s.With["pattern"], expression, "http.shop")
		for name, want := range map[string]bool{"records-http.shop-1": true, "records-http.shop-12": true, "records-http.shop.functions-1": true,
			"records-http.shop-two-1": false, "records-http.shop-2-1": false, "records-http.my-shop-1": false, "records-http.shop-": false} {
			if matches(pattern, name) != want {
				t.Errorf("%s matches %s: %v, want %v", pattern, name, !want, want)
			}
		}
		return ""
	})
	if found != 1 {
		t.Errorf("%d steps download artifacts, want 1", found)
	}
}
