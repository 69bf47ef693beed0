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

// Widths of the bar itself, in columns: where the line is too long for the screen, the bar is shortened first, and then
// what stands beside it.
const (
	barWidth = 30
	shortBar = 10
)

// echoWidth is how many columns are kept free behind the line: a line that is broken by the ^C that a terminal echoes
// cannot be drawn over.
const echoWidth = 3

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
	width, text := barWidth, p.texts(now.Sub(p.began), done, total)
	if p.Screen.Width > 0 {
		room := p.Screen.Width - echoWidth
		for len(text) > 1 && room-shortBar < Columns(text[0]) {
			text = text[1:]
		}
		text[0] = p.Screen.Cut(text[0], room-shortBar)
		width = min(barWidth, room-Columns(text[0]))
	}
	n := min(width, max(0, done*width/total))
	fmt.Fprint(p.Out, clearLine+strings.Repeat(full, max(n, 0))+strings.Repeat(empty, max(width-n, 0))+text[0])
}

// texts are what may stand beside the bar, from the longest to the shortest.
func (p *Progress) texts(spent time.Duration, done, total int) []string {
	at := ""
	if p.AtMost {
		at = "at most "
	}
	left := timeLeft(spent, done, total)
	if left != "" {
		left = ", " + at + left
	}
	of := fmt.Sprintf(" %d of %s%d %s", done, at, total, p.Noun)
	return []string{of + rate(spent, done) + left, of + left, fmt.Sprintf(" %d %s", done, p.Noun) + left}
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
