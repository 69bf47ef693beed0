package replaypage

import (
	"arbiter/interp/replay"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"arbiter/cmd/arbiter/internal/browsertest"
	"arbiter/interp/build"
	"arbiter/interp/session"
	"arbiter/rules"
)

// This file opens replays in a browser, from files, as somebody who got one in the mail.

func TestMain(m *testing.M) { browsertest.Main(m) }

// tab is a replay in a browser.
type tab struct{ *browsertest.Page }

// openPage writes a page and opens it.
func openPage(t *testing.T, d *replay.Document, width, height int64) *tab {
	t.Helper()
	text, err := Page(d)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fight.html")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	b := &tab{browsertest.Open(t, "file://"+file, width, height)}
	b.Until("the fight", "document.querySelector('.fight-view .where')?.textContent")
	return b
}

// at is how many events have happened, as the slider says.
func (b *tab) at() int {
	return browsertest.Eval[int](b, "document.querySelector('.track input').valueAsNumber")
}

// follow moves the slider, and waits until the page has followed.
func (b *tab) follow(n int) {
	b.T.Helper()
	browsertest.Eval[bool](b, fmt.Sprintf("(s => { s.value = %d; s.dispatchEvent(new Event('input')); return true })(document.querySelector('.track input'))", n))
	b.Until(fmt.Sprint("event ", n), fmt.Sprintf("document.querySelector('.where').textContent.includes('%d / ')", n))
}

// The page shows, at events that are jumped to, what the document says of them: where everybody stands, what is left
// of them, and the line of the transcript.
func TestScrub(t *testing.T) {
	d := record(t, "../../../../examples/ambush.encounter")
	b := openPage(t, d, 1440, 900)
	states := []replay.State{d.Start}
	for i := range d.Events {
		states = append(states, states[i].Apply(d.Events[i].Change))
	}
	pool := slices.IndexFunc(d.Resources, func(r replay.Resource) bool { return r.Sort == "pool" })
	shown := 0
	for _, n := range []int{len(d.Events), 0, 1, len(d.Events) / 2, len(d.Events)/2 + 1, len(d.Events)/2 - 1, 300, len(d.Events) - 1} {
		b.follow(n)
		s := states[n]
		for who := range s.Creatures {
			x := &s.Creatures[who]
			at := browsertest.Eval[[]float64](b, fmt.Sprintf("(t => { const m = t && new DOMMatrix(getComputedStyle(t).transform); return m ? [m.e, m.f] : [] })(document.querySelector('.token[data-who=\"%d\"]'))", who))
			if len(at) != 2 || at[0] != float64(20*x.At[0]+10*x.Width) || at[1] != float64(20*x.At[1]+10*x.Width) {
				if !slices.ContainsFunc(s.Creatures[:who], func(o replay.CreatureState) bool { return slices.Equal(o.At, x.At) }) { // it stands aside
					t.Errorf("after %d events %s is drawn at %v, but stands at %v", n, d.Creatures[who].Name, at, x.At)
				}
			}
			for _, a := range x.Amounts {
				if a.Of == pool {
					want := fmt.Sprintf("%d/%d", a.Value, *a.High)
					if got := browsertest.Eval[string](b, fmt.Sprintf("[...document.querySelectorAll('.order li')].find(l => l.querySelector('.name').textContent === %q).querySelector('.left').textContent", d.Creatures[who].Name)); got != want {
						t.Errorf("after %d events %s has %s, want %s", n, d.Creatures[who].Name, got, want)
					}
				}
			}
		}
		if n > 0 && d.Events[n-1].Text != "" {
			b.Until("the current line", "document.querySelector('.event.current')")
			shown++
			if !browsertest.Eval[bool](b, "(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('.event.current').getBoundingClientRect())") {
				t.Errorf("after %d events the current line is out of view", n)
			}
		}
	}
	if shown < 4 {
		t.Errorf("only %d lines were current", shown)
	}
}

