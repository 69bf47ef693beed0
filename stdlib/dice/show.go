package dice

import "fmt"

// This file writes dice as they lie on the table.

// String writes a die with what happened to it: (2) is dropped, 1r rerolled, 6! exploded, 5* counted, 1_ failed, 20**
// critical and 1__ fumbled; 1->3 counts as 3. A Fate die is -, 0 or +.
func (d Die) String() string {
	text := fmt.Sprint(d.Face)
	if d.Fate {
		text = []string{"-", "0", "+"}[(d.Face-1)%3]
	}
	if d.Marks&(Raised|Lowered) != 0 {
		text = fmt.Sprintf("%s->%d", text, d.Value)
	}
	for _, s := range [...]struct {
		mark Mark
		sign string
	}{{Exploded, "!"}, {Critical, "**"}, {Fumbled, "__"}, {Counted, "*"}, {Failed, "_"}, {Rerolled, "r"}} {
		if d.Marks.Has(s.mark) {
			text += s.sign
		}
	}
	if d.Marks.Has(Dropped) {
		return "(" + text + ")"
	}
	return text
}

// markWords are the words for what happened to a die, in the order in which they are listed.
var markWords = [...]struct {
	mark Mark
	word string
}{
	{Raised, "raised"}, {Lowered, "lowered"}, {Exploded, "exploded"}, {Extra, "extra"}, {Joined, "joined"},
	{Critical, "critical"}, {Fumbled, "fumbled"}, {Counted, "counted"}, {Failed, "failed"}, {Rerolled, "rerolled"}, {Dropped, "dropped"},
}

// Words returns the words for the marks, such as dropped.
func (m Mark) Words() (words []string) {
	for _, x := range markWords {
		if m.Has(x.mark) {
			words = append(words, x.word)
		}
	}
	return words
}
