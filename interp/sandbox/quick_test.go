package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"pgregory.net/rapid"
)

// TestSavedVersion fails when an update of Starlark changes the format of saved programs, which must then be reviewed.
func TestSavedVersion(t *testing.T) {
	if starlark.CompilerVersion != supportedVersion {
		t.Errorf("Starlark saves in version %d, and compiled.go reads %d: compare internal/compile", starlark.CompilerVersion, supportedVersion)
	}
}

// runResult is everything observable about a call.
type runResult struct {
	value, effects, failed, trace string
	steps                         uint64
	kind                          Kind
}

// runBoth runs a function quickly and by Starlark, each time with a new value of the host.
func runBoth(m *Module, limits Limits, host func() (starlark.Value, func() string)) (quick, slow runResult, finished bool) {
	f := Prepare(m.Value("main").(starlark.Callable))
	for _, r := range []*runResult{&quick, &slow} {
		given, effects := host()
		args := starlark.Tuple{given}
		thread := NewThread(limits)
		var undo func()
		if r == &quick {
			undo = func() { args[0], effects = host() }
		}
		v, err := thread.Run(f, args, undo)
		r.effects, r.steps = effects(), thread.Steps()
		var e *Error
		if errors.As(err, &e) {
			r.failed, r.kind, r.trace = e.Error(), e.Kind, e.Backtrace()
		} else {
			r.value = v.String()
		}
	}
	return quick, slow, f.code != nil && !f.quickFailed.Load()
}

func listHost() (starlark.Value, func() string) {
	l := new(starlark.List)
	return l, l.String
}

func TestQuickIsTheSame(t *testing.T) {
	finished := 0
	for _, body := range ordinary {
		m, err := Load(folderOf(map[string]string{"test.star": written(body)}), "test.star", Env{}, Limits{})
		if err != nil {
			continue
		}
		for _, limits := range []Limits{{}, {Steps: 40}, {Bytes: 500}} {
			quick, slow, ok := runBoth(m, limits, listHost)
			if quick != slow {
				t.Errorf("%s\nquick: %+v\nslow:  %+v", body, quick, slow)
			}
			if ok {
				finished++
			}
		}
	}
	if finished < 10 {
		t.Errorf("only %d programs were run quickly to the end", finished)
	}
}

// TestAnyQuickIsTheSame compares both for random functions that resemble hooks.
func TestAnyQuickIsTheSame(t *testing.T) {
	all, finished := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		g := &gen{t: t}
		text := "TABLE = {1: 5, 'a': 'b', True: [1, 2]}\nTEN = 10\n\ndef helper(x):\n    return x\n\ndef main(ctx):\n" + g.block(1, 0)
		m, err := Load(folderOf(map[string]string{"test.star": text}), "test.star", Env{}, Limits{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		limits := Limits{Steps: rapid.SampledFrom([]uint64{20, 60, 1000}).Draw(t, "steps"), Bytes: rapid.SampledFrom([]int64{300, 2000, 1 << 20}).Draw(t, "bytes")}
		a, b := rapid.IntRange(-3, 40).Draw(t, "a"), rapid.IntRange(-3, 40).Draw(t, "b")
		quick, slow, ok := runBoth(m, limits, func() (starlark.Value, func() string) {
			s := newSheet()
			s.a, s.b = a, b
			return s, func() string { return fmt.Sprint(s.sum) }
		})
		if quick != slow {
			t.Fatalf("%s\nquick: %+v\nslow:  %+v", text, quick, slow)
		}
		if all++; ok {
			finished++
		}
	})
	if finished == 0 { // one of eight is, so of a hundred at least one
		t.Errorf("none of %d was run quickly to the end", all)
	}
}

// gen generates functions.
type gen struct {
	t     *rapid.T
	inner int // number of enclosing loops
}

func (g *gen) of(n int) int                { return rapid.IntRange(0, n-1).Draw(g.t, "way") }
func (g *gen) word(words ...string) string { return words[g.of(len(words))] }

