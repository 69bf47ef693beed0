package statblock

import (
	"strings"
	"testing"
)

// TestForms reads the same entries from lines in unusual forms.
func TestForms(t *testing.T) {
	v := &Vocabulary{
		Labels:  map[string][]string{"grit": {"Grit"}, "pace": {"Long Pace"}, "both": {"Gait/Hold"}, "six": {"Ab Cd Ef Gh"}},
		Bare:    []string{"grit", "pace", "both", "six"},
		Numbers: []string{"grit"},
		Opening: []string{"grit"},
	}
	const want = "grit=4 pace=12 feet both=3/5 six=1 2 3 4"
	for name, src := range map[string]string{
		"plain":    "Newt\nGrit: 4\nLong Pace: 12 feet\nGait/Hold: 3/5\nAb Cd Ef Gh: 1 2 3 4",
		"equals":   "Newt\nGrit = 4\nLong Pace = 12 feet\nGait/Hold = 3/5\nAb Cd Ef Gh = 1 2 3 4",
		"dashes":   "Newt\nGrit - 4\nLong Pace – 12 feet\nGait/Hold -- 3/5\nAb Cd Ef Gh - 1 2 3 4",
		"dots":     "Newt\nGrit ..... 4\nLong Pace.... 12 feet\nGait/Hold … 3/5\nAb Cd Ef Gh ... 1 2 3 4",
		"brackets": "Newt\n[Grit] 4\n[Long Pace] 12 feet\n[Gait/Hold]: 3/5\n[Ab Cd Ef Gh] 1 2 3 4",
		"bullets":  "Newt\n- Grit: 4\n- Long Pace: 12 feet\n- Gait/Hold: 3/5\n- Ab Cd Ef Gh: 1 2 3 4",
		"numbers":  "Newt\n1. Grit: 4\n2. Long Pace: 12 feet\n3) Gait/Hold: 3/5\n4) Ab Cd Ef Gh: 1 2 3 4",
		"forum":    "[b]Newt[/b]\n[b]Grit:[/b] 4\n[b]Long Pace:[/b] 12 [color=red]feet[/color]\n[b]Gait/Hold:[/b] 3/5\n[b]Ab Cd Ef Gh:[/b] 1 2 3 4",
		"wiki":     "'''Newt'''\n'''Grit:''' 4\n'''Long Pace:''' 12 [[length|feet]]\n'''Gait/Hold:''' 3/5\n'''Ab Cd Ef Gh:''' 1 2 3 4",
		"cells":    "{| class=\"wide\"\n|-\n! colspan=2 | Newt\n|-\n! Grit:\n| 4\n|-\n! Long Pace: || 12 feet\n|-\n! Gait/Hold:\n| 3/5\n|-\n! Ab Cd Ef Gh:\n| 1 2 3 4\n|}",
		"links":    "Newt\nGrit: 4\nLong Pace: 12 [feet](https://example.org/feet)\nGait/Hold: 3/5\nAb Cd Ef Gh: 1 2 3 4",
		"broken":   "Newt\nGrit: 4; Long\nPace: 12 feet; Gait/\nHold: 3/5\nAb  Cd\tEf   Gh\n1 2 3 4",
		"pages":    "Newt\nGrit: 4\nLong Pace: 12\n\n--- 37 ---\n\nfeet\nGait/Hold: 3/5\nAb Cd Ef Gh: 1 2 3 4",
	} {
		t.Run(name, func(t *testing.T) {
			sheets, rest, err := Read([]byte(src), v)
			if err != nil || len(sheets) != 1 {
				t.Fatalf("%d sheets, %v, rest %v", len(sheets), err, rest)
			}
			var got []string
			for _, e := range sheets[0].Entries {
				switch {
				case e.Key == Name && e.Text != "Newt":
					t.Errorf("the name is %q", e.Text)
				case v.knows(e.Key):
					got = append(got, e.Key+"="+e.Text)
				}
			}
			if got := strings.Join(got, " "); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}
