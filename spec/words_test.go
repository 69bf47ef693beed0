package spec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	arbiter "arbiter/lang/ast"

	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/load"
)

// Mechanism in Go, policy in rules: the Go code of the language, the interpreter, the core and the command must not
// contain a name that a rulebook declares. Comments and tests may mention rules.

// goFiles visits the Go files of the repository to which that applies, without their tests.
func goFiles(t *testing.T, see func(path string, f *ast.File, fset *token.FileSet)) {
	for _, root := range []string{"../lang", "../interp", "../stdlib", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if f != nil {
				see(path, f, fset)
			}
			return nil // the compiler reports files that do not parse
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// plain are words that rulebooks declare, but which also belong to the language, the core or plain English.
var plain = strings.Fields(`
	act action balance base bonus bound build cause commanded cover covered creature d20 difficulty down empty escape exhausted fallen fired
	free full guard halted held holding jump large leaving level listen lock mark move multiplier natural net once open opposite packed part perform
	plain precedence raised ray reach reaction resolve resting running search seen silence size small speed spell spot stable step-in strike target throw
	thrown total touch type types weight
`)

// declared collects the names that the rulebooks declare, with the ruleset that declares each.
func declared(t *testing.T) map[string]string {
	l := &load.Loader{Places: library()[:1]}
	rulesets, _ := l.Load(l.Names()...)
	set, _ := link.Link(rulesets, nil)
	names := map[string]string{}
	add := func(d *link.Def, ids ...arbiter.Ident) {
		for _, id := range ids {
			names[id.Name] = d.Origin.Root().Ruleset
		}
	}
	for _, r := range rulesets {
		if r.Name != "third" { // an English word
			names[r.Name] = r.Name
		}
	}
	for _, d := range set.Defs {
		if name := d.Name[strings.LastIndexByte(d.Name, '.')+1:]; name != "" && (strings.Contains(name, "-") || telling(d.Node)) {
			names[name] = d.Origin.Root().Ruleset
		}
		switch n := d.Node.(type) {
		case *arbiter.Enum:
			for _, id := range n.Members { // single words are plain English
				if strings.Contains(id.Name, "-") {
					add(d, id)
				}
			}
		case *arbiter.Bonus:
			add(d, n.Names...)
		case *arbiter.Kind:
			if n.Body == nil {
				break
			}
			for _, cl := range n.Body.Clauses {
				f, ok := cl.(*arbiter.FieldDecl)
				if !ok {
					continue
				}
				for _, id := range f.Names { // likewise, except for the fields of creatures
					if n.Name.Name == "creature" || strings.Contains(id.Name, "-") {
						add(d, id)
					}
				}
			}
		}
	}
	for _, w := range plain {
		delete(names, w)
	}
	for _, d := range ir.CoreSignatures { // the core asks for these by name
		delete(names, d.Name)
	}
	for _, w := range append(ir.TerrainFields[:], ir.TerrainKind, ir.LeaveSquare, ir.EnterSquare, ir.LeaveFight, ir.MoveModes, ir.StatBlock) {
		delete(names, w)
	}
	return names
}

// telling reports whether a declaration has a name specific to the game, even if it is a single word: stats, effects,
// resources and so on. Defines, rules, procedures, tactics, roles and options are named in plain English.
func telling(n arbiter.Clause) bool {
	switch n.(type) {
	case *arbiter.Define, *arbiter.Rule, *arbiter.Procedure, *arbiter.Tactics, *arbiter.Role, *arbiter.Option:
		return false
	}
	return true
}

var word = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*`)

func TestNoRulesInGo(t *testing.T) {
	if !slices.IsSorted(plain) {
		t.Error("keep the plain words sorted, and few")
	}
	s := newSearch(t)
	if len(s.names) < 100 {
		t.Fatalf("only %d names are declared", len(s.names))
	}
	goFiles(t, func(path string, f *ast.File, fset *token.FileSet) {
		s.file(f, func(n ast.Node, written, name string) {
			t.Errorf("%s: %s speaks of %s, which %s declares", fset.Position(n.Pos()), written, name, s.names[name])
		})
	})
}

// TestRulesInGoAreFound: the search above works.
func TestRulesInGoAreFound(t *testing.T) {
	s := newSearch(t)
	for source, want := range map[string]string{
		`var flatFooted = 1`:                                              "flat-footed",
		`func armorClass() {}`:                                            "armor-class",
		`var x = "armor-class"`:                                           "armor-class",
		`var x = "fortitude"`:                                             "fortitude",
		`var x = "what the armor-class of it is"`:                         "armor-class",
		`type T struct{ Prone bool }`:                                     "prone",
		`var x = system("srd35")`:                                         "srd35",
		`var x = "with a fortitude of iron"`:                              "", // plain English
		`var x = "write: cite srd35.ac.01 to 04"`:                         "srd35",
		"// the armor-class\nvar x struct {\n\tA int `json:\"prone\"`\n}": "",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+source, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		s.file(f, func(_ ast.Node, _, name string) { got = name })
		if got != want {
			t.Errorf("%s: found %q, want %q", source, got, want)
		}
	}
}

// search has the names to look for.
type search struct {
	names    map[string]string
	rulesets []string
	longest  int // the most words in a name
}

func newSearch(t *testing.T) *search {
	s := &search{names: declared(t), rulesets: (&load.Loader{Places: library()[:1]}).Names()}
	for n := range s.names {
		s.longest = max(s.longest, strings.Count(n, "-")+1)
	}
	return s
}

// file reports the names that a file contains.
func (s *search) file(f *ast.File, tell func(n ast.Node, written, name string)) {
	found := func(n ast.Node, written, name string) bool {
		_, ok := s.names[name]
		if ok {
			tell(n, written, name)
		}
		return ok
	}
	skip := map[ast.Node]bool{}
	for _, i := range f.Imports {
		skip[i.Path] = true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				skip[n.Tag] = true
			}
		case *ast.Ident: // any run of its words may be a name
			words := camel(n.Name)
			for i := range words {
				for j := min(len(words), i+s.longest); j > i; j-- {
					if found(n, n.Name, strings.Join(words[i:j], "-")) {
						return true
					}
				}
			}
		case *ast.BasicLit:
			if n.Kind != token.STRING || skip[n] {
				break
			}
			text, err := strconv.Unquote(n.Value)
			if err != nil || found(n, n.Value, text) {
				break
			}
			// In a string a single word is English; a name of several words, or of a ruleset, belongs to the rules.
			for _, w := range word.FindAllString(text, -1) {
				if strings.Contains(w, "-") || slices.Contains(s.rulesets, w) {
					found(n, n.Value, w)
				}
			}
		}
		return true
	})
}

// camel splits an identifier into words.
func camel(name string) []string {
	var words []string
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) || runes[i] == '_' {
			words = append(words, strings.ToLower(strings.Trim(string(runes[start:i]), "_")))
			start = i
		}
	}
	return words
}

func TestCamel(t *testing.T) {
	for name, want := range map[string]string{"flatFooted": "flat footed", "ArmorClass": "armor class", "x": "x", "HTTPServer": "httpserver", "take_damage": "take damage"} {
		if got := strings.Join(camel(name), " "); got != want {
			t.Errorf("camel(%s) = %s, want %s", name, got, want)
		}
	}
}
