package build

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/interp/story"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
)

// This file collects the files of an adventure.

// maxFiles limits the files of one adventure.
const maxFiles = 100

// adventure collects the files of an adventure, or of the adventure that tests belong to, the main one first. For any
// other script there are none. broken means that the script has syntax errors.
func (o *Options) adventure(s *Script, src []byte, broken bool) (files []story.File, diags diag.List, err error) {
	switch {
	case s.Head.Word.Name == "adventure":
		files = []story.File{{Path: s.Path, Parsed: s.File, Text: src, Broken: broken}}
	case s.Head.Of != nil:
		f, more, err := o.readNextTo(s.Path, s.Head.Of)
		if diags = append(diags, more...); f == nil || err != nil {
			return nil, diags, err
		}
		if h := load.HeaderOf(f.Parsed); h == nil || h.Word.Name != "adventure" {
			return nil, append(diags, diag.Diagnostic{File: s.Path, Span: s.Head.Of.Span, Severity: diag.Error, Code: "no-adventure", Message: f.Path + " is not an adventure",
				Hint: `it would start with: adventure "TITLE" with NAME`}), nil
		}
		files = []story.File{*f}
	default:
		return nil, nil, nil
	}
	have := map[string]bool{filepath.Clean(files[0].Path): true}
	for i := 0; i < len(files); i++ {
		for _, cl := range files[i].Parsed.Body {
			n, ok := cl.(*ast.Include)
			if !ok {
				continue
			}
			f, more, err := o.readNextTo(files[i].Path, &n.File)
			if diags = append(diags, more...); err != nil {
				return nil, diags, err
			}
			if f == nil {
				files[i].Broken = true
				continue
			}
			if have[f.Path] {
				continue
			}
			if h := load.HeaderOf(f.Parsed); h == nil || h.Word.Name != "adventure" {
				diags = append(diags, diag.Diagnostic{File: files[i].Path, Span: n.File.Span, Severity: diag.Error, Code: "no-adventure", Message: f.Path + " is not part of an adventure",
					Hint: `it would start with: adventure "TITLE"`})
				files[i].Broken = true
				continue
			}
			have[f.Path] = true
			if len(files) >= maxFiles {
				diags = append(diags, diag.Diagnostic{File: files[i].Path, Span: n.Span, Severity: diag.Error, Code: "limit", Message: fmt.Sprintf("an adventure has at most %d files", maxFiles)})
				return files, diags, nil
			}
			files = append(files, *f)
		}
	}
	return files, diags, nil
}

// readNextTo reads a file in the folder of another, or in a subfolder. Scripts cannot refer to any other files.
func (o *Options) readNextTo(user string, name *ast.Text) (*story.File, diag.List, error) {
	wrong := func(code, message, hint string) (*story.File, diag.List, error) {
		return nil, diag.List{{File: user, Span: name.Span, Severity: diag.Error, Code: code, Message: message, Hint: hint}}, nil
	}
	if !filepath.IsLocal(filepath.FromSlash(name.Value)) {
		return wrong("no-file", name.Value+" is not next to this file", "only files in this folder and its subfolders can be included")
	}
	path := filepath.Join(filepath.Dir(user), filepath.FromSlash(name.Value))
	src, err := o.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return wrong("no-file", "there is no file "+name.Value+" beside this one", "")
	}
	if err != nil {
		return wrong("no-file", name.Value+" cannot be read: "+err.Error(), "")
	}
	parsed, diags := parse.File(path, src)
	return &story.File{Path: path, Parsed: parsed, Text: src, Broken: diags.HasErrors()}, diags, nil
}

// title returns the title of a script, "" for none.
func title(f *ast.File) string {
	if h := load.HeaderOf(f); h != nil && h.Title != nil {
		return h.Title.Value
	}
	return ""
}

// scenePaths returns the paths of the scenes in files, nil if they are not an adventure.
func scenePaths(files []*ast.File) []string {
	isAdventure := false
	var list []story.File
	for _, f := range files {
		if h := load.HeaderOf(f); h != nil && h.Word.Name == "adventure" {
			isAdventure = true
		}
		list = append(list, story.File{Path: f.Path, Parsed: f})
	}
	if !isAdventure {
		return nil
	}
	return story.Paths(list)
}

// --- tests of a story -----------------------------------------------------------------------------------

// checkStoryDirective checks `start` and `take`.
func (c *scriptChecker) checkStoryDirective(n *ast.Directive) {
	if c.s.Story == nil {
		c.fail(n.Span, "misplaced", "this is not an adventure", `tests of an adventure start with: tests "TITLE" of "FILE.adventure"`)
	} else if n.Scene != nil {
		c.checkScene(n.Scene)
	}
}

// checkStoryExpectation checks what is expected of a story.
func (c *scriptChecker) checkStoryExpectation(n *ast.Expect) {
	if c.s.Story == nil {
		c.fail(n.Span, "misplaced", "this is not an adventure", `tests of an adventure start with: tests "TITLE" of "FILE.adventure"`)
		return
	}
	if n.Scene != nil {
		c.checkScene(n.Scene)
	}
	if n.Ending != nil && !slices.Contains(c.s.Story.Endings, n.Ending.Name) {
		c.fail(n.Ending.Span, "unknown-ending", "there is no ending "+n.Ending.Name, nearest(n.Ending.Name, setOf(c.s.Story.Endings), "an ending is named where it happens: finish "+n.Ending.Name))
	}
}

func (c *scriptChecker) checkScene(p *ast.Path) {
	if path := link.PathText(p); c.s.Story.Scene(path) < 0 {
		known := map[string]bool{}
		for i := range c.s.Story.Scenes {
			known[c.s.Story.Scenes[i].Path] = true
		}
		c.fail(p.Span, "unknown-scene", "there is no scene "+path, nearest(path, known, ""))
	}
}

func setOf(names []string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

// IsPart reports whether a script is a file for inclusion in an adventure: it names no rules, and cannot be run by
// itself.
func (s *Script) IsPart() bool {
	return s.Head != nil && s.Head.Word.Name == "adventure" && len(s.Head.With) == 0
}
