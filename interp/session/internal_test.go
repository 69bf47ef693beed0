package session

import (
	"slices"
	"testing"

	"arbiter/interp/view"
)

// What is internal is in no transcript and in no view; the rules see it.
func TestInternal(t *testing.T) {
	l := live(t, `encounter "marks" with srd35
resource tally from 0 to 9 starts 0 { is internal }
resource fame from 0 to 9 starts 0
condition marked { is internal }
condition famous { }
effect counted { is internal }
effect seen-often { }
kind creature { marks: number = 0; is internal }
kind creature { medals: number = 0 }
creature man { base-attack: 1 }
side us { man Ann }
side them { man Bo }
begin
`, nil)
	want := []string{"Ann fame 0 -> 1\n", "", "", "Ann is famous\n", "", ""}
	for i, text := range []string{"Ann gains 1 fame", "Ann gains 1 tally", "Ann gains marked", "Ann gains famous", "Ann gains counted, seen-often", "expect Ann.tally = 1 and Ann is marked and Ann has counted"} {
		if r := l.Do(text); len(r.Failures) > 0 || r.Text != want[i] {
			t.Errorf("%s: %q %v", text, r.Text, r.Failures)
		}
	}
	f := l.View().Fighters[0]
	for name, list := range map[string][]view.Effect{"famous": f.Conditions, "seen-often": f.Effects} {
		if !slices.ContainsFunc(list, func(x view.Effect) bool { return x.Name == name }) ||
			slices.ContainsFunc(list, func(x view.Effect) bool { return x.Name == "marked" || x.Name == "counted" }) {
			t.Errorf("%s: %+v", name, list)
		}
	}
	for _, a := range slices.Concat(f.Turn, f.Reactions, f.Pools, f.Counts) {
		if a.Name == "tally" || a.Name == "readied-while-moving" {
			t.Errorf("%s is shown", a.Name)
		}
	}
	l.Do("set Ann.marks to 2")
	l.Do("set Ann.medals to 2")
	fields := map[string]string{}
	for _, f := range l.Who("Ann").Fields {
		fields[f.Name] = f.Value
	}
	if _, shown := fields["marks"]; shown || fields["medals"] != "2" {
		t.Errorf("%v", fields)
	}
}
