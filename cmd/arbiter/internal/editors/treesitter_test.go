package editors

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arbiter/lang/ast"
	"arbiter/lang/parse"
	"arbiter/lang/words"
)

// scripts lists all scripts of the repository.
func scripts(t *testing.T) (list []string) {
	t.Helper()
	for _, top := range []string{"rules", "examples", "spec"} {
		err := filepath.WalkDir(filepath.Join("../../../..", top), func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if slices.Contains([]string{".rules", ".encounter", ".adventure", ".tests"}, filepath.Ext(path)) {
				list = append(list, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(list) < 500 {
		t.Fatalf("only %d scripts were found", len(list))
	}
	return list
}

// neovim skips a test where there is no Neovim, or nothing that compiles the grammar.
func neovim(t *testing.T) {
	t.Helper()
	for _, program := range []string{"nvim", "cc"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("ARBITER_BROWSER") == "required" {
				t.Fatalf("%s is not installed", program)
			}
			t.Skipf("%s is not installed", program)
		}
	}
}

// inNeovim runs a script in Neovim without a window.
func inNeovim(t *testing.T, script string, env ...string) {
	t.Helper()
	home := t.TempDir()
	c := exec.Command("nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+script, "-c", "qa!")
	c.Env = append(os.Environ(), append(env, "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home)...)
	if out, err := c.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
}

// compiled compiles the grammar.
func compiled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "arbiter.so")
	src := "tree-sitter/src"
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror=implicit-function-declaration", "-I", src, filepath.Join(src, "parser.c"), filepath.Join(src, "scanner.c"), "-o", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// read is a script as the grammar has read it. Offsets count bytes.
type read struct {
	Path     string
	Errors   bool
	Clauses  [][2]any
	Captures [][2]any
	Folds    int
	Outline  []int
}

// readAll reads scripts by the grammar.
func readAll(t *testing.T, list []string, env ...string) (all []read) {
	t.Helper()
	dir := t.TempDir()
	names, out := filepath.Join(dir, "names"), filepath.Join(dir, "out")
	if err := os.WriteFile(names, []byte(strings.Join(list, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	inNeovim(t, "testdata/grammar.lua", "ARBITER_PARSER="+compiled(t), "ARBITER_QUERIES=tree-sitter/queries", "ARBITER_FILES="+names, "ARBITER_OUT="+out, strings.Join(env, ""))
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r read
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			r.Clauses = nil // Lua writes empty lists as objects
			if err := json.Unmarshal(bytes.ReplaceAll(lines.Bytes(), []byte(":{}"), []byte(":[]")), &r); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, r)
	}
	if len(all) != len(list) {
		t.Fatalf("%d of %d scripts were read", len(all), len(list))
	}
	return all
}

// TestTreeSitter: the grammar reads every script without an error, a clause begins where the parser of the language has
// one begin, and the outline has all declarations.
func TestTreeSitter(t *testing.T) {
	neovim(t)
	for _, r := range readAll(t, scripts(t)) {
		text, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Errors {
			t.Errorf("%s: an error node", r.Path)
		}
		begins := map[int]string{}
		for _, x := range r.Clauses {
			begins[int(x[0].(float64))] = x[1].(string)
		}
		f, _ := parse.File(r.Path, text)
		for _, cl := range f.Body {
			at := cl.Extent().Start.Offset
			if begins[at] == "" {
				t.Errorf("%s:%d: no clause begins here", r.Path, cl.Extent().Start.Line)
			}
			if isDeclaration(cl) && begins[at] != "declaration" {
				t.Errorf("%s:%d: a declaration is a %q", r.Path, cl.Extent().Start.Line, begins[at])
			}
			delete(begins, at)
		}
		for at := range begins { // the documentation of a head stands in a line of its own
			if rest := string(text[at:]); !strings.HasPrefix(rest, `"`) && !strings.HasPrefix(rest, "cite ") {
				t.Errorf("%s: a clause begins at %.40q", r.Path, rest)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// isDeclaration reports whether a clause begins with a word of the language that declares something.
func isDeclaration(cl ast.Clause) bool {
	switch cl.(type) {
	case *ast.Header, *ast.Define, *ast.Procedure, *ast.Stat, *ast.Effect, *ast.Rule, *ast.Change, *ast.Option, *ast.Enum, *ast.Kind, *ast.Test, *ast.Side, *ast.Scene:
		return true
	}
	return false
}

// TestGeneratedParser: the committed parser was generated from the grammar as it is.
func TestGeneratedParser(t *testing.T) {
	text, err := os.ReadFile("tree-sitter/grammar.js")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("tree-sitter/src/grammar.js.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if hash := sha256.Sum256(text); !strings.HasPrefix(string(sum), hex.EncodeToString(hash[:])) {
		t.Error("grammar.js has changed: `npm run generate` in tree-sitter writes the parser anew")
	}
}

// TestWordsOfGrammars: the first word of every declaration, and every word that cannot be a name, are known to the
// grammar; all other words with which clauses begin are among its highlights.
func TestWordsOfGrammars(t *testing.T) {
	grammar, err := os.ReadFile("tree-sitter/grammar.js")
	if err != nil {
		t.Fatal(err)
	}
	queries, err := os.ReadFile("tree-sitter/queries/highlights.scm")
	if err != nil {
		t.Fatal(err)
	}
	knows := func(text []byte, word string) bool { return bytes.Contains(text, []byte(`"`+word+`"`)) }
	for _, w := range words.Labels() {
		if !knows(grammar, w) {
			t.Errorf("%s is no operator of the grammar", w)
		}
	}
	for _, e := range words.LeadingEntries(words.Declaration, words.Clause, words.Statement, words.Script, words.Story) {
		word, _, _ := strings.Cut(e.Word, " ")
		if word == "" || word[0] < 'a' || word[0] > 'z' || strings.HasSuffix(word, ":") {
			continue
		}
		if !knows(grammar, word) && !knows(queries, word) {
			t.Errorf("%s is unknown", e.Word)
		}
	}
}
