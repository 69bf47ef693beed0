package session

import (
	"fmt"
	"slices"
	"testing"

	"arbiter/interp/machine"
)

// onlooker counts what it is told, reads a number every now and then, and changes nothing.
type onlooker struct {
	reads                      bool
	instructions, open, gained int
	failed                     error
}

func (o *onlooker) Instruction(m *machine.Machine, pc int32) {
	o.instructions++
	if open := len(m.Evaluations()); open != o.open {
		o.failed = fmt.Errorf("%d evaluations, and %d were entered and not left", open, o.open)
	}
	if o.reads && o.instructions%9973 == 0 && len(m.State().Entities) > 0 {
		m.Aside(func() {
			for id := range m.Program().Stats {
				_, _ = m.Explain(0, int32(id))
			}
		})
	}
}
func (o *onlooker) Enter(*machine.Machine, *machine.Evaluation)     { o.open++ }
func (o *onlooker) Leave(*machine.Machine, int64)                   { o.open-- }
func (o *onlooker) Gained(_ *machine.Machine, effect, bearer int32) { o.gained++ }

// TestObservingChangesNothing plays fights that are observed, and not: the states are the same after every command,
// although the observer reads numbers in the middle of them, and so are the instructions. What is entered is left.
func TestObservingChangesNothing(t *testing.T) {
	for _, files := range [][]string{{courtyard}, withHooks[1], {"../../examples/balance/waves.encounter"}} {
		s := open(t, files[0], files[1:]...)
		alone, err := NewTrials(s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, wantOutcome := statesOf(t, alone, 1)
		counts := map[machine.Detail]int{}
		for _, x := range []struct {
			detail machine.Detail
			reads  bool
		}{{machine.EveryInstruction, false}, {machine.EveryInstruction, true}, {machine.OnlyCalls, true}} {
			watched, err := NewTrials(s, Options{})
			if err != nil {
				t.Fatal(err)
			}
			o := &onlooker{reads: x.reads}
			watched.Observe(o, x.detail)
			got, outcome := statesOf(t, watched, 1)
			if outcome != wantOutcome || !slices.Equal(got, want) || watched.m.State().Hash() != alone.m.State().Hash() {
				t.Errorf("%s: %v when it is observed, %v when not", files, outcome, wantOutcome)
			}
			if n := counts[x.detail]; x.reads && n > 0 && n != o.instructions {
				t.Errorf("%s: %d instructions when the observer reads, %d when not", files, o.instructions, n)
			}
			counts[x.detail] = o.instructions
			if o.instructions < 1000 || o.gained == 0 || o.open != 0 || o.failed != nil {
				t.Errorf("%s: the observer was told of %d instructions and %d gains; %d evaluations did not end; %v", files, o.instructions, o.gained, o.open, o.failed)
			}
		}
	}
}
