package langserver

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"arbiter/lang/parse"
)

const tiny = `ruleset tiny
kind creature { might: number = 1 }
enum size ordered: small, large
option luck = 2
stat force { might: might; luck: luck }
condition prone "Down." { -2 to force }
action strike target: creature { cost none; step blow { target gains prone } }
`

// tinyLibrary has that ruleset alone: a large one would be slow to build often.
var tinyLibrary = fstest.MapFS{"tiny/tiny.rules": {Data: []byte(tiny)}}

// FuzzQuestions sends all requests about any text, at any place in it: nothing crashes, and answers lie within the
// text.
func FuzzQuestions(f *testing.F) {
	for _, pattern := range []string{"../../../../examples/*.encounter", "../../../../examples/house-rules/*.rules", "../../../../rules/d20/*.rules"} {
		files, _ := filepath.Glob(pattern)
		for i, file := range files[:min(4, len(files))] {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text), 37*i, 5*i)
		}
	}
	f.Add("ruleset x extends tiny\noverride strike.", 1, 16)
	f.Add("encounter \"x\" with tiny\ncreature grunt { might: 1 }\nside a { grunt Bo }\nBo: strike Bo\nexpect Bo.might = 1", 3, 7)
	f.Add("creature \U0001F409 { \"\"\" \\", 0, 14)
	f.Add("side a {\r\n#\r\n\"", 2, 1)
	f.Fuzz(func(t *testing.T, text string, line, character int) {
		s := newServer(Options{Library: tinyLibrary, LibraryPrefix: "rules/", Log: io.Discard})
		d := &document{uri: "untitled:x.rules", path: "x.rules", lines: newLines(text, utf16Units)}
		d.file, _ = parse.File(d.path, []byte(text))
		s.docs[d.uri] = d
		p := &documentParams{TextDocument: textDocument{URI: d.uri}, Position: position{line, character}}
		p.Context.Diagnostics = []diagnostic{{Range: span{End: p.Position}, Message: "did you mean `x`?"}}
		for _, ask := range []string{"hover", "definition", "references", "documentHighlight", "documentSymbol", "formatting", "completion", "codeAction"} {
			s.methods()["textDocument/"+ask](p)
		}
		p.Query = text[:min(2, len(text))]
		s.search(p)
		tokens := s.tokensFull(p).(semanticTokens)
		at := position{}
		for i := 0; i < len(tokens.Data); i += 5 {
			if tokens.Data[i] > 0 {
				at = position{at.Line + int(tokens.Data[i]), 0}
			}
			at.Character += int(tokens.Data[i+1])
			if end := at.Character + int(tokens.Data[i+2]); at.Line >= len(d.begins) || end > d.width(d.line(at.Line)) {
				t.Fatalf("a token up to %d:%d", at.Line, end)
			}
		}
	})
}
