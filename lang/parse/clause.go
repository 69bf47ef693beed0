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

// clauseOf is the table of the first words that decide alone how a clause continues. The tests of the specification read
// it. The checker decides which clause is allowed where, so almost every word is known in every body.
var clauseOf map[string]func(*parser) ast.Clause

func init() { // not where it is declared, since clauses contain clauses
	clauseOf = map[string]func(*parser) ast.Clause{
		"ruleset":    (*parser).ruleset,
		"encounter":  (*parser).titled,
		"tests":      (*parser).titled,
		"adventure":  (*parser).titled,
		"use":        (*parser).use,
		"option":     (*parser).option,
		"enum":       (*parser).enum,
		"bonus":      (*parser).bonus,
		"role":       (*parser).role,
		"permission": (*parser).permission,
		"kind":       (*parser).kind,
		"stat":       (*parser).stat,
		"view":       (*parser).view,
		"define":     (*parser).define,
		"table":      (*parser).table,
		"resource":   (*parser).resource,
		"condition":  (*parser).effect,
		"feat":       (*parser).effect,
		"trait":      (*parser).effect,
		"effect":     (*parser).effect,
		"everyone":   (*parser).effect,
		"procedure":  (*parser).procedure,
		"action":     (*parser).procedure,
		"rule":       (*parser).rule,
		"reaction":   (*parser).rule,
		"override":   (*parser).override,
		"extend":     (*parser).extend,
		"remove":     (*parser).remove,
		"tactics":    (*parser).tactics,
		"denied":     (*parser).denied,
		"cannot":     (*parser).cannot,
		"must":       (*parser).must,
		"includes":   (*parser).includes,
		"keep":       (*parser).keep,
		"lasts":      (*parser).lasts,
		"step":       (*parser).step,
		"cost":       (*parser).cost,
		"needs":      (*parser).needs,
		"is":         (*parser).flags,
		"has":        (*parser).flags,
		"cite":       (*parser).documentation,
		"let":        (*parser).let,
		"set":        (*parser).set,
		"if":         (*parser).ifElse,
		"for":        (*parser).forEach,
		"repeat":     (*parser).repeat,
		"check":      (*parser).check,
		"chance":     (*parser).branch,
		"case":       (*parser).branch,
		"choose":     (*parser).choose,
		"stop":       (*parser).simple,
		"default":    (*parser).simple,
		"cancel":     (*parser).simpleText,
		"note":       (*parser).simpleText,
		"side":       (*parser).side,
		"map":        (*parser).mapClause,
		"given":      (*parser).given,
		"test":       (*parser).test,
		"dice":       (*parser).scripted,
		"answer":     (*parser).scripted,
		"expect":     (*parser).expectation,
		"scene":      (*parser).scene,
		"include":    (*parser).include,
		"seed":       (*parser).directive,
		"begin":      (*parser).directive,
		"next":       (*parser).directive,
		"pass":       (*parser).directive,
		"explain":    (*parser).directive,
		"transcript": (*parser).directive,
	}
}

// keywordClause parses a clause determined by its first word. Some words lead a clause only here and there: elsewhere they
// are free as names.
func (p *parser) keywordClause(word string, in body) (ast.Clause, bool) {
	if parse := clauseOf[word]; parse != nil {
		return parse(p), true
	}
	next := p.peekAt(1)
	switch word {
	case "roll":
		return p.rollDeclarationOrBranch(in), true
	case "printed":
		if next.Value == "{" && (in == inTemplate || in == inExtend) {
			return p.printed(), true
		}
	case "die", "natural":
		if in == inExtend {
			return p.rollClause(), true
		}
	case "fight":
		if isText(next) || next.Value == "{" {
			return p.battle(), true
		}
		return p.directive(), true
	case "choices":
		if next.Value == "{" {
			return p.choices(), true
		}
	case "go":
		if next.Value == "to" {
			return p.divert(), true
		}
	case "visit", "back", "again", "finish", "sequence", "cycle", "shuffle", "first", "more", "won", "lost", "break", "otherwise":
		if p.inScene {
			return p.storyStatement(word)
		}
	case "take":
		if isText(next) || next.Type == tokNumber {
			return p.directive(), true
		}
	case "start":
		if next.Type == tokLine || next.Type == tokEOF || next.Value == "at" || next.Value == "}" {
			return p.directive(), true
		}
	case "place", "ground":
		if b := p.peekAt(2); (next.Type == tokName || next.Type == tokWord) && slices.Contains([]string{"at", "near", "back", ","}, b.Value) {
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
		next := p.peek()
		p.want("`:` after the name of a field")
		switch {
		case next.Type == tokNumber || next.Type == tokDice:
			p.fault.Hint = fmt.Sprintf("write `%s: %s`", t.Value, next.Value)
		case next.Value == "=":
			p.fault.Hint = fmt.Sprintf("write `%s: VALUE`", t.Value)
		}
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
