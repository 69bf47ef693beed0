package session

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/replay"
	"arbiter/interp/view"
	"arbiter/rules"
)

// This file tests that a replay is what happened: that the state that is rebuilt from the document is that of the game,
// and that recording changes nothing.

// examples returns all encounters and adventures of the examples.
func examples(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "parties" { // they have nobody to fight
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); err == nil && (ext == ".encounter" || ext == ".adventure") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatal(err, paths)
	}
	return paths
}

func TestReplayOfExamples(t *testing.T) {
	for _, path := range examples(t) {
		s, diags, err := build.File(path, build.Options{Library: rules.FS})
		if err != nil || diags.HasErrors() {
			t.Fatal(path, err, diags)
		}
		if s.IsPart() {
			continue
		}
		t.Run(path, func(t *testing.T) {
			plain := Run(s, Options{})
			p := newPlayer(s, Options{Record: true})
			var seen []gameState
			p.recorder.onCompared = func() { seen = append(seen, stateOfGame(p)) }
			if s.Story != nil {
				w := walker{p: p, taken: map[[2]int64]int{}}
				p.playOpening(s)
				w.walk()
			} else {
				p.run(s.File.Body)
			}
			p.finish()
			if p.result.Hash != plain.Hash || !reflect.DeepEqual(p.result.Events, plain.Events) {
				t.Error("recording has changed the run")
			}
			d := reread(t, p.result.Replay)
			states := replayStates(t, d)
			compareWithGame(t, d, states, seen)
			compareWithEvents(t, d, states, p.result.Events)
			checkReplayIndexes(t, d)
			again, _ := json.Marshal(Run(s, Options{Record: true}).Replay)
			if first, _ := json.Marshal(p.result.Replay); string(again) != string(first) {
				t.Error("the document differs from run to run")
			}
		})
	}
}

// reread returns a document as another program reads it.
func reread(t *testing.T, d *replay.Document) *replay.Document {
	t.Helper()
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var x replay.Document
	if err := json.Unmarshal(text, &x); err != nil {
		t.Fatal(err)
	}
	return &x
}

// replayStates rebuilds the state before the first event and after each, and checks the frames on the way.
func replayStates(t *testing.T, d *replay.Document) []replay.State {
	t.Helper()
	states := []replay.State{d.Start}
	for i := range d.Events {
		states = append(states, states[i].Apply(d.Events[i].Change))
	}
	for _, f := range d.Frames {
		got, _ := json.Marshal(f.State)
		if want, _ := json.Marshal(states[f.Event]); string(got) != string(want) {
			t.Errorf("the frame after %d events is not the state there:\n%s\n%s", f.Event, got, want)
		}
	}
	if n := len(d.Events) / frameDistance; n > 0 && len(d.Frames) == 0 {
		t.Errorf("no frame in %d events", len(d.Events))
	}
	return states
}

// gameState is the state of the game as screens show it, after the first events of a replay.
type gameState struct {
	events, round int
	turn          string
	fighters      []view.Fighter
	order         []view.Place
	ground        []string // names of the ground, square by square
}

func stateOfGame(p *player) gameState {
	s := p.m.State()
	x := gameState{events: len(p.recorder.doc.Events), round: int(s.Order.Round()), order: p.viewBuilder().order()}
	if who := s.Order.Current(); s.InFight && who >= 0 {
		x.turn = p.nameOf(int64(who))
	}
	for i := range p.members {
		if i < len(s.Entities) && !s.Entities[i].Away {
			x.fighters = append(x.fighters, p.viewBuilder().fighter(int32(i)))
		}
	}
	if f := p.field; f != nil {
		for i := range f.Width * f.Height {
			x.ground = append(x.ground, strings.Join(f.At(i%f.Width, i/f.Width).Names, ","))
		}
	}
	return x
}

