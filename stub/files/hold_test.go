package files

import (
	"testing"
	"time"

	"fairstream/stub/common"
	"fairstream/stub/files/content"
)

func TestHeldPieceIsNotSentBeforeItsRelease(t *testing.T) {
	for _, directives := range []string{"", ",chunked", ",close"} {
		s, addr := start(t)
		c, other := dial(t, addr), dial(t, addr)
		r := c.ask("GET", prefix+"10k-1,id=a,hold,piece=3k"+directives) // the head is not held
		want := content.Text(10_000, 1)
		for i, size := range []int{3_000, 3_000, 3_000, 1_000} {
			c.isSilent()
			if n := s.Journal.Find("a", false)[0].Events; n != i {
				t.Fatalf("%d pieces sent, %d released", n, i)
			}
			other.release("a", 1)
			if piece := c.take(r.Body, size); piece != string(want[:size]) {
				t.Errorf("piece %d is %.40q, want %.40q", i, piece, want[:size])
			}
			want = want[size:]
		}
		ends(t, s, "a", common.Completed)
	}
}

func TestHeldFileOfOnePieceWaitsAfterItsHead(t *testing.T) {
	_, addr := start(t)
	c := dial(t, addr)
	r := c.ask("GET", prefix+"8k-1,id=a,hold")
	c.isSilent()
	dial(t, addr).release("a", 1)
	c.take(r.Body, 8_000)
}

// A fault comes after the pieces before it, which are held too.
func TestFaultOfAHeldFileWaitsForItsPieces(t *testing.T) {
	s, addr := start(t)
	c := dial(t, addr)
	r := c.ask("GET", prefix+"10k-1,id=a,hold,piece=3k,end=5k")
	other := dial(t, addr)
	other.release("a", 1)
	c.take(r.Body, 3_000)
	c.isSilent()
	other.release("a", 1)
	c.take(r.Body, 2_000)
	c.isClosed()
	ends(t, s, "a", common.Faulted)
}

func TestPiecesComeNoEarlierThanAskedFor(t *testing.T) {
	const headers, pace = 40 * time.Millisecond, 15 * time.Millisecond
	_, addr := start(t)
	c := dial(t, addr)
	started := time.Now()
	r := c.ask("GET", prefix+"50-1,piece=10,pace=15ms,headers=40ms")
	for i := range 5 {
		if i > 0 {
			c.take(r.Body, 10)
		}
		if came, due := time.Since(started), headers+time.Duration(max(0, i))*pace; i > 0 && came < due {
			t.Errorf("piece %d came after %v, want %v at least", i, came, due)
		} else if i == 0 {
			if came < headers {
				t.Errorf("the header came after %v, want %v at least", came, headers)
			}
			c.take(r.Body, 10)
		}
	}
}
