package reading

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"arbiter/stdlib/statblock"
)

// TestNoWordIsLost puts words that mean nothing anywhere into blocks: each is in what has been read of its block.
func TestNoWordIsLost(t *testing.T) {
	src, err := os.ReadFile("testdata/corpus/srd35/labelled.txt")
	if err != nil {
		t.Fatal(err)
	}
	r, diags, err := New(options, ".", "srd35")
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 6 {
		var words []string
		lines := strings.Split(string(src), "\n")
		for i, line := range lines {
			if at := strings.LastIndex(line[:random.IntN(len(line)+1)], " "); at >= 0 && random.IntN(3) == 0 {
				word := fmt.Sprintf("zq%cq%cz", 'a'+i%26, 'a'+i/26%26)
				lines[i] = line[:at] + " " + word + line[at:]
				words = append(words, word)
			}
		}
		sheets, rest, err := statblock.Read([]byte(strings.Join(lines, "\n")), &r.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range rest {
			b.WriteString(e.Label + e.Text)
		}
		for i := range sheets {
			d := r.Read(&sheets[i])
			b.WriteString(d.Title + d.Doc)
			for _, x := range slices.Concat(d.Declared, d.Body, d.Has) {
				b.WriteString(x.Text)
			}
		}
		read := letters(b.String())
		for _, w := range words {
			if !strings.Contains(read, w) {
				t.Errorf("round %d: %s is lost", round, w)
			}
		}
		if len(words) < 30 {
			t.Errorf("only %d words were put in", len(words))
		}
	}
}