// All is done by the keyboard: steps, turns, rounds, playing, opening a number down to the text of its rule.
func TestKeyboard(t *testing.T) {
	d := record(t, "../../../../examples/duel/srd35.encounter")
	b := openPage(t, d, 1440, 900)
	round := 1 + slices.IndexFunc(d.Events, func(e replay.Event) bool { return e.Kind == "round" })
	turn := 1 + slices.IndexFunc(d.Events, func(e replay.Event) bool { return e.Kind == "turn" })
	check := 1 + slices.IndexFunc(d.Events, func(e replay.Event) bool { return e.Name == "strike.to-hit" })
	for _, step := range []struct {
		keys string
		with []kb.Modifier
		want int
	}{
		{kb.End, nil, len(d.Events)}, {kb.ArrowLeft, nil, len(d.Events) - 1}, {kb.Home, nil, 0}, {kb.ArrowRight, nil, 1},
		{kb.PageDown, nil, round}, {kb.Home, nil, 0}, {kb.ArrowRight, []kb.Modifier{kb.ModifierShift}, turn}, {kb.ArrowLeft, []kb.Modifier{kb.ModifierShift}, 0},
	} {
		if b.Press(step.keys, step.with...); b.at() != step.want {
			t.Errorf("%q leads to event %d, want %d", step.keys, b.at(), step.want)
		}
	}
	b.Press(" ")
	b.Until("that it plays", "document.querySelector('.track input').valueAsNumber > 1")
	b.Press(" ")
	stopped := b.at()
	time.Sleep(900 * time.Millisecond)
	if b.at() != stopped {
		t.Error("it plays on after a pause")
	}
	b.Press(kb.Home)
	for range check {
		b.Press(kb.ArrowRight)
	}
	if text := browsertest.Eval[string](b, "document.querySelector('.details h2').textContent"); !strings.Contains(text, "strike.to-hit#1: 19 + 7 = 26 against 13") {
		t.Errorf("the event is %q", text)
	}
	// By Tab to the terms, and by the space bar into one.
	for range 60 {
		b.Press(kb.Tab)
		if browsertest.Eval[bool](b, "document.activeElement.matches('.details button.term')") {
			break
		}
	}
	label := browsertest.Eval[string](b, "document.activeElement.textContent")
	b.Press(kb.Enter)
	if !browsertest.Eval[bool](b, "document.activeElement.getAttribute('aria-expanded') === 'true' && document.querySelector('.details .rule pre')?.textContent.length > 0 && /rules\\/.+:\\d+/.test(document.querySelector('.details .rule .place').textContent)") {
		t.Errorf("%s does not open to its rule:\n%s", label, browsertest.Eval[string](b, "document.querySelector('.details').innerText"))
	}
}

// At the width of a phone nothing hangs over, and the numbers are behind a tab.
func TestPhone(t *testing.T) {
	b := openPage(t, record(t, "../../../../examples/ambush.encounter"), 390, 844)
	b.follow(174)
	if wide := browsertest.Eval[int](b, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page is %d wide", wide)
	}
	for _, tab := range []string{"details", "who", "transcript"} {
		browsertest.Eval[bool](b, fmt.Sprintf("(document.querySelector('.tabs [data-tab=%s]').click(), true)", tab))
		if !browsertest.Eval[bool](b, fmt.Sprintf("document.querySelector('.panes .%s').checkVisibility()", tab)) {
			t.Errorf("%s is not shown", tab)
		}
	}
	small := browsertest.Eval[[]string](b, "[...document.querySelectorAll('.controls button')].filter(e => e.checkVisibility() && (e.offsetWidth < 24 || e.offsetHeight < 24)).map(e => e.className)")
	if len(small) > 0 {
		t.Errorf("too small for a finger: %v", small)
	}
}

// A hostile name is shown as a text.
func TestHostileReplay(t *testing.T) {
	d := record(t, "../../../../examples/ambush.encounter")
	d.Title, d.Creatures[0].Name, d.Sides[0], d.Ground[0].Names = hostile, hostile, hostile, []string{hostile}
	d.Events[0].Text, d.Rules[0].Text = hostile, hostile
	b := openPage(t, d, 1440, 900)
	b.Press(kb.ArrowRight)
	if got := browsertest.Eval[string](b, "document.querySelector('h1').textContent"); got != hostile {
		t.Errorf("the title is %q", got)
	}
	if browsertest.Eval[int](b, "document.querySelectorAll('img').length") != 0 {
		t.Error("a name has become an element")
	}
}

// The page has no serious fault of accessibility, wide or narrow, light or dark.
func TestAccessible(t *testing.T) {
	browsertest.NeedsAxe(t)
	for _, of := range []struct {
		path          string
		width, height int64
	}{{"ambush.encounter", 1440, 900}, {"ambush.encounter", 390, 844}, {"duel/srd35.encounter", 1440, 900}} {
		t.Run(fmt.Sprintf("%s-%d", of.path, of.width), func(t *testing.T) {
			b := openPage(t, record(t, "../../../../examples/"+of.path), of.width, of.height)
			b.follow(19)
			for _, scheme := range []string{"light", "dark"} {
				b.Prefer(scheme)
				b.Accessible(scheme)
			}
		})
	}
}