// compareWithGame compares the states of a replay with those of the game between commands.
func compareWithGame(t *testing.T, d *replay.Document, states []replay.State, seen []gameState) {
	t.Helper()
	compared := 0
	for i, game := range seen {
		if i+1 < len(seen) && seen[i+1].events == game.events {
			continue // what changed since belongs to the same event
		}
		s := states[game.events]
		compared++
		if turn := nameAt(d, s.Turn); turn != game.turn || s.Round != game.round {
			t.Errorf("after %d events it is the turn of %q in round %d, want %q in %d", game.events, turn, s.Round, game.turn, game.round)
		}
		for k, e := range s.Order {
			if k >= len(game.order) || nameAt(d, e.Who) != game.order[k].Who || !slices.Equal(e.Keys, game.order[k].Keys) {
				t.Errorf("after %d events the order is %v, want %v", game.events, s.Order, game.order)
				break
			}
		}
		if s.Map >= 0 {
			compareGround(t, d, &d.Maps[s.Map], game.ground)
		}
		here := 0
		for k := range s.Creatures {
			if x := &s.Creatures[k]; x.Here {
				here++
				n := slices.IndexFunc(game.fighters, func(f view.Fighter) bool { return f.Name == d.Creatures[k].Name })
				if n < 0 {
					t.Errorf("after %d events, %s is not in the game", game.events, d.Creatures[k].Name)
					continue
				}
				compareCreature(t, d, game.events, x, &game.fighters[n])
			}
		}
		if here != len(game.fighters) {
			t.Errorf("after %d events %d creatures are here, want %d", game.events, here, len(game.fighters))
		}
		if t.Failed() {
			return
		}
	}
	if compared < 3 {
		t.Errorf("only %d states were compared", compared)
	}
}

func nameAt(d *replay.Document, who int) string {
	if who < 0 {
		return ""
	}
	return d.Creatures[who].Name
}

func compareGround(t *testing.T, d *replay.Document, m *replay.Map, want []string) {
	t.Helper()
	names := map[string]string{}
	for _, g := range d.Ground {
		names[g.Sign] = strings.Join(g.Names, ",")
	}
	var got []string
	for _, row := range m.Rows {
		for _, sign := range d.Rows[row] {
			got = append(got, names[string(sign)])
		}
	}
	if !slices.Equal(got, want) {
		t.Error("the map is another one")
	}
}

func compareCreature(t *testing.T, d *replay.Document, events int, x *replay.CreatureState, want *view.Fighter) {
	t.Helper()
	at := []int{}
	if want.Position != nil {
		at = want.Position[:]
	}
	if !slices.Equal(x.At, at) || x.Width != want.Width || x.Down != want.Down {
		t.Errorf("after %d events %s is at %v, %d wide, down: %t; want %v, %d, %t", events, want.Name, x.At, x.Width, x.Down, at, want.Width, want.Down)
	}
	for i, list := range [][]view.Amount{want.Turn, want.Reactions, want.Pools, want.Counts} {
		for _, a := range list {
			n := slices.IndexFunc(x.Amounts, func(b replay.Amount) bool { return d.Resources[b.Of].Name == a.Name })
			if n < 0 || x.Amounts[n].Value != a.Value || i == 2 && (!sameNumber(x.Amounts[n].Low, a.Low) || !sameNumber(x.Amounts[n].High, a.High)) {
				t.Errorf("after %d events %s of %s is %v, want %v", events, a.Name, want.Name, x.Amounts, a)
			}
		}
	}
	var got, conditions []string
	for _, e := range x.Effects {
		if d.Effects[e.Of].Word == "condition" {
			got = append(got, d.Effects[e.Of].Name+" "+e.With)
		}
	}
	for _, e := range want.Conditions {
		conditions = append(conditions, e.Name+" "+e.With)
	}
	slices.Sort(got)
	slices.Sort(conditions)
	if !slices.Equal(got, conditions) {
		t.Errorf("after %d events %s is %v, want %v", events, want.Name, got, conditions)
	}
}

