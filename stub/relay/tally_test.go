package relay

import (
	"fmt"
	"maps"
	"regexp"
	"testing"

	"fairstream/stub/common"
	"fairstream/stub/common/stubtest"
)

// tokensOf is what the stub tells of the tokens that it wrote.
func tokensOf(t *testing.T, addr string) map[string]int64 {
	t.Helper()
	var stats struct{ Tokens map[string]int64 }
	dial(t, addr).get("/stats", &stats)
	return stats.Tokens
}

// The count equals the tokens that the client received, in streams that end early too.
func TestTokensAreCountedAsTheClientReceivesThem(t *testing.T) {
	_, addr := start(t)
	token, want := regexp.MustCompile(`"content":"[0-9]+:`), map[string]int64{}
	for i, directives := range []string{
		"", "@end=2", "@cut=4", "@error=0", "@error=3", "@status=500", "@json=1", "@size=0", "@packet=2.5", "@packet=2.5 @cut=3", "@write=7",
	} {
		name := fmt.Sprint("case-", i)
		// How it ends is for other tests: a cut is an error.
		_, body, _ := dial(t, addr).body("hello @tokens=5 @itl=0s @tally=" + name + " " + directives)
		want[name] = int64(len(token.FindAllString(body, -1)))
	}
	dial(t, addr).ask(chatBody("hello @tokens=7 @itl=0s", false))
	want[""] = 7
	stubtest.Eventually(t, "the stub tells of as many tokens as came", func() bool { return maps.Equal(tokensOf(t, addr), want) })
	if want["case-0"] != 5 || want["case-2"] != 4 || want["case-5"] != 0 {
		t.Errorf("the clients received %v", want)
	}
}

func TestTokensOfAStreamThatIsBeingSentCount(t *testing.T) {
	_, addr := start(t)
	dial(t, addr).ask(chatBody("@tokens=2 @itl=0s @tally=go-http@base", false))
	next := dial(t, addr).begin(chatBody("@tokens=9 @stall=3 @itl=0s @tally=go-http@base", false))
	for range 1 + 3 { // the role comes first
		next()
	}
	stubtest.Eventually(t, "2 and 3 tokens are told", func() bool { return tokensOf(t, addr)["go-http@base"] == 5 })
}

func TestNamesOfTalliesAreBounded(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for i := range common.MaxTallies {
		c.ask(chatBody(fmt.Sprint("@tokens=0 @itl=0s @tally=", i), false))
	}
	c.write(post(chatBody("@tally=another", false)))
	c.isError(400, "directive @tally=another: more than 1024 names")
	if n := len(tokensOf(t, addr)); n != common.MaxTallies {
		t.Errorf("%d names, want %d", n, common.MaxTallies)
	}
}
