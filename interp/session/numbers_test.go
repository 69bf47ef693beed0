package session

import (
	"strings"
	"testing"

	"arbiter/interp/build"
)

// Numbers at their ends, in everything that counts or calculates: each is right, or refused with the place.
func TestNumbersAtTheirEnds(t *testing.T) {
	const most, least = "9223372036854775807", "(0 - 9223372036854775800)"
	const tooLarge = "a number too large: numbers are from -9223372036854775800 to 9223372036854775807"
	for _, x := range []struct{ statement, output, failure string }{
		{`note "{count x in range(` + most + `, ` + most + `)}"`, "1", ""},
		{`note "{count x in range(` + most + ` - 2, ` + most + `) where x > 0}"`, "3", ""},
		{`note "{each x in range(` + most + ` - 1, ` + most + `) of ` + most + ` - x}"`, "[1, 0]", ""},
		{`let l = range(` + most + ` - 1, ` + most + `); note "{l}"`, "[9223372036854775806, 9223372036854775807]", ""},
		{`for each x in range(` + most + ` - 1, ` + most + `) { note "{x}" }`, "9223372036854775806 9223372036854775807", ""},
		{`for each x in range(` + least + `, ` + least + ` + 1) { note "{x}" }`, "-9223372036854775800 -9223372036854775799", ""},
		{`note "{count x in range(` + most + `, ` + least + `)}"`, "", "a range has at most 10,000 numbers"},
		{`note "{count x in range(1, 10000)}"`, "10000", ""},
		{`note "{count x in range(1, 10001)}"`, "", "a range has at most 10,000 numbers"},
		{`note "{count x in range(3, 1)}"`, "0", ""},
		{`repeat ` + most + ` times { let x = 1 }`, "", "steps in one command"},
		{`repeat ` + least + ` times { note "never" }`, "", ""},
		{`note "{` + least + `} {0 + ` + least + ` + 0}"`, "-9223372036854775800 -9223372036854775800", ""},
		{`let n = ` + least + `; note "{max(n, 3)} {min(n, 3)} {n / 2} {n < 0} {highest x in [n, n] of x otherwise 7}"`, "3 -9223372036854775800 -4611686018427387900 yes -9223372036854775800", ""},
		{`let n = ` + least + `; note "{[n][1]} {sum x in [n] of x} {(first x in [n]) otherwise 7} {n in [n]}"`, "-9223372036854775800 -9223372036854775800 -9223372036854775800 yes", ""},
		{`let n = ` + least + `; note "{n - 1}"`, "", tooLarge},
		{`let n = ` + least + `; note "{n + (0 - 1)}"`, "", tooLarge},
		{`let n = ` + least + `; note "{-n}"`, "9223372036854775800", ""},
		{`let n = ` + most + `; note "{-n}"`, "", tooLarge},
		{`let n = ` + most + `; note "{0 - n}"`, "", tooLarge},
		{`let n = ` + most + `; note "{n * -1}"`, "", tooLarge},
		{`let n = ` + most + `; note "{n / -1}"`, "", tooLarge},
		{`let n = ` + most + `; note "{n + 1}"`, "", tooLarge},
		{`let n = ` + most + `; note "{n * 2}"`, "", tooLarge},
		{`let n = ` + most + `; note "{sum x in [n, 1] of x}"`, "", tooLarge},
		{`note "{abs(` + least + `)}"`, "9223372036854775800", ""},
		{`note "{abs(0 - ` + most + `)}"`, "", tooLarge},
		{`note "{round-up(` + most + ` / 1)} {round-up(` + least + ` / 1)}"`, "9223372036854775807 -9223372036854775800", ""},
		{`note "{1 / 0}"`, "", "division by zero"},
		{`explain 1 / 0`, "", "division by zero"},
		{`explain 1 + 1`, "1 + 1 = 2", ""},
	} {
		s := opened(t, "encounter \"numbers\" with d20\ncreature man { level: 1 }\nside us { man Alia }\n"+x.statement+"\n")
		p := newPlayer(s, Options{})
		for _, cl := range s.File.Body {
			p.clause(cl)
		}
		p.narrator.writeEvents()
		got, failure := strings.Join(strings.Fields(p.narrator.transcript()), " "), ""
		for _, d := range p.result.Failures {
			failure = d.Message
			if d.Span.Start.Line == 0 {
				t.Errorf("%s: no place", x.statement)
			}
		}
		if got != x.output || failure != x.failure && (x.failure == "" || !strings.Contains(failure, x.failure)) {
			t.Errorf("%s\n got %q, %q\nwant %q, %q", x.statement, got, failure, x.output, x.failure)
		}
	}
}

// A stat is multiplied by zero or more.
func TestFactorsBelowZero(t *testing.T) {
	for factor, want := range map[string]string{
		"-1":          "a stat is multiplied by zero or more, not by a number below zero",
		"-1/2":        "a stat is multiplied by zero or more, not by a number below zero",
		"(level - 2)": "-1 is below zero: a stat is multiplied by zero or more",
		"(1 - level)": "0",
		"1000000000000 }\neveryone b { might times 1000000000000 }\neveryone c { might becomes 1000000000000": "a number too large: might",
		"(level - 2 + 3)/2": "10",
	} {
		src := "encounter \"factors\" with d20\nstat might = 10\neveryone weak { might times " + factor + " }\ncreature man { level: 1 }\nside us { man Alia }\nnote \"{Alia.might}\"\n"
		s, diags, err := build.Source("test.encounter", []byte(src), quick)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if diags.HasErrors() {
			got = diags[0].Message
		} else if r := Play(s, s.File.Body, Options{}); len(r.Failures) > 0 {
			got = r.Failures[0].Message
		} else {
			got = strings.TrimSpace(r.Output)
		}
		if !strings.Contains(got, want) {
			t.Errorf("times %s: %s, want %s", factor, got, want)
		}
	}
}
