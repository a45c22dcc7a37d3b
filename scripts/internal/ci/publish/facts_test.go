package publish

import "testing"

func TestPagesSite(t *testing.T) {
	for repository, want := range map[string]string{
		"https://github.com/Acme/fairstream":     "https://acme.github.io/fairstream/",
		"https://github.com/acme/Acme.github.io": "https://acme.github.io/",
		"https://git.example.org/acme/x":         "",
		"":                                       "",
	} {
		if got := pagesSite(repository); got != want {
			t.Errorf("%q: %q, want %q", repository, got, want)
		}
	}
}
