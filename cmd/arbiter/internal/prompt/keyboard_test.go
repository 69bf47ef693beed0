package prompt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chzyer/readline"
)

func TestKeyboard(t *testing.T) {
	names := map[rune]string{
		keyNewline: "newline", keyDelete: "delete", keyEscape: "escape",
		readline.CharPrev: "up", readline.CharNext: "down", readline.CharForward: "right", readline.CharBackward: "left",
		readline.CharLineStart: "home", readline.CharLineEnd: "end", readline.CharEnter: "enter",
		readline.MetaForward: "word-right", readline.MetaBackward: "word-left", readline.MetaBackspace: "kill-word-left", readline.MetaDelete: "kill-word-right",
	}
	for in, want := range map[string]string{
		"ab\r":                                  `"ab" enter`,
		"\x00a":                                 `"a"`,
		"a\r\nb\r\n":                            `"a" enter "b" enter`,
		"\n\r":                                  `10 enter`,
		"\x03\x7f":                              `3 127`,
		"鬼ä":                                    `"鬼ä"`,
		"\xe9a\xff":                             `"\ufffda\ufffd"`,
		"\x1b[A\x1b[B\x1b[C":                    `up down right`,
		"\x1bOD\x1bOH\x1bOF":                    `left home end`,
		"\x1b[1;5C\x1b[1;3D":                    `word-right word-left`,
		"\x1b[1;2C":                             `right`,
		"\x1b[1~\x1b[4~\x1b[3~":                 `home end delete`,
		"\x1bb\x1bf\x1bd\x1b\x7f\x1b\x08":       `word-left word-right kill-word-right kill-word-left kill-word-left`,
		"\x1b\ra":                               `newline "a"`,
		"\x1bOMa":                               `enter "a"`,
		"\x1b":                                  `escape`,
		"\x1b\x1b[A":                            `escape up`,
		"\x1bxa\x1b鬼b":                          `"ab"`,
		"\x1b\x03":                              `3`,
		"\x1b[99;99Ra":                          `"a"`,
		"\x1b[<0;1;1Ma":                         `"a"`,
		"\x1b[[Aa":                              `"a"`,
		"\x1b[12\x03a":                          `3 "a"`,
		"\x1b]11;rgb:0/0/0\x07a\x1bP1$r\x1b\\b": `"ab"`,
		"\x1b[200~a\rb\r\nc\td\x1b[Ae\r\x1b[201~\r": `paste "a\nb\nc\td[Ae" enter`,
		"\x1b[201~a": `"a"`,
		"\x1b[" + strings.Repeat("1", 5000) + "\r": `"` + strings.Repeat("1", 5002-maxSequence) + `" enter`,
	} {
		for _, chunk := range []int{1, 3, 4096} {
			if chunk < 4096 && strings.Contains(in, "\r\n") {
				continue // the halves may be two separate keys
			}
			dev := newFakeDevice(in)
			dev.chunk = chunk
			k := keyboard{dev: dev}
			var got []string
			text := ""
			say := func() {
				if text != "" {
					got = append(got, fmt.Sprintf("%+q", text))
				}
				text = ""
			}
			for {
				x, err := k.nextKey()
				if err != nil {
					break
				}
				if x.code == keyText {
					text += x.text
					continue
				}
				say()
				switch name := names[x.code]; {
				case x.code == keyPaste:
					got = append(got, "paste "+fmt.Sprintf("%+q", x.text))
				case name != "":
					got = append(got, name)
				default:
					got = append(got, fmt.Sprint(x.code))
				}
			}
			say()
			want := strings.NewReplacer("鬼", `\u9b3c`, "ä", `\u00e4`).Replace(want)
			if got := strings.Join(got, " "); got != want {
				t.Errorf("%.40q in parts of %d gives %.200s, want %.200s", in, chunk, got, want)
			}
		}
	}
}
