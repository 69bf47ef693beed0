package langserver

import (
	"fmt"
	"strings"
	"testing"
)

// refactor asks for the code actions at the marks of a text, and chooses the one of a kind.
func (e *editor) refactor(name, marked, kind string) (x codeAction, refused error) {
	e.t.Helper()
	from := strings.IndexByte(marked, '|')
	text := strings.Replace(marked, "|", "", 1)
	to := from
	if i := strings.IndexByte(text, '|'); i >= 0 {
		to, text = i, strings.Replace(text, "|", "", 1)
	}
	e.write(name, text)
	e.open(name, text)
	l := newLines(text, utf16Units)
	var list []codeAction
	e.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "range": span{l.positionAt(from), l.positionAt(to)}, "context": map[string]any{"diagnostics": []any{}, "only": []string{kind}}}, &list)
	if len(list) != 1 {
		e.t.Fatalf("%q: %+v", marked, list)
	}
	return e.resolved(list[0])
}

// The edits of a refactoring are what one would write, and the text has no mistakes afterwards.
func TestRefactor(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0, map[string]any{
		"textDocument": map[string]any{"codeAction": map[string]any{"resolveSupport": map[string]any{"properties": []string{"edit"}}}},
		"workspace":    map[string]any{"workspaceEdit": map[string]any{"documentChanges": true, "resourceOperations": []string{"create"}}},
	})
	for i, c := range []struct{ kind, text, want string }{
		{refactorExtract, "ruleset x extends tiny\n\n# Bold.\nfeat bold { +1 to force when |might * 2 <= luck| }\n",
			"ruleset x extends tiny\n\ndefine creature.extracted = might * 2 <= luck\n\n# Bold.\nfeat bold { +1 to force when extracted }\n"},
		{refactorExtract, "ruleset x extends tiny\n\ndefine worth(n: number) = n * |(1 + 2)|\n",
			"ruleset x extends tiny\n\ndefine extracted = (1 + 2)\n\ndefine worth(n: number) = n * extracted\n"},
		{refactorExtract, "ruleset x extends tiny\n\ndefine worth(n: number, foe: creature) = |n * foe.might| + 2\n",
			"ruleset x extends tiny\n\ndefine extracted(n: number, foe: creature) = n * foe.might\n\ndefine worth(n: number, foe: creature) = extracted(n, foe) + 2\n"},
		{refactorRewrite, "ruleset x extends tiny\n\noverride force.luck = |3\n",
			"ruleset x extends tiny\n\noption force-luck = 3\n\noverride force.luck = force-luck\n"},
	} {
		name := fmt.Sprintf("refactor%d.rules", i)
		x, refused := e.refactor(name, c.text, c.kind)
		if refused != nil {
			t.Errorf("%q: %v", c.text, refused)
			continue
		}
		text := strings.ReplaceAll(c.text, "|", "")
		if got := e.applyEdits(*x.Edit, map[string]string{name: text})[name]; got != c.want {
			t.Errorf("%q becomes\n%s", c.text, got)
		}
		e.change(name, 2, c.want)
		if found := e.diagnostics(name, 2); len(found) > 0 {
			t.Errorf("%s: %+v", c.want, found)
		}
	}
}

func TestMaxParameters(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0, map[string]any{
		"textDocument": map[string]any{"codeAction": map[string]any{"resolveSupport": map[string]any{"properties": []string{"edit"}}}},
	})
	for n, fits := range map[int]bool{maxParameters: true, maxParameters + 1: false} {
		params, sum := "a: number", "a"
		for i := range n - 1 {
			params += fmt.Sprintf(", a%d: number", i)
			sum += fmt.Sprintf(" + a%d", i)
		}
		_, refused := e.refactor(fmt.Sprintf("params%d.rules", n), "ruleset x extends tiny\n\ndefine worth("+params+") = 2 * |("+sum+")|\n", refactorExtract)
		if full := refused != nil && strings.Contains(refused.Error(), "the expression uses more than 6 names that are bound around it"); full == fits {
			t.Errorf("%d names: %v", n, refused)
		}
	}
}

// What is moved out of a ruleset becomes one that it extends; what needs the rest stays.
func TestMoveOut(t *testing.T) {
	e := startWith(t, tinyLibrary, utf16Units, 0, map[string]any{
		"textDocument": map[string]any{"codeAction": map[string]any{"resolveSupport": map[string]any{"properties": []string{"edit"}}}},
		"workspace":    map[string]any{"workspaceEdit": map[string]any{"documentChanges": true, "resourceOperations": []string{"create"}}},
	})
	text := "ruleset house extends tiny\n\n# Bold.\nfe|at bold { +1 to force }\n\ndefine creature.daring = self has bold\n"
	x, refused := e.refactor("house.rules", text, refactorMove)
	if refused != nil {
		t.Fatal(refused)
	}
	if got := describeChanges(x.Edit); got != "create bold.rules\nbold.rules: \"ruleset bold extends tiny\\n\\n# Bold.\\nfeat bold { +1 to force }\\n\"\n"+
		"house.rules: \", bold\"\nhouse.rules: \"\"\n" {
		t.Errorf("%s", got)
	}
	_, refused = e.refactor("other.rules", "ruleset other extends tiny\n\nfeat bold { +1 to force }\n\ndefine creature.dar|ing = self has bold\n", refactorMove)
	if refused == nil || !strings.Contains(refused.Error(), "daring cannot be a ruleset of its own") {
		t.Errorf("%v", refused)
	}
}
