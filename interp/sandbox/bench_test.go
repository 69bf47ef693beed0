package sandbox

import (
	"errors"
	"testing"
	"time"

	"go.starlark.net/starlark"
)

// sheet is an efficient context of a host: attributes by a switch, methods bound once, arguments read by hand.
type sheet struct {
	a, b, sum int
	add       *starlark.Builtin
}

func newSheet() *sheet {
	s := &sheet{a: 5, b: 20}
	s.add = starlark.NewBuiltin("add", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		n, err := starlark.AsInt32(args[0])
		if err != nil || len(args) != 3 {
			return nil, errors.New("add wants a number and two texts")
		}
		s.sum += n
		return starlark.None, nil
	})
	return s
}

func (*sheet) String() string        { return "sheet" }
func (*sheet) Type() string          { return "sheet" }
func (*sheet) Freeze()               {}
func (*sheet) Truth() starlark.Bool  { return true }
func (*sheet) Hash() (uint32, error) { return 0, errors.New("unhashable") }
func (*sheet) AttrNames() []string   { return []string{"a", "b", "add"} }
func (s *sheet) Attr(name string) (starlark.Value, error) {
	switch name {
	case "a":
		return starlark.MakeInt(s.a), nil
	case "b":
		return starlark.MakeInt(s.b), nil
	case "add":
		return s.add, nil
	}
	return nil, nil
}

const priced = `
def empty(ctx):
    pass

def guard(ctx):
    return 2 * ctx.a <= ctx.b

def fury(ctx):
    if 2 * ctx.a <= ctx.b:
        ctx.add(1, "morale", "fury")

def grows(ctx):
    n = ctx.a
    return (n + n) * n + 1

def loop(ctx):
    n = 0
    for i in range(100):
        n += i
    return n
`

// BenchmarkCall measures a call: in Starlark alone, in the sandbox without and with rewriting, and run quickly.
func BenchmarkCall(b *testing.B) {
	for _, name := range []string{"empty", "guard", "fury", "grows", "loop"} {
		for _, way := range []string{"starlark", "plain", "rewritten", "quick"} {
			noRewrite = way == "starlark" || way == "plain"
			m := mustLoad(b, priced, Env{})
			noRewrite = false
			fn, args := function(b, m, name), starlark.Tuple{newSheet()}
			b.Run(name+"/"+way, func(b *testing.B) {
				b.ReportAllocs()
				var undo func()
				if way == "quick" {
					undo = func() { b.Error("it gave up") }
				}
				thread, f := NewThread(Limits{}), Prepare(fn)
				call := func() (err error) {
					_, err = thread.Run(f, args, undo)
					return err
				}
				if way == "starlark" {
					bare := thread.thread
					call = func() (err error) {
						bare.Steps = 0
						_, err = starlark.Call(bare, fn, args, nil)
						return err
					}
				}
				for b.Loop() {
					if err := call(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(best(call), "best-ns/op")
			})
		}
	}
}

// best calls f many times, and returns the nanoseconds per call in the shortest run, which is least affected by other
// load.
func best(f func() error) float64 {
	const runs, times = 500, 100
	shortest := time.Hour
	for range runs {
		start := time.Now()
		for range times {
			_ = f()
		}
		shortest = min(shortest, time.Since(start))
	}
	return float64(shortest) / times
}
