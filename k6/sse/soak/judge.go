package main

import (
	"fmt"
	"io"
	"math"
)

// noiseBytes is what the live heap of a k6 that keeps nothing goes up and down
// by: requests under way and k6's buffers of samples, 0.4 MB at 16,000 streams per second.
const noiseBytes = 1 * mb

// perHour is a rate of streams for which growth is told, that of the stress
// scenario on two cores.
const perHour = 2500 * 3600

// judge prints what memory grows by, as a line through all readings, and
// returns an error if the module's grew.
func judge(clients []*client, out io.Writer) (err error) {
	fmt.Fprintf(out, "\ngrowth      live B/stream  RSS B/stream  live MB/h  RSS MB/h   in an hour of 2,500 streams/s: live, RSS   (of streams)\n")
	for _, k := range clients {
		if len(k.seen) < 3 {
			return fmt.Errorf("%d readings; want 3 or more: lengthen -for or shorten -every", len(k.seen))
		}
		var hours, streams, live, rss []float64
		for _, r := range k.seen {
			hours, streams = append(hours, r.at.Sub(k.seen[0].at).Hours()), append(streams, float64(r.streams))
			live, rss = append(live, r.live), append(rss, r.rss)
		}
		ended := streams[len(streams)-1] - streams[0]
		liveEach, rssEach := slope(streams, live), slope(streams, rss)
		fmt.Fprintf(out, "%-10s %14.1f %13.1f %10.1f %9.1f   %5.0f MB, %.0f MB   (%.0f)\n", k.name, liveEach, rssEach,
			slope(hours, live)/mb, slope(hours, rss)/mb, liveEach*perHour/mb, rssEach*perHour/mb, ended)
		grown := liveEach * ended
		if k.name == "bare" && grown > noiseBytes {
			err = fmt.Errorf("bare: the live heap grew by %.1f MB in %.0f streams; want less than %.0f MB: the module keeps something of each",
				grown/mb, ended, noiseBytes/mb)
		}
	}
	return err
}

// slope is that of the line of least squares through points; NaN for fewer than two.
func slope(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	n := float64(len(x))
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
	}
	for i := range x {
		dx := x[i] - sx/n
		sxx, sxy = sxx+dx*dx, sxy+dx*(y[i]-sy/n)
	}
	if sxx == 0 {
		return math.NaN()
	}
	return sxy / sxx
}
