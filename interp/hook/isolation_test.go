package hook_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"arbiter/interp/build"
	"arbiter/interp/ir"
	"arbiter/interp/machine"
)

// TestNothingOutlivesACall checks that a registered function keeps no state between calls, even if it is nested, and
// that the values it gets count against its memory limit.
func TestNothingOutlivesACall(t *testing.T) {
	for name, test := range map[string]struct{ star, want string }{
		"closure": {`
def make():
    seen = []
    def fury(ctx):
        seen.append(1)
        ctx.add(len(seen))
    return fury

modify("aim", make())
`, "append to frozen list"},
		"default": {`
def fury(ctx, seen = []):
    seen.append(1)

modify("aim", fury)
`, "append to frozen list"},
		"memory": {`
def fury(ctx):
    kept = [ctx.creatures for _ in range(100000)]

modify("aim", fury)
`, "bytes of memory"},
	} {
		files := fstest.MapFS{"hooked.star": {Data: []byte(test.star)}}
		for n, f := range library {
			if n != "hooked.star" {
				files[n] = f
			}
		}
		s, diags, err := build.Source("t.encounter", []byte("encounter \"t\" with hooked\ncreature man { grit: 4 }\nside a { man Alia }\n"), build.Options{Library: files})
		if err != nil || s.Rules == nil {
			t.Fatal(name, err, diags)
		}
		m := machine.New(s.Rules.Program)
		m.Hooks = s.Rules.Hooks.NewRunner()
		man := int32(s.Rules.Checked.Lookup("man").(*ir.Template).Index)
		for i := range 20 {
			if _, err := m.Place(man, machine.Placement{Name: fmt.Sprint("man ", i)}); err != nil {
				t.Fatal(name, err)
			}
		}
		m.State().Budget = machine.MaxSteps
		_, err = m.ReadStat(int32(s.Rules.Checked.Lookup("aim").(*ir.Stat).Index), 0, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, not %s", name, err, test.want)
		}
	}
}
