package parse

import (
	"os"
	"strings"
	"testing"
)

// TestGrammar compares spec/grammar.ebnf with the grammars of heads. With -update it rewrites the file.
func TestGrammar(t *testing.T) {
	const path = "../../spec/grammar.ebnf"
	var b strings.Builder
	b.WriteString("(* The heads of declarations, behind their first word, as the parser has them; written by `go test ./lang/parse -update`.\n" +
		"   What is named in small letters is parsed by hand: spec/language.md has its forms. *)\n")
	for _, h := range []struct{ words, grammar string }{
		{"ruleset", headParser[rulesetHead]().String()},
		{"encounter, tests, adventure", headParser[titledHead]().String()},
		{"use", headParser[useHead]().String()},
		{"option", headParser[optionHead]().String()},
		{"enum", headParser[enumHead]().String()},
		{"bonus", headParser[bonusHead]().String()},
		{"role", headParser[roleHead]().String()},
		{"permission, kind, roll, tactics", headParser[namedHead]().String()},
		{"a thing of a kind", headParser[templateHead]().String()},
		{"stat", headParser[statHead]().String()},
		{"view", headParser[viewHead]().String()},
		{"define", headParser[defineHead]().String()},
		{"table", headParser[tableHead]().String()},
		{"resource", headParser[resourceHead]().String()},
		{"condition, feat, trait, effect, everyone", headParser[effectHead]().String()},
		{"procedure, action", headParser[procedureHead]().String()},
		{"rule, reaction", headParser[ruleHead]().String()},
		{"step", headParser[stepHead]().String()},
		{"override", headParser[overrideHead]().String()},
		{"extend, remove", headParser[pathHead]().String()},
		{"test", headParser[testHead]().String()},
	} {
		b.WriteString("\n(* " + h.words + " *)\n" + h.grammar + "\n")
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if was, err := os.ReadFile(path); err != nil || string(was) != b.String() {
		t.Errorf("%s is not current; run the test with -update (%v)", path, err)
	}
}
