package build

import (
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