// compareWithEvents follows the events of the run, which list each change, and compares them with the state after each
// event of the replay.
func compareWithEvents(t *testing.T, d *replay.Document, states []replay.State, events []view.Event) {
	t.Helper()
	next, changes := 0, 0
	for i := range d.Events {
		latest := map[[2]string]view.Event{} // by creature and what has changed
		for next < len(events) && (i+1 == len(d.Events) || events[next].ID < d.Events[i+1].ID) {
			switch e := events[next]; e.Kind {
			case "resource":
				latest[[2]string{e.Who, e.Name}] = e
			case "move":
				latest[[2]string{e.Who, "move"}] = e
			}
			next++
		}
		for _, e := range latest {
			changes++
			who := -1
			for k := range d.Creatures { // the latest of that name
				if d.Creatures[k].Name == e.Who && k < len(states[i+1].Creatures) && states[i+1].Creatures[k].Here {
					who = k
				}
			}
			if who < 0 {
				continue
			}
			x := &states[i+1].Creatures[who]
			switch e.Kind {
			case "move":
				if e.To != nil && !slices.Equal(x.At, e.To[:]) {
					t.Errorf("after event %d %s is at %v, want %v", d.Events[i].ID, e.Who, x.At, *e.To)
				}
			default:
				for _, a := range x.Amounts {
					if d.Resources[a.Of].Name == e.Name && a.Value != e.After {
						t.Errorf("after event %d %s of %s is %d, want %d", d.Events[i].ID, e.Name, e.Who, a.Value, e.After)
					}
				}
			}
		}
	}
	if changes == 0 && len(events) > 0 {
		t.Error("nothing was compared")
	}
}

// checkReplayIndexes checks that all that a document names is in its tables.
func checkReplayIndexes(t *testing.T, d *replay.Document) {
	t.Helper()
	in := func(what string, i *int, n int) {
		if i != nil && (*i < 0 || *i >= n) {
			t.Errorf("%s %d of %d", what, *i, n)
		}
	}
	rolls, explained := 0, 0
	for _, e := range d.Events {
		in("number", e.Number, len(d.Numbers))
		in("rule", e.Rule, len(d.Rules))
		if e.Who < -1 || e.Who >= len(d.Creatures) {
			t.Errorf("creature %d", e.Who)
		}
		for _, who := range e.Targets {
			in("target", &who, len(d.Creatures))
		}
		if e.Kind == "check" {
			rolls++
			if e.Number != nil && len(d.Numbers[*e.Number].Terms) > 0 {
				explained++
			}
		}
	}
	if explained != rolls {
		t.Errorf("%d of %d checks are explained", explained, rolls)
	}
	for i, n := range d.Numbers {
		for _, of := range n.Of {
			in("number", &of, i) // those that it is made of come first
		}
		for _, term := range n.Terms {
			in("rule", term.Rule, len(d.Rules))
			for _, of := range term.Of {
				in("number", &of, i)
			}
		}
	}
	for _, r := range d.Rules {
		if r.File == "" || r.Line < 1 || r.Text == "" {
			t.Errorf("a rule from nowhere: %+v", r)
		}
	}
}

