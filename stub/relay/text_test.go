package relay

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestTextsDecodeToWhatTheySay(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	for name, padding := range map[string]string{
		"dots":   ".",
		"utf8":   "héllo 漢字 😀 ",
		"tricky": "\n\ndata: [DONE]\n\n data: {\"a\":1} [DONE] \r\n \u2028 😀 \\ \" <&> ",
	} {
		// ask fails on an event that does not end where it should.
		events := c.ask(chatBody("@tokens=3 @itl=0s @size=300 @text="+name, false))
		if len(events) != 6 {
			t.Fatalf("%s: %d events, want 6", name, len(events))
		}
		for i, event := range events[1:4] {
			form := regexp.MustCompile(fmt.Sprintf(`^%d:[0-9a-z]{12}(%s)+ $`, i, regexp.QuoteMeta(padding)))
			if content := contentOf(t, event); !form.MatchString(content) || strings.Count(content, padding) < 2 {
				t.Errorf("%s: token %d is %q", name, i, content)
			}
		}
	}
}
