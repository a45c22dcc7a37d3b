package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// Width is the columns of the terminal, within readable limits. It is the greatest for files and logs.
func Width() int {
	const narrow, wide = 72, 100
	size, err := unix.IoctlGetWinsize(int(os.Stdout.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return wide
	}
	return min(max(int(size.Col), narrow), wide)
}
