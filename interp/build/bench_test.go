package build

import (
	"fmt"
	"testing"

	"arbiter/interp/compile"
	"arbiter/rules"
)

// BenchmarkBuild builds an encounter of srd35, for one fight and for many. The trees of the published rules have been
// parsed by the first build.
func BenchmarkBuild(b *testing.B) {
	for _, x := range []struct {
		name        string
		unoptimized bool
	}{{"one-fight", true}, {"many-fights", false}} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o := Options{Library: rules.FS, Compile: compile.Options{Unoptimized: x.unoptimized}}
				if s, diags, err := File("../../examples/duel/srd35.encounter", o); err != nil || s.Rules == nil {
					b.Fatal(diags, err)
				}
			}
		})
	}
}

// BenchmarkTyped finds the mistakes of a house ruleset of srd35 after a key, and builds it whole.
func BenchmarkTyped(b *testing.B) {
	text := func(i int) []byte {
		return fmt.Appendf(nil, "ruleset gritty extends srd35\n\nfeat grudge { +%d to attack-bonus when foe is prone }\n\noverride massive-damage-threshold = 25\noverride strike.confirm { let critical = threat }\n", i)
	}
	o := Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}}
	b.Run("at-once", func(b *testing.B) {
		b.ReportAllocs()
		var typed Typed
		for i := 0; b.Loop(); i++ {
			if mistakes, ok := typed.Mistakes("gritty.rules", text(i), o); !ok || mistakes != nil {
				b.Fatal(ok, mistakes)
			}
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if s, diags, err := Source("gritty.rules", text(i), o); err != nil || s.Rules == nil {
				b.Fatal(diags, err)
			}
		}
	})
}

// BenchmarkStore writes the rules of a duel as another process will read them, and reads them.
func BenchmarkStore(b *testing.B) {
	Forget()
	s := NewStore(b.TempDir())
	if x, diags, err := File("../../examples/duel/srd35.encounter", Options{Library: rules.FS, Store: s}); err != nil || x.Rules == nil {
		b.Fatal(diags, err)
	}
	s.Wait()
	e := shared.list[0]
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.write(e.key, e.list[0])
			s.Wait()
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s.read(e.key, &Options{}) == nil {
				b.Fatal("nothing was kept")
			}
		}
	})
}
