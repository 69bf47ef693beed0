package parse

import "testing"

func TestUnfinished(t *testing.T) {
	for src, want := range map[string]bool{
		"":                             false,
		"next turn":                    false,
		"creature rat {":               true,
		"creature rat {\n level: 1\n":  true,
		"creature rat { level: 1 }":    false,
		"}":                            false,
		"note \"{\"":                   false,
		"note \"half":                  false, // a mistake, not a text of several lines
		"# {":                          false,
		"note \"a\\\"{\" # }":          false,
		"map \"\"\"":                   true,
		"map \"\"\"\n..{\n":            true,
		"map \"\"\"\n..{\n\"\"\"":      false,
		"let a = (1 +":                 true,
		"if yes { note \"a\" } else {": true,
	} {
		if got := Unfinished(src); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}
