package sim

import (
	"strings"
	"testing"
)

func TestFigureNamed(t *testing.T) {
	list := []NamedFigure{{"west wins", Figure{Kind: Wins}}, {"fight rounds", Figure{Kind: Rounds}}, {"Alia dealt", Figure{Kind: Dealt}}}
	for _, x := range []struct{ name, want, err string }{
		{"west wins", "west wins", ""},
		{"  west   wins ", "west wins", ""},
		{"fight rounds", "fight rounds", ""},
		{"rounds", "fight rounds", ""},
		{"dealt", "", "there is no figure called dealt; "},
		{"west win", "", "there is no figure called west win; did you mean west wins?"},
		{"", "", "there is no figure called ; use one of: west wins, fight rounds, Alia dealt"},
	} {
		f, err := FigureNamed(x.name, list)
		if f.Name != x.want || (err == nil) != (x.err == "") || err != nil && !strings.HasPrefix(err.Error(), x.err) {
			t.Errorf("%q: %q, %v", x.name, f.Name, err)
		}
	}
}
