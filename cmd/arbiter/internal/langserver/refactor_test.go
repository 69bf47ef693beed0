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
	e := startMoving(t)
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

// startMoving starts an editor that can create files.
func startMoving(t *testing.T) *editor {
	return startWith(t, tinyLibrary, utf16Units, 0, map[string]any{
		"textDocument": map[string]any{"codeAction": map[string]any{"resolveSupport": map[string]any{"properties": []string{"edit"}}}},
		"workspace":    map[string]any{"workspaceEdit": map[string]any{"documentChanges": true, "resourceOperations": []string{"create"}}},
	})
}

// What is moved out of a ruleset becomes one that it extends; what needs the rest stays.
func TestMoveOut(t *testing.T) {
	e := startMoving(t)
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
	if refused == nil || !strings.Contains(refused.Error(), "daring cannot be moved to a file of its own: ") {
		t.Errorf("%v", refused)
	}
}

// What responds to the same moment as something else stays: which of them is first would be another.
func TestMoveOutOrder(t *testing.T) {
	e := startMoving(t)
	_, refused := e.refactor("house.rules", "ruleset house extends tiny\n\nru|le weep after strike { note \"weep\" }\n\nrule wail after strike { note \"wail\" }\n", refactorMove)
	if refused == nil || !strings.Contains(refused.Error(), "weep and wail respond to the same moment") {
		t.Errorf("%v", refused)
	}
	if x, refused := e.refactor("other.rules", "ruleset other extends tiny\n\nru|le weep after strike { note \"weep\" }\n\nrule wail before strike { note \"wail\" }\n", refactorMove); refused != nil || x.Edit == nil {
		t.Errorf("%v", refused)
	}
}

// In a ruleset that is a folder, what is moved goes to one more file of it, and everything means what it meant.
func TestMoveOutOfFolder(t *testing.T) {
	e := startMoving(t)
	text := "ruleset house extends tiny\n\n# Bold.\nfe|at bold { +1 to force when daring }\n\nrule weep after strike { note \"{bold-worth}\" }\n\nrule wail after strike { note \"wail\" }\n\ndefine bold-worth = 2\n"
	e.writeFolder(map[string]string{"house/bold.rules": "ruleset house\n\ndefine creature.daring = self has bold\n", "more.rules": "ruleset more extends house\n\ndefine creature.tame = not (self has bold)\n", "house/house.rules": strings.Replace(text, "|", "", 1)})
	for _, c := range []struct{ at, want string }{
		{"fe|at bold", "create bold-2.rules\nbold-2.rules: \"ruleset house\\n\\n# Bold.\\nfeat bold { +1 to force when daring }\\n\"\nhouse.rules: \"\"\n"},
		{"ru|le weep", "create weep.rules\nweep.rules: \"ruleset house\\n\\nrule weep after strike { note \\\"{bold-worth}\\\" }\\n\"\nhouse.rules: \"\"\n"},
	} {
		plain := strings.Replace(text, "|", "", 1)
		x, refused := e.refactor("house/house.rules", strings.Replace(plain, strings.Replace(c.at, "|", "", 1), c.at, 1), refactorMove)
		if refused != nil {
			t.Fatal(refused)
		}
		if got := describeChanges(x.Edit); got != c.want {
			t.Errorf("%s", got)
		}
	}
}
