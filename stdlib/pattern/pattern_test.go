package pattern

import "testing"

func TestLazy(t *testing.T) {
	p := New(`([a-z]+)-([0-9]+)`)
	if !p.MatchString("ab-12") || p.FindStringSubmatch("ab-12")[2] != "12" || p() != p() {
		t.Error("it does not find what it should")
	}
	defer func() {
		if recover() == nil {
			t.Error("what is no regular expression is one")
		}
	}()
	New(`(`).MatchString("")
}
