package check_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"arbiter/interp/check"
	"arbiter/interp/ir"
	"arbiter/interp/link"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/parse"
	"arbiter/spec/catalogue"
)

// open returns a script for the casebook's small game, with the creatures Alia and Bela.
func open(t *testing.T) (*check.Checked, *check.Script) {
	t.Helper()
	l := &load.Loader{Places: []load.Place{{FS: os.DirFS("testdata/casebook")}}}
	rulesets, diags := l.Load("base")
	set, more := link.Link(rulesets, nil)
	checked, last := check.Check(set, check.Options{KnownCitation: catalogue.Known})
	if all := slices.Concat(diags, more, last); len(all) > 0 {
		t.Fatal(all)
	}
	s := checked.NewScript("fight.encounter")
	s.BindCreature("Alia", 1)
	s.BindCreature("Bela", 2)
	return checked, s
}

func codesOf(diags diag.List) string {
	var codes []string
	for _, d := range diags {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

func TestScriptStatements(t *testing.T) {
	for src, want := range map[string]string{
		"Alia gains tired":                                "",
		"Alia: strike Bela with axe":                      "",
		"Alia: shout Bela at 3":                           "",
		"set Alia.vigor to 3":                             "",
		"for each x in enemies(Alia) { x loses 1 vigor }": "",
		"let n = roll d20":                                "",
		"Alia gains tierd":                                "unknown-effect",
		"Ailia gains tired":                               "unknown-name",
		"strike Bela with axe":                            "",
		"Alia: strike Bela with 3":                        "wrong-type",
		"option x = 3":                                    "misplaced",
		"if Alia is tired { Bela gains tierd }":           "unknown-effect",
	} {
		_, s := open(t)
		clauses, diags := parse.Statement("fight.encounter", src)
		for _, cl := range clauses {
			_, _, more := s.Statements(cl)
			diags = append(diags, more...)
		}
		if got := codesOf(diags); got != want {
			t.Errorf("%s: got %q, want %q: %v", src, got, want, diags)
		}
	}
}

func TestScriptExpressions(t *testing.T) {
	for src, want := range map[string]string{
		"Alia.guard against Bela = 10": "",
		"Alia.guard = 5 ft":            "wrong-type",
		"Alia is tired and n > 2":      "",
		"roll d20 > 3":                 "not-pure",
		"Alia.gaurd":                   "unknown-name",
	} {
		_, s := open(t)
		s.BindVariable("n", &ir.Var{Name: "n", Type: check.Number})
		e, diags := parse.Expression("fight.encounter", src)
		_, _, more := s.Expr(e, ir.Type{})
		if got := codesOf(append(diags, more...)); got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
	_, s := open(t)
	// The lexer rejects unknown units, but a tree built by hand can contain one.
	if _, _, diags := s.Expr(&ast.Number{Value: 3, Unit: ast.Ident{Name: "parsecs"}}, ir.Type{}); codesOf(diags) != "unknown-unit" {
		t.Error(diags)
	}
	e, _ := parse.Expression("fight.encounter", `Alia.name != "Bela"`)
	if _, _, diags := s.Expr(e, ir.Type{}); codesOf(diags) != "wrong-type" || diags[0].Hint != "to ask who it is, write `Alia = Bela`" {
		t.Error(diags)
	}
}

func TestScriptMembers(t *testing.T) {
	for src, want := range map[string]string{
		"ogre Cara { strength: 7; has stout }": "",
		"ogre Cara { vigor: 2; has stout }":    "",
		"ogre Cara { vigor: 2; vigor: 3 }":     "declared-twice",
		"ogre Cara { vigor: 5 ft }":            "wrong-type",
		"ogre Cara { vigro: 2 }":               "unknown-field",
		"ogre Cara follows brute":              "unknown-tactics",
		"ogr Cara":                             "unknown-template",
		"axe Cara":                             "unknown-template",
		"ogre Cara { strenght: 7 }":            "unknown-field",
		"ogre Cara { strength: 5 ft }":         "wrong-type",
	} {
		_, s := open(t)
		f, diags := parse.File("fight.encounter", []byte("encounter \"x\" with base\nside ours {\n  "+src+"\n}\n"))
		side, ok := f.Body[len(f.Body)-1].(*ast.Side)
		if !ok || len(diags) > 0 {
			t.Fatal(src, diags)
		}
		m, more := s.Member(side.Body.Clauses[0].(*ast.Member))
		if got := codesOf(more); got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
		if want == "" && (m.Template == nil || m.Template.Name != "ogre" || len(m.Has) != 1) {
			t.Errorf("%s: %+v", src, m)
		}
	}
}

func TestLookup(t *testing.T) {
	checked, _ := open(t)
	if _, ok := checked.Lookup("might").(*ir.Stat); !ok || checked.Lookup("nothing") != nil || checked.Tactics("might") != nil {
		t.Error("Lookup finds definitions by name, and nothing else")
	}
	ids, diags := checked.ExpandCites("x.tests", []ast.Cite{{ID: "srd35.ac.01", To: "03"}, {ID: "srd35.nowhere.01"}})
	if !slices.Equal(ids, []string{"srd35.ac.01", "srd35.ac.02", "srd35.ac.03"}) || codesOf(diags) != "unknown-citation" {
		t.Error(ids, diags)
	}
}
