package session

import (
	"fmt"
	"strings"
	"testing"
)

// A story in which nobody chooses any more stops, and names the scenes of its circle.
func TestEndlessStories(t *testing.T) {
	const head = `adventure "round and round" with d20
creature man { level: 1 }
rule order at start of fight { for each c in creatures { c acts at 1 } }
condition beaten
override creature.defeated = self is beaten
side party { man Alia }
`
	win := "fight {\n side foes { man Grim }\n Grim gains beaten\n won { %s }\n lost { finish }\n otherwise { finish }\n }\n"
	for name, c := range map[string]struct{ scenes, message, hint string }{
		"a fight that is won at once":  {"scene arena { " + fmt.Sprintf(win, "go to arena") + "}", "100 fights follow one another", "arena -> arena;"},
		"fights in two scenes":         {"scene arena { " + fmt.Sprintf(win, "go to camp") + "}\nscene camp { \"Night.\"\n go to arena }", "100 fights follow one another", "camp -> arena -> camp;|arena -> camp -> arena;"},
		"fights that nobody wins":      {"scene arena { fight { side foes { man Grim } }\n go to arena }", "100 fights follow one another", "arena -> arena;"},
		"a scene that leads to itself": {"scene hall { \"Echo.\"\n go to hall }", "a scene is entered 1000 times", "hall -> hall;"},
		"scenes in a circle":           {"scene one { go to two }\nscene two { go to three }\nscene three { go to one }", "a scene is entered 1000 times", "one -> two -> three -> one;"},
		"choices on the way":           {"keep n = 0\nscene hall { set n to n + 1\n if n > 50 { finish }\n choices { \"On\" { go to hall } } }", "", ""},
		"a hundred fights and an end":  {"keep n = 0\nscene arena { set n to n + 1\n " + fmt.Sprintf(win, "if n >= 100 { finish }\n go to arena") + "}", "", ""},
		"one fight more":               {"keep n = 0\nscene arena { set n to n + 1\n " + fmt.Sprintf(win, "if n >= 101 { finish }\n go to arena") + "}", "100 fights follow one another", "arena -> arena;"},
		"a thousand scenes and an end": {"keep n = 0\nscene hall { set n to n + 1\n if n >= 1000 { finish }\n go to hall }", "", ""},
		"one scene more":               {"keep n = 0\nscene hall { set n to n + 1\n if n >= 1001 { finish }\n go to hall }", "a scene is entered 1000 times", "hall -> hall;"},
	} {
		r := Run(toldBy(t, head+c.scenes+"\n"), Options{})
		switch {
		case c.message == "" && (len(r.Failures) > 0 || r.Ending == nil):
			t.Errorf("%s: %v", name, r.Failures)
		case c.message == "":
		case len(r.Failures) != 1 || !strings.HasPrefix(r.Failures[0].Message, c.message):
			t.Errorf("%s: %v", name, r.Failures)
		default:
			found := false
			for way := range strings.SplitSeq(c.hint, "|") {
				found = found || strings.Contains(r.Failures[0].Hint, way)
			}
			if !found {
				t.Errorf("%s: %s", name, r.Failures[0].Hint)
			}
		}
	}
}