// battle is a fight of 24 creatures on 60 by 60 squares that lasts 200 rounds.
func battle() string {
	r := rand.New(rand.NewPCG(5, 5))
	rows := make([][]byte, 60)
	for y := range rows {
		rows[y] = []byte(strings.Repeat(".", 60))
		for x := range rows[y] {
			switch {
			case x == 0 || y == 0 || x == 59 || y == 59:
				rows[y][x] = '#'
			case x > 14 && x < 45 && r.IntN(14) == 0:
				rows[y][x] = "#=T:~,"[r.IntN(6)]
			}
		}
	}
	var b strings.Builder
	b.WriteString(`encounter "A battle" with srd35
creature fighter { level: 4; full-hit-points: 9000; base-attack: 4; strength: 16; dexterity: 14; main-weapon: longsword; worn-armor: chain-shirt }
creature bowman { level: 4; full-hit-points: 9000; base-attack: 4; dexterity: 18; main-weapon: longbow; belongings: shortsword }
map """
`)
	for _, row := range rows {
		fmt.Fprintf(&b, "  %s\n", row)
	}
	b.WriteString("  \"\"\" { \"#\": wall; \"=\": low-wall; \"T\": tree; \":\": rubble; \"~\": shallow-water; \",\": undergrowth }\n")
	for s, side := range []string{"north", "south"} {
		fmt.Fprintf(&b, "side %s {\n", side)
		for i := range 12 {
			kind := "fighter"
			if i%3 == 0 {
				kind = "bowman"
			}
			fmt.Fprintf(&b, "  %s %c%d at (%d, %d)\n", kind, side[0]-32, i+1, 6+s*46, 4+i*4)
		}
		b.WriteString("}\n")
	}
	b.WriteString("seed 3\nfight on for 200 rounds\n")
	return b.String()
}

// taskTime is how long the page has worked so far, in milliseconds of its own thread.
func (b *tab) taskTime() float64 {
	b.T.Helper()
	r, err := chromedp.Call(b.Ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		b.T.Fatal(err)
	}
	for _, m := range r.Metrics {
		if m.Name == "TaskDuration" {
			return 1000 * m.Value
		}
	}
	b.T.Fatal("the browser does not say how long it has worked")
	return 0
}

// Dragging the slider through a large fight stays smooth: the page has done with a position in time for the next of 30
// frames a second. Its work is measured by the clock of its own thread, as what else the machine does is none of its
// business; how long frames take is only told.
func TestLargeFight(t *testing.T) {
	if testing.Short() {
		t.Skip("a large fight is not tried out: -short")
	}
	s, diags, err := build.Source("battle.encounter", []byte(battle()), build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	d := session.Run(s, session.Options{Record: true}).Replay
	if d.Rounds < 200 || len(d.Creatures) != 24 || d.Cut != nil {
		t.Fatalf("%d rounds, %d creatures, cut: %v", d.Rounds, len(d.Creatures), d.Cut)
	}
	b := openPage(t, d, 1440, 900)
	if _, err := chromedp.Call(b.Ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		t.Fatal(err)
	}
	for _, way := range []struct{ name, position string }{
		{"a sweep", "i * Math.floor(max / 120)"}, {"event by event", "Math.floor(max / 2) + i"}, {"here and there", "(i * 7919) % max"},
	} {
		before := b.taskTime()
		frames := browsertest.Eval[[]float64](b, fmt.Sprintf(`(async () => {
			const slider = document.querySelector(".track input"), max = +slider.max, frame = () => new Promise(r => requestAnimationFrame(r)), list = [];
			let last = await frame();
			for (let i = 0; i < 120; i++) {
				slider.value = %s;
				slider.dispatchEvent(new Event("input"));
				const now = await frame();
				list.push(now - last);
				last = now;
			}
			return list;
		})()`, way.position))
		work := (b.taskTime() - before) / float64(len(frames))
		slices.Sort(frames)
		t.Logf("%s through %d events: %.1f ms of work for a position; a frame takes %.1f ms, and %.1f at the 95th percentile", way.name, len(d.Events), work, frames[len(frames)/2], frames[len(frames)*95/100])
		if work > 33 {
			t.Errorf("%s takes %.1f ms of work for a position", way.name, work)
		}
	}
}
