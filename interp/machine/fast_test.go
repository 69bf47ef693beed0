package machine_test

import (
	"strings"
	"testing"

	"arbiter/interp/compile"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
	"arbiter/interp/program"
)

const fastRules = `
role target: creature
kind part { points: number ; fierce: flag ; extra: number or none = none }
kind creature { mark: number or none = none ; size: number = 3 ; brave: flag ; tally: number }
part burn { points: 2 ; fierce: yes ; extra: 9 }
part cut { points: 1 }
resource hp from 0 to 20 starts 20
roll swing { die d20 }
stat skill rolled as swing { base: 1 }
define creature.mark-or-size = if brave then mark else size
define odd(n: number) = n - (n / 2) * 2 = 1
procedure sum-up from low: number to high: number {
  step go { let total = 0 ; for each n in range(low, high) { set total to total + n ; set n to 100 } }
}
procedure squares from low: number to high: number {
  step go { let total = 0 ; for each n in range(low, high) where odd(n) { set total to total + n } }
}
procedure pairs { step go { let total = 0 ; for each a in range(1, 3) { for each b in range(a, 3) { set total to total + 10 * a + b } } } }
procedure strike-out target { step go { check skill dc 10 as blow ; set tally to tally * 3 + blow.margin - tally * 2 ; if blow succeeds { target loses 1 hp } } }
`

// execFast and execSlow execute the same instructions with the same results, for creatures, templates and things made
// at run time, and for numbers that overflow or not.
func TestFastAgreesWithSlow(t *testing.T) {
	for _, c := range []struct{ do, value, want string }{
		{value: "Alia.mark is none", want: "yes"},
		{value: "burn.extra is none", want: "no"},
		{value: "cut.extra is none", want: "yes"},
		{value: "(if Alia.mark is none then 1 else 2) + (if burn.extra is not none then 10 else 20)", want: "11"},
		{do: "let x = part(points: 5)", value: "if x.extra is none and x.points = 5 and not x.fierce then 1 else 0", want: "1"},
		{do: "let x = part(points: 5, fierce: yes, extra: -3)", value: "if x.extra is not none and x.points != 4 and x.fierce then x.extra else 0", want: "-3"},
		{value: "if Alia.size = 3 then 1 else 0", want: "1"},
		{value: "if Alia.size != 3 then 1 else 0", want: "0"},
		{do: "set Alia.size to -128", value: "if Alia.size = -128 then 1 else 0", want: "1"},
		{do: "set Alia.size to 128", value: "if Alia.size = -128 then 1 else 0", want: "0"},
		{do: "set Alia.size to 300", value: "if Alia.size = 300 and Alia.size != 44 then 1 else 0", want: "1"},
		{value: "if Alia.mark-or-size is none then 1 else 0", want: "0"},
		{do: "set Alia.brave to yes", value: "if Alia.mark-or-size is none then 1 else 0", want: "1"},
		{do: "set Alia.brave to yes; set Alia.mark to 4", value: "if Alia.mark-or-size is not none then Alia.mark-or-size else 0", want: "4"},
		{value: "if (if Alia.brave then Alia.size = 3 else Alia.size = 4) then 1 else 0", want: "0"},
		{do: "set Alia.size to 4", value: "if (if Alia.brave then Alia.size = 3 else Alia.size = 4) then 1 else 0", want: "1"},
		{do: "let x = Alia: sum-up from 1 to 4", value: "x.total", want: "10"},
		{do: "let x = Alia: sum-up from 4 to 4", value: "x.total", want: "4"},
		{do: "let x = Alia: sum-up from 4 to 1", value: "x.total", want: "0"},
		{do: "let x = Alia: sum-up from -3 to 2", value: "x.total", want: "-3"},
		{do: "let x = Alia: squares from 1 to 5", value: "x.total", want: "9"},
		{do: "let x = Alia: pairs", value: "x.total", want: "114"},
		{do: "let x = Alia: sum-up from 9223372036854775806 to 9223372036854775807", want: "number too large"},
		{do: "let x = Alia: sum-up from -9223372036854775800 to 9223372036854775807", want: "a range has at most 10,000 numbers"},
		{do: "let x = Alia: sum-up from 1 to 10000", value: "x.total", want: "50005000"},
		{do: "let x = Alia: sum-up from 0 to 10000", want: "a range has at most 10,000 numbers"},
		{value: "9223372036854775807 + Alia.size", want: "error: a number too large: numbers are from -9223372036854775800 to 9223372036854775807"},
		{value: "(0 - 9223372036854775800) - Alia.size", want: "error: a number too large: numbers are from -9223372036854775800 to 9223372036854775807"},
	} {
		f := newFight(t, fastRules, compile.Options{}).place("Alia:", "Bron:")
		if c.do != "" {
			if r := f.do(c.do); r.Status != machine.Done {
				if c.value != "" || !strings.Contains(r.Err.Error(), c.want) {
					t.Errorf("%s: %v %v, want %s", c.do, r.Status, r.Err, c.want)
				}
				continue
			}
		}
		if got := f.value(c.value); got != c.want {
			t.Errorf("%s; %s = %s, want %s", c.do, c.value, got, c.want)
		}
	}
}

// A check has the same result whether it is rolled by the fast path, or die by die with the same faces.
func TestCheckAtOnce(t *testing.T) {
	k := checked(t, fastRules)
	p, err := compile.Compile(k.Ruleset, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quick, slow := machine.New(p), machine.New(p)
	slow.AskDice = true
	proc := int32(k.Lookup("strike-out").(*ir.Proc).Index)
	for _, m := range []*machine.Machine{quick, slow} {
		for _, name := range []string{"Alia", "Bron"} {
			if _, err := m.Place(-1, machine.Placement{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 15 {
		a, b := quick.Do(0, proc, []int64{1}), slow.Do(0, proc, []int64{1})
		for b.Status == machine.NeedDie {
			b = slow.Resume(int64(slow.SeededFace()))
		}
		if a.Status != machine.Done || b.Status != machine.Done || quick.State().Hash() != slow.State().Hash() || quick.Resource(1, 0) != slow.Resource(1, 0) {
			t.Fatalf("at once %v %v, die by die %v %v", a.Status, a.Err, b.Status, b.Err)
		}
	}
}

// Code that ends without a return fails at its end, whatever stands behind it in memory.
func TestRunningPastTheEnd(t *testing.T) {
	for _, code := range [][]program.Instr{
		{{Op: program.OpInt}},
		{{Op: program.OpInt}, {Op: program.OpJumpNot, D: 2}},
		{{Op: program.OpInstead}},
		{{Op: program.OpJump, D: 7}},
	} {
		p := newFight(t, "", compile.Options{}).p
		for i := range code {
			if code[i].Op.Jumps() {
				code[i].D += int32(len(p.Code))
			}
		}
		start := int32(len(p.Code))
		p.Code = append(p.Code, code...)
		p.Chunks = append(p.Chunks, program.Chunk{Name: "open", Start: start, End: int32(len(p.Code)), Regs: 1})
		_, err := machine.New(p).Eval(int32(len(p.Chunks) - 1))
		if err == nil {
			t.Errorf("%v ended without an error", code)
		}
	}
}
