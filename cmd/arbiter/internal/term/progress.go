package term

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"
)

// clearLine erases the line of the cursor.
const clearLine = "\r\x1b[K"

// Progress is a line that shows how far a long piece of work has come. It draws only on terminals, and several workers
// may report to it concurrently.
type Progress struct {
	Out    io.Writer
	Screen Screen
	Noun   string // what is counted
	AtMost bool   // the work may end before the total

	mu       sync.Mutex
	began    time.Time
	nextDraw time.Time // when to draw again
	shown    bool
}

// Work that ends within progressDelay draws nothing. Redraws are at least redrawInterval apart, because a terminal is
// slower than the work.
const (
	progressDelay  = 300 * time.Millisecond
	redrawInterval = 50 * time.Millisecond
)

// barWidth is the width of the bar itself, in columns.
const barWidth = 30

// Set reports that done of total are finished.
func (p *Progress) Set(done, total int) {
	if !p.Screen.Terminal || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.nextDraw.IsZero() {
		p.began, p.nextDraw = now, now.Add(progressDelay)
	}
	if now.Before(p.nextDraw) {
		return
	}
	p.nextDraw, p.shown = now.Add(redrawInterval), true
	full, empty := "#", "."
	if p.Screen.Unicode {
		full, empty = "█", "░"
	}
	n := min(barWidth, max(0, done*barWidth/total))
	spent, at := now.Sub(p.began), ""
	if p.AtMost {
		at = "at most "
	}
	line := fmt.Sprintf("%s%s %d of %s%d %s%s", strings.Repeat(full, n), strings.Repeat(empty, barWidth-n), done, at, total, p.Noun, rate(spent, done))
	if rest := timeLeft(spent, done, total); rest != "" {
		line += ", " + at + rest
	}
	if p.Screen.Width > 0 { // a line that is broken cannot be drawn over
		line = p.Screen.Cut(line, p.Screen.Width-1)
	}
	fmt.Fprint(p.Out, clearLine+line)
}

// rate formats how many are done per second, to two digits, once it can be estimated.
func rate(spent time.Duration, done int) string {
	if spent < time.Second || done == 0 {
		return ""
	}
	per := float64(done) / spent.Seconds()
	if per < 10 {
		return fmt.Sprintf(", %.1f a second", per)
	}
	tens := math.Pow(10, math.Floor(math.Log10(per))-1)
	return fmt.Sprintf(", %.0f a second", math.Round(per/tens)*tens)
}

// timeLeft formats the remaining time at the average speed so far, if it is worth mentioning.
func timeLeft(spent time.Duration, done, total int) string {
	if done <= 0 {
		return ""
	}
	switch rest := time.Duration(float64(spent) / float64(done) * float64(total-done)); {
	case rest < 2*time.Second:
		return ""
	case rest < 2*time.Minute:
		return fmt.Sprintf("%d s left", int(rest.Seconds()))
	case rest < 2*time.Hour:
		return fmt.Sprintf("%d min left", int(rest.Minutes()))
	default:
		return fmt.Sprintf("%d h left", int(rest.Hours()))
	}
}

// Clear erases the line.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.Out, clearLine)
		p.shown = false
	}
}
