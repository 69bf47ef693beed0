package spec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"arbiter/lang/words"
	"arbiter/stdlib/clock"
)

// The table of words exists three times: on the page, in lang/words, and in the code that parses. These tests keep them
// in agreement.

// groups are the headings of the first part of the page.
var groups = map[string]words.Group{
	"Declarations": words.Declaration,
	"Clauses of effects, actions and procedures": words.Clause,
	"Statements": words.Statement,
	"Statements of scripts (encounters, tests, the prompt)": words.Script,
	"Statements of scenes":   words.Story,
	"Triggers and durations": words.Trigger,
	"Words of expressions":   words.Expression,
	"Parts of bodies":        words.Part,
}

var (
	quotedCode = regexp.MustCompile("`([^`]+)`")
	cellBorder = regexp.MustCompile(`(^|[^\\])\|`)
)

// firstPart is the section of the page that contains the table.
func firstPart(t *testing.T) string {
	page, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(page), "\n## 1. ")
	part, _, _ = strings.Cut(part, "\n## 2. ")
	return part
}

// pageTable reads the rows of the page as entries of lang/words: one for each word of a row.
func pageTable(t *testing.T) []words.Entry {
	var list []words.Entry
	group, known := words.Declaration, false
	for line := range strings.SplitSeq(firstPart(t), "\n") {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			if group, known = groups[heading]; !known {
				t.Errorf("an unknown heading: %s", heading)
			}
			continue
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| --- ") {
			continue
		}
		cells := strings.Split(cellBorder.ReplaceAllString(line, "$1\x00"), "\x00")
		if len(cells) != 5 {
			t.Errorf("a row without three cells: %s", line)
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], `\|`, "|"))
		}
		if cells[3] == "form" {
			continue
		}
		var forms []string
		for _, m := range quotedCode.FindAllStringSubmatch(cells[3], -1) {
			forms = append(forms, m[1])
		}
		for _, word := range entryWords(cells[1]) {
			list = append(list, words.Entry{Group: group, Word: word, Meaning: cells[2], Forms: forms})
		}
	}
	return list
}

// entryWords are the words of a row; placeholders are in capitals, parts without a word are kept as they are.
func entryWords(cell string) []string {
	switch cell {
	case "any kind":
		return []string{"KIND"}
	case "NAME `:`":
		return []string{"NAME:"}
	}
	var list []string
	for _, m := range quotedCode.FindAllStringSubmatch(cell, -1) {
		list = append(list, m[1])
	}
	if list == nil {
		return []string{cell}
	}
	return list
}

func TestTableOfWords(t *testing.T) {
	page, table := pageTable(t), words.All()
	for i := range max(len(page), len(table)) {
		if i >= len(page) || i >= len(table) {
			t.Fatalf("the page has %d entries, lang/words %d", len(page), len(table))
		}
		p, w := page[i], table[i]
		if p.Group != w.Group || p.Word != w.Word || p.Meaning != w.Meaning || !slices.Equal(p.Forms, w.Forms) {
			t.Fatalf("entry %d differs\non the page:   %v\nin lang/words: %v", i, p, w)
		}
	}
}

// TestWordsOfTheParser: every word that the parser asks for is in some form on the page, and no form has a word that it
// does not ask for.
func TestWordsOfTheParser(t *testing.T) {
	asked, page := parserWords(t), pageWords(t)
	asked["do"] = true // to the parser it is a command like any other
	for _, w := range slices.Sorted(maps.Keys(asked)) {
		if !page[w] {
			t.Errorf("the parser asks for `%s`, which no form of the page has", w)
		}
	}
	for _, w := range slices.Sorted(maps.Keys(page)) {
		if !asked[w] && !words.Reserved(w) && !words.IsUnit(w) {
			t.Errorf("the page has `%s`, for which the parser never asks", w)
		}
	}
}

var plainWord = regexp.MustCompile(`[A-Za-z]+`)

// pageWords are the lowercase words of the forms and of the line above them.
func pageWords(t *testing.T) map[string]bool {
	found := map[string]bool{}
	for _, m := range quotedCode.FindAllStringSubmatch(firstPart(t), -1) {
		code := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(m[1], "")
		for _, w := range plainWord.FindAllString(code, -1) {
			if w == strings.ToLower(w) {
				found[w] = true
			}
		}
	}
	return found
}

var (
	wordAlone = regexp.MustCompile(`^[a-z]+$`)
	tagWord   = regexp.MustCompile(`'([a-z]+)'`)
)

