package swallowed

import (
	"os"
	"testing"
)

func TestSwallow(t *testing.T) {
	f, err := os.Open("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	os.Remove("nothing")
}
