package session

import (
	"fmt"
	"strings"
	"testing"

	"arbiter/interp/build"
)

const party = `encounter "acts" with srd35
creature guard { full-hit-points: 15; base-attack: 2; main-weapon: longsword }
creature wolf { full-hit-points: 4; base-attack: 1; main-weapon: club }
side left { guard Alia }
side right { wolf Bron }
seed 3
`

// What a script does between its fights, and how often it fights, belongs to each fight. The counts agree with the
// transcript.
func TestActs(t *testing.T) {
	for name, x := range map[string]struct {
		script  string
		members string // of the cast
		rounds  bool   // the number of rounds agrees with the transcript, if there is one fight
	}{
		"somebody comes later":  {"fight on for 1 round\nside right { wolf Cole }\nCole: roll-initiative\nfight on", "[{Alia 0} {Bron 1} {Cole 1}]", true},
		"a new side":            {"begin\nfight on for 2 turns\nside others { wolf Cole }\nCole: roll-initiative\nfight on", "[{Alia 0} {Bron 1} {Cole 2}]", true},
		"now and then":          {"side right { wolf Cole }\nrepeat 3 times { fight on for 1 round; Alia gains 1 hit-points }\nfight on", "[{Alia 0} {Bron 1} {Cole 1}]", true},
		"so long in all":        {"side right { guard Cole }\nfight on for 2 rounds\nnote \"they pant\"\nfight on for 1 round", "[{Alia 0} {Bron 1} {Cole 1}]", false},
		"three fights":          {"fight on\npass 8 hours\nside right { wolf Cole }\nfight on\nside right { wolf Dirk }\nfight on", "[{Alia 0} {Bron 1} {Cole 1} {Dirk 1}]", false},
		"help if it is needed":  {"fight on for 2 rounds\nif Alia.hit-points < 15 { side left { wolf Cole }; Cole: roll-initiative }\nside right { wolf Dirk }\nDirk: roll-initiative\nfight on", "[{Alia 0} {Bron 1} {Cole 0} {Dirk 1}]", true},
		"dice laid out":         {"side right { guard Cole }\nfight on for 1 round\ndice 20, 20, 3, 4\nAlia: strike Cole with longsword\nfight on", "[{Alia 0} {Bron 1} {Cole 1}]", true},
		"until somebody bleeds": {"side right { guard Cole }\nfight on until Alia.hit-points < 15 or Cole.hit-points < 15", "[{Alia 0} {Bron 1} {Cole 1}]", true},
		"help in need":          {"side right { guard Cole }\nfight on until Alia.hit-points < 10\nside left { wolf Dirk }\nDirk: roll-initiative\nfight on", "[{Alia 0} {Bron 1} {Cole 1} {Dirk 0}]", true},
		"a seed between":        {"fight on for 1 round\nseed 5\nfight on", "[{Alia 0} {Bron 1}]", true},
		"where there is room by then": {strings.NewReplacer("guard Alia", "guard Alia at (3, 3)", "wolf Bron", "wolf Bron at (6, 3)").Replace(party) +
			"fight on for 1 round\nside right { wolf Cole near (4, 3); wolf Dirk near (4, 3) }\nCole: roll-initiative\nDirk: roll-initiative\nfight on",
			"[{Alia 0} {Bron 1} {Cole 1} {Dirk 1}]", true},
	} {
		if !strings.HasPrefix(x.script, "encounter") {
			x.script = party + x.script
		}
		s := opened(t, x.script+"\n")
		trials, err := NewTrials(s, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c := trials.Cast()
		if got := fmt.Sprint(c.Members); trials.script == nil || got != x.members || len(c.Turnless) > 0 {
			t.Errorf("%s: the cast is %s, without turns %v", name, got, c.Turnless)
		}
		twin, err := trials.Clone()
		if err != nil {
			t.Fatal(err)
		}
		ledger := trials.Ledger()
		ends := map[string]bool{}
		for n := uint64(1); n <= 20; n++ {
			ledger.Entries = ledger.Entries[:0]
			got, err := trials.Fight(n)
			told := Play(s, s.File.Body, Options{FightSeed: seed(n), Unchecked: true})
			if err != nil || len(told.Failures) > 0 {
				t.Fatalf("%s: seed %d: %v, %v", name, n, err, told.Failures)
			}
			winner := "undecided"
			if got.Side >= 0 {
				winner = c.Sides[got.Side]
			}
			if told.Outcome == "nobody" { // a trial does not tell a fight that nobody survives from one that goes on
				told.Outcome = "undecided"
			}
			if told.Outcome != winner || x.rounds && strings.Count(told.Output, "Round 1\n") == 1 && told.Rounds != got.Rounds {
				t.Errorf("%s: seed %d: %s in %d rounds, told: %s in %d", name, n, winner, got.Rounds, told.Outcome, told.Rounds)
			}
			same(t, fmt.Sprintf("%s: seed %d", name, n), trials, told)
			again, err := twin.Fight(n)
			if err != nil || again != got || twin.m.State().Hash() != trials.m.State().Hash() {
				t.Errorf("%s: seed %d: %+v, and for another worker %+v, %v", name, n, got, again, err)
			}
			if n%5 == 0 {
				twin.script.maxInstructions = 0 // forces a new player
			}
			ends[told.Result.Hash] = true
		}
		if len(ends) < 5 {
			t.Errorf("%s: only %d different ends", name, len(ends))
		}
	}
}

// same compares what is left of all combatants with a played script, and the ledger with what they lost.
func same(t *testing.T, name string, x *Trials, told *Played) {
	t.Helper()
	c := x.Cast()
	left := map[string]int64{}
	for _, m := range told.Combatants {
		left[m.Name] = m.Resources["hit-points"]
	}
	for i, m := range c.Members {
		for r, resource := range c.Resources {
			if got := x.Amount(i, r); resource == "hit-points" && got != left[m.Name] {
				t.Errorf("%s: %s has %d left, told: %d", name, m.Name, got, left[m.Name])
			}
		}
		lost := int64(0)
		for _, e := range x.m.Ledger.Entries {
			if int(e.Who) == i && c.Resources[e.Resource] == "hit-points" {
				lost += e.Amount
			}
		}
		if _, there := left[m.Name]; !there && (lost != 0 || x.Down(i)) {
			t.Errorf("%s: %s was not there, and lost %d", name, m.Name, lost)
		}
		if full := map[byte]int64{'A': 15, 'B': 4, 'D': 4}[m.Name[0]]; full > 0 && left[m.Name] < full && lost < full-left[m.Name] {
			t.Errorf("%s: %s has %d left, and %d were entered", name, m.Name, left[m.Name], lost)
		}
	}
}

// Only a fight makes the statements around it part of each fight.
func TestWhatIsNoAct(t *testing.T) {
	for _, script := range []string{
		"begin\nrepeat 2 times { next turn }\nfight on", "if Alia is prone { side right { wolf Cole } }\nfight on", "fight on\nif Bron is dead { expect Alia is not dead }",
		"begin\nexpect Alia is not dead\nfight on for 2 rounds\nnote \"they pant\"\nfight on",
	} {
		x, err := NewTrials(opened(t, party+script+"\n"), Options{})
		if err != nil || x.script != nil {
			t.Errorf("%q: played as it is written (%v)", script, err)
			continue
		}
		if got := fmt.Sprint(x.Cast().Members); got != "[{Alia 0} {Bron 1}]" {
			t.Errorf("%q: the cast is %s", script, got)
		}
	}
	if _, err := NewTrials(opened(t, party+"begin\nrepeat 2 times { next turn }\n"), Options{}); err == nil || !strings.Contains(err.Error(), "has no fight to play by tactics") {
		t.Errorf("without a fight: %v", err)
	}
}

// A combatant who joins a fight without getting a turn is named; a script that fails between two fights is reported
// with the position.
func TestActsThatGoWrong(t *testing.T) {
	s := opened(t, party+"fight on for 1 round\nside right { wolf Cole; wolf Dirk }\nCole acts at 5\nfight on\n")
	x, err := NewTrials(s, Options{})
	if err != nil || fmt.Sprint(x.Cast().Turnless) != "[Dirk]" {
		t.Errorf("without turns: %v, %v", x.Cast().Turnless, err)
	}
	for script, want := range map[string]string{
		"fight on for 1 round\nAlia: attack Alia with 1 / 0\nfight on": "",
		"fight on for 1 round\nlet x = 1 / 0\nfight on":                "test.encounter:8:9: error: division by zero",
		"repeat 2 times { fight on for 1 round; next turn of Cole }":   "",
	} {
		s, diags, err := build.Source("test.encounter", []byte(party+script+"\n"), quick)
		if err != nil || len(diags) > 0 {
			continue // found before anything is played
		}
		_, err = NewTrials(s, Options{})
		list := Mistake(err)
		if want == "" || err == nil || len(list) == 0 || list[0].String() != want {
			t.Errorf("%q: %v, want %s", script, err, want)
		}
	}
}

// At the prompt, a die for which nothing asks is refused as in a file.
func TestUnknownLabels(t *testing.T) {
	l := live(t, party, nil)
	for text, want := range map[string]string{
		"dice Alia strike.to-hut: 15":    "nothing rolls strike.to-hut did you mean `strike.to-hit`?",
		"dice Alia readied.occasion: 1":  "nothing rolls readied.occasion it is a choice: write `answer`",
		"answer Alia strike.to-hit: yes": "nothing asks for strike.to-hit it is a roll: write `dice`",
		"dice Alia strike.to-hit: 15":    "",
		"dice 12, 3":                     "",
		"dice Alia script.x: 4":          "",
	} {
		got := ""
		if r := l.Do(text); len(r.Failures) > 0 {
			got = r.Failures[0].Message + " " + r.Failures[0].Hint
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// At the prompt, a second `begin` would lose the fight that is going on.
func TestBeginTwice(t *testing.T) {
	l := live(t, party, nil)
	for i, want := range []string{"", "refused: a fight is going on", "", ""} {
		r := l.Do([]string{"begin", "begin", "fight on", "begin"}[i])
		if got := len(r.Failures); got > 0 && r.Failures[0].Message != want || got == 0 && want != "" {
			t.Errorf("%d: %v, want %q", i, r.Failures, want)
		}
	}
}
