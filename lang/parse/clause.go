package parse

import (
	"fmt"
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// clause parses one clause, which extends from its first token to its last.
func (p *parser) clause(in body) ast.Clause {
	start := p.pos()
	c := p.clauseByWord(in)
	if c != nil {
		c.Place(p.from(start))
	}
	return c
}

// clauseByWord parses one clause by its first word.
func (p *parser) clauseByWord(in body) ast.Clause {
	switch in {
	case inKind:
		return p.field()
	case inStat:
		return p.term()
	case inRoll:
		return p.rollClause()
	case inSide:
		return p.member()
	case inLegend:
		return p.legendEntry()
	case inFields:
		return p.property()
	case inClaims:
		return p.claim()
	}
	t := p.peek()
	switch t.Type {
	case tokText, tokBlock:
		return p.documentation()
	case tokPunct:
		switch t.Value {
		case "+", "-":
			return p.modifier()
		case "|":
			return p.rowClause()
		}
	case tokName, tokWord:
		if next := p.peekAt(1); next.Type != tokPunct || next.Value != ":" && next.Value != "." {
			if c, ok := p.keywordClause(t.Value, in); ok {
				return c
			}
		}
	}
	return p.namedClause(in)
}

// keywordClause parses a clause determined by its first word. It is the one table of first words, which the tests of
// the specification read. The checker decides which clause is allowed where, so almost every word is known in every
// body.
func (p *parser) keywordClause(word string, in body) (ast.Clause, bool) {
	switch word {
	case "ruleset":
		return p.ruleset(), true
	case "encounter", "tests", "adventure":
		return p.titled(), true
	case "use":
		return p.use(), true
	case "option":
		return p.option(), true
	case "enum":
		return p.enum(), true
	case "bonus":
		return p.bonus(), true
	case "role":
		return p.role(), true
	case "permission":
		return p.permission(), true
	case "kind":
		return p.kind(), true
	case "stat":
		return p.stat(), true
	case "view":
		return p.view(), true
	case "define":
		return p.define(), true
	case "table":
		return p.table(), true
	case "resource":
		return p.resource(), true
	case "condition", "feat", "trait", "effect", "everyone":
		return p.effect(), true
	case "procedure", "action":
		return p.procedure(), true
	case "rule", "reaction":
		return p.rule(), true
	case "override":
		return p.override(), true
	case "extend":
		return p.extend(), true
	case "remove":
		return p.remove(), true
	case "tactics":
		return p.tactics(), true
	case "roll":
		return p.rollDeclarationOrBranch(in), true

	case "denied":
		return p.denied(), true
	case "cannot":
		return p.cannot(), true
	case "must":
		return p.must(), true
	case "includes":
		return p.includes(), true
	case "keep":
		return p.keep(), true
	case "lasts":
		return p.lasts(), true
	case "step":
		return p.step(), true
	case "cost":
		return p.cost(), true
	case "needs":
		return p.needs(), true
	case "is", "has":
		return p.flags(), true
	case "cite":
		return p.documentation(), true
	case "printed":
		if p.peekAt(1).Value == "{" && (in == inTemplate || in == inExtend) {
			return p.printed(), true
		}
	case "die", "natural":
		if in == inExtend {
			return p.rollClause(), true
		}

	case "let":
		return p.let(), true
	case "set":
		return p.set(), true
	case "if":
		return p.ifElse(), true
	case "for":
		return p.forEach(), true
	case "repeat":
		return p.repeat(), true
	case "check":
		return p.check(), true
	case "chance", "case":
		return p.branch(), true
	case "choose":
		return p.choose(), true
	case "stop", "default":
		return p.simple(), true
	case "cancel", "note":
		return p.simpleText(), true

	case "side":
		return p.side(), true
	case "map":
		return p.mapClause(), true
	case "given":
		return p.given(), true
	case "test":
		return p.test(), true
	case "dice", "answer":
		return p.scripted(), true
	case "expect":
		return p.expectation(), true
	case "scene":
		return p.scene(), true
	case "include":
		return p.include(), true
	case "fight":
		if next := p.peekAt(1); isText(next) || next.Value == "{" {
			return p.battle(), true
		}
		return p.directive(), true
	case "choices":
		if p.peekAt(1).Value == "{" {
			return p.choices(), true
		}
	case "go":
		if p.peekAt(1).Value == "to" {
			return p.divert(), true
		}
	case "visit", "back", "again", "finish", "sequence", "cycle", "shuffle", "first", "more", "won", "lost", "break", "otherwise":
		if p.inScene { // they are free as names elsewhere
			return p.storyStatement(word)
		}
	case "seed", "begin", "next", "pass", "explain", "transcript":
		return p.directive(), true
	case "take":
		if next := p.peekAt(1); isText(next) || next.Type == tokNumber {
			return p.directive(), true
		}
	case "start":
		if next := p.peekAt(1); next.Type == tokLine || next.Type == tokEOF || next.Value == "at" || next.Value == "}" {
			return p.directive(), true
		}
	case "place", "ground": // they are free as names elsewhere
		if a, b := p.peekAt(1), p.peekAt(2); (a.Type == tokName || a.Type == tokWord) && slices.Contains([]string{"at", "near", "back", ","}, b.Value) {
			return p.directive(), true
		}
	}
	return nil, false
}

// documentation parses a sentence or `cite IDS`.
func (p *parser) documentation() ast.Clause {
	d := &ast.Documentation{}
	if isText(p.peek()) {
		text := p.text("a sentence")
		d.Doc = &text
	}
	for isCite(p.peek()) {
		d.Cites = append(d.Cites, p.cites()...)
	}
	return d
}

// namedClause parses a clause that begins with a name chosen by the author: a property, an actor's command, a sentence
// about a creature, a change of a stat, a command.
func (p *parser) namedClause(in body) ast.Clause {
	t := p.peek()
	next := p.peekAt(1)
	if t.Type == tokName {
		switch {
		case next.Value == ":" && next.Type == tokPunct:
			if in == inTemplate || in == inEffect || in == inAction || in == inExtend {
				return p.property()
			}
		case next.Value == "," && next.Type == tokPunct && in == inExtend:
			return p.field()
		case in == inTemplate && p.opensWay() || in == inExtend && next.Type == tokPunct && next.Value == "{":
			return p.way()
		case in == inFile && next.Type == tokName && !p.verbAt(1):
			return p.template()
		case (in == inScript && next.Type == tokName || next.Type == tokDice && (in == inScript || in == inFile)) && opensTemplate(p.peekAt(2)) && !p.verbAt(1):
			return p.template() // which says that a name cannot begin like dice
		case t.Value != "self" && !p.verbAt(1) && !leadsPath(t, next):
			return p.actorlessCommand(in)
		}
	} else if t.Type == tokWord && next.Value == ":" {
		p.reserved(t)
	}
	if hint := misplacedInEffect[t.Value]; in == inEffect && hint != "" {
		p.fail(p.spanOf(t), codeExpected, fmt.Sprintf("expected %s, found %s", "a "+in.itemName(), describe(t)), hint)
		return nil
	}
	if t.Type != tokName && !(t.Type == tokPunct && t.Value == "(") {
		p.want("a " + in.itemName())
		return nil
	}
	return p.sentence(p.postfix())
}

// leadsPath reports whether a name continues as a path: with a dot, or a bracket that touches it.
func leadsPath(name, next *token) bool {
	if next.Type != tokPunct {
		return false
	}
	touches := next.Pos.Offset == name.Pos.Offset+len(name.Value)
	return next.Value == "." || touches && (next.Value == "(" || next.Value == "[")
}

// actorlessCommand parses a command without an actor. Where no command is allowed, the word is a mistake.
func (p *parser) actorlessCommand(in body) ast.Clause {
	switch in {
	case inEffect, inTemplate, inFile:
		p.unknownWord(in)
		return nil
	}
	c := p.command()
	c.Tail = p.tail()
	c.End = p.end()
	return c
}

// misplacedInEffect are hints for words with which an author may begin a trigger or a condition in an effect.
var misplacedInEffect = func() map[string]string {
	hints := map[string]string{}
	for _, trigger := range []string{"before", "after", "instead", "at", "on", "every"} {
		hints[trigger] = "use a rule for what happens then: " + words.FormHint(words.Forms("rule", words.Declaration))
	}
	for _, condition := range []string{"when", "while", "unless", "if"} {
		hints[condition] = "the condition of an effect stands in its head, `condition NAME while COND { ... }`; that of a modifier after it, `-1 to STAT when COND`"
	}
	return hints
}()

// unknownWord fails the clause at its first word.
func (p *parser) unknownWord(in body) {
	groups := []words.Group{words.Clause, words.Statement, words.Part}
	if in == inFile {
		groups = []words.Group{words.Declaration}
	}
	t := p.peek()
	near := p.nearestWord(groups)
	if in == inTemplate && near == "" {
		p.next()
		if next := p.peek(); next.Value == ";" || next.Value == "," || next.Value == "}" {
			p.fail(p.spanOf(t), codeExpected, fmt.Sprintf("`%s` has no value", t.Value), fmt.Sprintf("a field is written `%s: VALUE`; an effect that is given, such as a feat, `has %s`", t.Value, t.Value))
			return
		}
		p.form = "property"
		p.want("`:` after the name of a field")
		return
	}
	hint := ""
	switch {
	case near != "":
		hint = suggestion(near, groups)
	case clauseOfRulebook(t.Value) != "":
		hint = clauseOfRulebook(t.Value)
	case in == inEffect && p.asModifier(t) != "":
		hint = "put the amount before what it changes: " + p.asModifier(t)
	case in == inEffect && p.asStatModifier(t) != "":
		hint = p.asStatModifier(t)
	case in == inEffect && misplacedInEffect[t.Value] != "":
		hint = misplacedInEffect[t.Value]
	case in == inEffect:
		hint = "clauses of an effect start with `+`, `-`, the name of a stat, `denied`, `cannot`, `must`, `includes`, `keep`, `lasts`, `is internal`, `rule` or `reaction`"
	case in == inFile:
		hint = words.FormHint(words.Forms("KIND", words.Declaration))
	}
	p.fail(p.spanOf(t), codeUnknownWord, fmt.Sprintf("`%s` begins no %s", t.Value, in.itemName()), hint)
}

// itemName names what a block consists of.
func (b body) itemName() string {
	switch b {
	case inFile:
		return "declaration"
	case inScript, inStatements:
		return "statement"
	case inEffect:
		return "clause of an effect"
	case inTemplate:
		return "clause of a thing"
	}
	return "clause"
}

func opensTemplate(t *token) bool {
	return t.Type == tokText || t.Value == "{" || t.Value == "extends"
}