// A replay that grows too long ends, and says so; what is there is complete.
func TestReplayIsCut(t *testing.T) {
	s, diags, err := build.File("../../examples/duel/srd35.encounter", build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	p := newPlayer(s, Options{Record: true})
	p.recorder.most = 20
	p.run(s.File.Body)
	p.finish()
	d := p.result.Replay
	if len(d.Events) != 20 || d.Cut == nil || d.Cut.Round != d.Events[19].Round || d.Cut.Why == "" {
		t.Fatalf("%d events, cut: %+v", len(d.Events), d.Cut)
	}
	whole := Run(s, Options{Record: true}).Replay
	for i := range d.Events {
		if d.Events[i].Text != whole.Events[i].Text {
			t.Errorf("event %d is %q, want %q", i, d.Events[i].Text, whole.Events[i].Text)
		}
	}
	if whole.Cut != nil || p.result.Hash != Run(s, Options{}).Hash {
		t.Error("a short run is cut, or the cut has changed it")
	}
	replayStates(t, reread(t, d))
}

// What is undone at a prompt is not in the replay, and what is done again is, once.
func TestReplayAfterUndo(t *testing.T) {
	commands := []string{"begin", "attack Bo with longsword", "next turn", "Bo gains prone", "next turn", "attack Bo with longsword", "fight on for 2 rounds"}
	text := `encounter "yard" with srd35
creature man { base-attack: 4; strength: 14; full-hit-points: 30; main-weapon: longsword }
map """
  ......
  ..##..
  ......
  """ { "#": wall }
side us { man Ann at (1, 1) }
side them { man Bo at (1, 2) }
seed 4
`
	play := func(between func(l *Live, i int)) *replay.Document {
		l := liveWith(t, text, nil, Options{Record: true})
		for i, c := range commands {
			if r := l.Do(c); len(r.Failures) > 0 || r.Err != nil {
				t.Fatal(c, r.Failures, r.Err)
			}
			between(l, i)
		}
		again, err := l.PlayAgain()
		if now := l.Recorded(); err != nil || !slices.Equal(statesInWords(again), statesInWords(now)) {
			t.Errorf("played again, it is another replay: %v", err)
		}
		return l.Recorded()
	}
	want := statesInWords(play(func(*Live, int) {}))
	d := play(func(l *Live, i int) {
		if _, err := l.Undo(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			if r := l.Do("Ann gains prone"); len(r.Failures) > 0 { // and this is forgotten, too
				t.Fatal(r.Failures)
			}
			l.Undo()
			for _, c := range commands[i : i+1] {
				if r := l.Do(c); len(r.Failures) > 0 {
					t.Fatal(c, r.Failures)
				}
			}
			return
		}
		if r, err := l.Redo(); err != nil || r == nil || len(r.Failures) > 0 {
			t.Fatal(r, err)
		}
	})
	got := statesInWords(d)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("after undo and redo event %d of %d and %d is\n%s\nwant\n%s", i, len(got), len(want), got[min(i, len(got)-1)], want[min(i, len(want)-1)])
		}
	}
	replayStates(t, reread(t, d))
}

// statesInWords is a replay without its tables, which keep what was undone, and with words for what is in them.
func statesInWords(d *replay.Document) (texts []string) {
	s := d.Start
	for _, e := range d.Events {
		s = s.Apply(e.Change)
		line := e.Kind + " " + e.Text
		for _, x := range s.Creatures {
			for _, a := range x.Amounts {
				amount, _ := json.Marshal(a)
				line += " " + string(amount)
			}
			for _, f := range x.Effects {
				line += " " + d.Effects[f.Of].Name
			}
			place, _ := json.Marshal([]any{x.At, x.Threatens, x.Reach})
			line += string(place)
		}
		texts = append(texts, line)
	}
	return texts
}

// An action with an area says which squares it fills; lines are drawn to whom a roll is against.
func TestReplayAreasAndLines(t *testing.T) {
	s, diags, err := build.File("../../examples/spell-duel.encounter", build.Options{Library: rules.FS})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	areas, lines := 0, 0
	for _, e := range Run(s, Options{Record: true}).Replay.Events {
		for _, area := range e.Areas {
			areas++
			squares, holds := 0, false
			for _, span := range area {
				squares += span[2] - span[1] + 1
				holds = holds || span[0] == e.Square[1] && span[1] <= e.Square[0] && e.Square[0] <= span[2]
			}
			if e.Kind != "act" || squares != 44 || !holds {
				t.Errorf("%s: %d squares, around its target: %t", e.Text, squares, holds)
			}
		}
		if len(e.Lines) > 0 {
			lines++
			if e.Kind != "check" || len(e.Lines) != 4 {
				t.Errorf("%s: %v", e.Text, e.Lines)
			}
		}
	}
	if areas != 1 || lines == 0 {
		t.Errorf("%d areas, %d rolls with lines", areas, lines)
	}
}
