package statblock

import (
	"errors"
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	v := &Vocabulary{Records: []string{"record"}}
	if _, _, err := Read([]byte(strings.Repeat("x ", MaxSource/2)), v); err != nil {
		t.Errorf("a source of %d bytes: %v", MaxSource, err)
	}
	_, _, err := Read([]byte(strings.Repeat("x ", MaxSource/2)+"x"), v)
	if tooLarge := (*tooLargeError)(nil); !errors.As(err, &tooLarge) || !strings.Contains(err.Error(), "the text has more than 4 MB") {
		t.Errorf("a source of a byte more: %v", err)
	}
	const says = "the XML is nested too deep"
	for depth, want := range map[int]bool{maxDepth: false, maxDepth + 1: true} {
		_, rest := xmlSheets([]byte(strings.Repeat("<a>", depth)+strings.Repeat("</a>", depth)), v)
		found := false
		for _, e := range rest {
			found = found || e.Text == says
		}
		if found != want {
			t.Errorf("%d elements in one another: %v", depth, rest)
		}
	}
}