// parserWords are the words that the parser compares its tokens with: in is, accept, expect and expectIn, in
// comparisons and cases of the value of a token, and in the grammars of heads.
func parserWords(t *testing.T) map[string]bool {
	paths, err := filepath.Glob("../lang/parse/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal("no parser", err)
	}
	found := map[string]bool{}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if w, err := strconv.Unquote(lit.Value); err == nil && wordAlone.MatchString(w) {
				found[w] = true
			}
		}
	}
	ofToken := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Value"
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 && slices.Contains([]string{"is", "accept", "expect", "expectIn"}, s.Sel.Name) {
					add(n.Args[0])
				}
			case *ast.BinaryExpr:
				if ofToken(n.X) {
					add(n.Y)
				}
			case *ast.CompositeLit:
				if m, ok := n.Type.(*ast.MapType); ok {
					if _, ok := m.Value.(*ast.FuncType); ok { // the table of first words
						for _, e := range n.Elts {
							add(e.(*ast.KeyValueExpr).Key)
						}
					}
				}
			case *ast.FuncDecl:
				if n.Name.Name == "keywordClause" { // its cases are head words
					ast.Inspect(n, func(n ast.Node) bool {
						if c, ok := n.(*ast.CaseClause); ok {
							for _, e := range c.List {
								add(e)
							}
						}
						return true
					})
				}
			case *ast.SwitchStmt:
				if n.Tag == nil || !ofToken(n.Tag) {
					break
				}
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						add(e)
					}
				}
			case *ast.Field:
				if n.Tag != nil {
					for _, m := range tagWord.FindAllStringSubmatch(n.Tag.Value, -1) {
						found[m[1]] = true
					}
				}
			}
			return true
		})
	}
	return found
}

// section is the text of the page under the heading with that beginning, up to the next heading of its level.
func section(t *testing.T, heading string) string {
	page, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, ok := strings.Cut(string(page), "\n"+heading)
	if !ok {
		t.Fatalf("the page has no %q", heading)
	}
	part, _, _ = strings.Cut(part, "\n## ")
	return part
}

// firstCells are the quoted texts in the first cells of the tables of a section, up to a parenthesis.
func firstCells(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range quotedCode.FindAllStringSubmatch(cells[1], -1) {
				name, _, _ := strings.Cut(m[1], "(")
				found[name] = true
			}
		}
	}
	return found
}

// literals are the string literals in a declaration of a file: the keys of a map, the cases of a function.
func literals(t *testing.T, path, name string) map[string]bool {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			w, _ := strconv.Unquote(lit.Value)
			found[w] = true
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || v.Names[0].Name != name || len(v.Values) == 0 {
					continue
				}
				for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
					add(e.(*ast.KeyValueExpr).Key)
				}
			}
		case *ast.FuncDecl:
			if d.Name.Name != name {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if c, ok := n.(*ast.CaseClause); ok {
					for _, e := range c.List {
						add(e)
					}
				}
				return true
			})
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no %s", path, name)
	}
	return found
}

func same(t *testing.T, what string, page, code map[string]bool) {
	t.Helper()
	for _, w := range slices.Sorted(maps.Keys(code)) {
		if !page[w] {
			t.Errorf("the page does not have the %s %s", what, w)
		}
	}
	for _, w := range slices.Sorted(maps.Keys(page)) {
		if !code[w] {
			t.Errorf("there is no %s %s", what, w)
		}
	}
}

// TestFunctions: the functions of the core are those on the page, and so are those of the group about places.
func TestFunctions(t *testing.T) {
	_, tables, _ := strings.Cut(section(t, "## 10. "), "Functions of the core")
	same(t, "function", firstCells(tables), literals(t, "../interp/check/builtins.go", "builtins"))
	_, places, _ := strings.Cut(tables, "These are about places")
	src, err := os.ReadFile("../interp/check/builtins.go")
	if err != nil {
		t.Fatal(err)
	}
	_, group, _ := strings.Cut(string(src), "// About places")
	group, _, _ = strings.Cut(group, "\n}\n")
	about := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t"([a-z-]+)":`).FindAllStringSubmatch(group, -1) {
		about[m[1]] = true
	}
	same(t, "function about places", firstCells(places), about)
}

// TestUnits: so are the units.
func TestUnits(t *testing.T) {
	code := map[string]bool{}
	for unit := range words.Units {
		code[unit] = true
	}
	same(t, "unit", firstCells(section(t, "## 2. ")), code)
	if words.Units["round"].Size != int64(clock.Round) {
		t.Error("a round of the language is not one of the clock")
	}
}
