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
	for _, x := range []struct{ ruleset, file string }{{"srd35", "labelled"}, {"starfinder", "foes"}, {"starfinder", "sections"}, {"true20", "creatures"}, {"true20", "forms"}} {
		t.Run(x.ruleset+"/"+x.file, func(t *testing.T) { noWordIsLost(t, readerOf(t, x.ruleset), x.ruleset+"/"+x.file+".txt") })
	}
}

// leastPutIn is how many words a round must put into a block.
const leastPutIn = 3

func noWordIsLost(t *testing.T, r *Reader, file string) {
	src, err := os.ReadFile("testdata/corpus/" + file)
	if err != nil {
		t.Fatal(err)
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
		if len(words) < leastPutIn {
			t.Errorf("only %d words were put in", len(words))
		}
	}
}