func (g *gen) block(depth, from int) string {
	in := strings.Repeat("    ", depth)
	var b strings.Builder
	if depth == 1 {
		b.WriteString(in + "x = 1\n" + in + "y = ctx.b\n")
	}
	for range 1 + g.of(3) {
		switch way := g.of(9); {
		case way < 2:
			fmt.Fprintf(&b, "%s%s = %s\n", in, g.word("x", "y"), g.expr(3))
		case way < 3:
			fmt.Fprintf(&b, "%s%s %s= %s\n", in, g.word("x", "y"), g.word("+", "-", "*", "//", "|"), g.expr(2))
		case way < 5 && depth < 4:
			fmt.Fprintf(&b, "%sif %s:\n%s", in, g.expr(2), g.block(depth+1, 0))
			if g.of(2) == 0 {
				fmt.Fprintf(&b, "%selse:\n%s", in, g.block(depth+1, 0))
			}
		case way < 6 && depth < 3:
			g.inner++
			fmt.Fprintf(&b, "%sfor %s in %s:\n%s", in, g.word("x", "i"), g.word("range(3)", "[1, ctx.a]", "TABLE", "(y, 2)", "y"), g.block(depth+1, 0))
			g.inner--
		case way < 7 && g.inner > 0:
			b.WriteString(in + g.word("break", "continue") + "\n")
		case way < 8:
			fmt.Fprintf(&b, "%sctx.add(%s, %s)\n", in, g.expr(1), g.word("'morale', 'fury'", "'a', 'b'", "'a'"))
		default:
			b.WriteString(in + "return " + g.expr(3) + "\n")
		}
	}
	return b.String()
}

func (g *gen) expr(depth int) string {
	if depth == 0 || g.of(4) == 0 {
		return g.word("1", "2", "20", "TEN", "x", "y", "ctx.a", "ctx.b", "'a'", "True", "None", "ctx.a", "ctx.b", "ctx.c")
	}
	sub := func() string { return g.expr(depth - 1) }
	switch way := g.of(14); {
	case way < 4:
		return "(" + sub() + " " + g.word("+", "-", "*", "//", "%", "&", "|", "<<", ">>") + " " + sub() + ")"
	case way < 7:
		return "(" + sub() + " " + g.word("<", "<=", ">", ">=", "==", "!=", "in", "not in") + " " + sub() + ")"
	case way < 8:
		return "(" + sub() + " " + g.word("and", "or") + " " + sub() + ")"
	case way < 9:
		return "(" + sub() + " if " + sub() + " else " + sub() + ")"
	case way < 10:
		return "(" + g.word("not ", "-") + sub() + ")"
	case way < 11:
		return "TABLE[" + sub() + "]"
	case way < 12:
		return g.word("min", "max", "abs", "len", "str", "helper", "int") + "(" + sub() + ")"
	case way < 13:
		return "TABLE.get(" + sub() + ", " + sub() + ")"
	}
	return "max(" + sub() + ", " + sub() + ")"
}

// TestQuickHostile checks that a hostile program is stopped by the same limit, at the same step, when it is run
// quickly.
func TestQuickHostile(t *testing.T) {
	limits := Limits{Steps: 20_000, Bytes: 64 << 10}
	for _, h := range hostiles(t) {
		m, err := Load(Folder("testdata/hostile"), h.name, Env{Names: starlark.StringDict{"host": starlark.None}}, limits)
		if err != nil {
			continue
		}
		f, ok := m.Value("main").(*starlark.Function)
		if !ok {
			continue
		}
		var got [2]string
		for i, undo := range []func(){func() {}, nil} {
			thread := NewThread(limits)
			_, err := thread.Run(Prepare(f), nil, undo)
			got[i] = fmt.Sprint(err, " after ", thread.Steps())
		}
		if got[0] != got[1] {
			t.Errorf("%s: quickly %s, else %s", h.name, got[0], got[1])
		}
	}
}
