package parse

import (
	"slices"

	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file parses what only adventures have: scenes and their contents.

// include parses include "FILE".
func (p *parser) include() ast.Clause {
	p.word()
	return &ast.Include{File: p.text("the name of a file in quotes")}
}

type sceneHead struct {
	Name name `parser:"@@"`
	Meta meta `parser:"@@"`
}

// scene parses scene NAME ["title"] { STATEMENTS }.
func (p *parser) scene() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	g := head[sceneHead](p)
	s := &ast.Scene{Name: g.Name.Ident, Meta: g.Meta.Meta}
	outer := p.inScene
	p.inScene = true
	s.Body = p.block(inStatements)
	p.inScene = outer
	return s
}

// storyStatement parses the statements of scenes by their first word; elsewhere these words can be names.
func (p *parser) storyStatement(word string) (ast.Clause, bool) {
	next := p.peekAt(1)
	switch word {
	case "visit":
		return p.divert(), true
	case "back", "again":
		return p.divert(), true
	case "finish":
		return p.finish(), true
	case "more":
		return p.simpleText(), true
	case "first":
		if next.Value == "time" {
			return p.firstTime(), true
		}
	case "sequence", "cycle", "shuffle":
		if next.Value == "{" {
			return p.alternation(), true
		}
	case "won", "lost", "otherwise":
		if next.Value == "{" {
			return p.aftermath(), true
		}
	case "break":
		if next.Value == "off" {
			p.word()
			p.next()
			p.expect("when")
			return &ast.BreakOff{Cond: p.expr()}, true
		}
	}
	return nil, false
}

// divert parses go to SCENE, visit SCENE, back, again.
func (p *parser) divert() ast.Clause {
	d := &ast.Divert{Word: p.word()}
	switch d.Word.Name {
	case "go":
		p.expect("to")
		d.To = p.path()
	case "visit":
		d.To = p.path()
	}
	d.Tail = p.tail()
	return d
}

// finish parses finish [ENDING] ["last words"].
func (p *parser) finish() ast.Clause {
	p.word()
	f := &ast.Finish{}
	if p.peek().Type == tokName {
		ending := p.name("the name of an ending")
		f.Ending = &ending
	}
	if isText(p.peek()) {
		text := p.text("the last words")
		f.Text = &text
	}
	f.Tail = p.tail()
	return f
}

// firstTime parses first time { } [else { }].
func (p *parser) firstTime() ast.Clause {
	p.pendingBody = inStatements
	a := &ast.Alternation{Word: p.word()}
	p.expect("time")
	a.Ways = []*ast.Block{p.block(inStatements)}
	if p.accept("else") {
		a.Ways = append(a.Ways, p.block(inStatements))
	}
	return a
}

// alternation parses sequence { then { } then { } }, and likewise cycle and shuffle.
func (p *parser) alternation() ast.Clause {
	p.pendingBody = inThenBlocks
	a := &ast.Alternation{Word: p.word()}
	a.Ways = p.thenBlocks()
	return a
}

func (p *parser) thenBlocks() []*ast.Block {
	list, _ := braces(p, inThenBlocks, p.thenBlock, nil)
	return list
}

func (p *parser) thenBlock() *ast.Block {
	p.pendingBody, p.form = inStatements, "sequence"
	p.expect("then")
	return p.block(inStatements)
}

// choices parses choices { WAYS }.
func (p *parser) choices() ast.Clause {
	p.pendingBody = inChoices
	p.word()
	return &ast.Choices{Ways: p.storyWays()}
}

func (p *parser) storyWays() []ast.StoryWay {
	list, _ := braces(p, inChoices, p.storyWay, nil)
	return list
}

// storyWay parses [once] "label" [when COND] [cost EXPR of PATH, ...] { }, the same with a check as its body, and
// otherwise { }.
func (p *parser) storyWay() (w ast.StoryWay) {
	start := p.pos()
	p.pendingBody, p.form = inStatements, "choice"
	if p.accept("otherwise") {
		w.Otherwise = true
		w.Body = p.block(inStatements)
		w.Span = p.from(start)
		return w
	}
	w.Once = p.accept("once")
	w.Label = p.text("the label of a way in quotes")
	w.Tail = p.tail()
	if p.accept("cost") {
		w.Costs = append(w.Costs, p.price())
		for p.accept(",") {
			w.Costs = append(w.Costs, p.price())
		}
	}
	if p.is("check") {
		p.form = "check"
		w.Check, _ = p.clause(inStatements).(*ast.Branch)
		if p.fault == nil {
			p.form = "choice"
		}
	} else {
		switch t := p.peek(); {
		case p.is("{") || p.fault != nil:
		case p.is("when") || p.is("unless"):
			if p.want("`{`"); len(w.Costs) > 0 {
				p.fault.Hint = "`" + t.Value + "` comes before `cost`"
			}
		case t.Type != tokName || slices.Contains(words.LeadingWords(words.Story), t.Value):
			if p.want("`{`"); p.fault.Code == codeExpected && t.Value != "-" && t.Value != "if" {
				p.fault.Hint = `put what a choice leads to in braces: "label" { go to SCENE }`
			}
		}
		w.Body = p.block(inStatements)
	}
	w.Span = p.from(start)
	return w
}

// price parses EXPR of PATH.
func (p *parser) price() (x ast.Price) {
	start := p.pos()
	x.Amount = p.owning(allLabels, p.sum)
	p.expect("of")
	x.Of = p.owning(allLabels, p.postfix)
	x.Span = p.from(start)
	return x
}

// battle parses fight ["title"] { SET-UP; won { } lost { } otherwise { } }.
func (p *parser) battle() ast.Clause {
	p.pendingBody = inStatements
	p.word()
	b := &ast.Battle{}
	if isText(p.peek()) {
		title := p.text("the title of the fight")
		b.Title = &title
	}
	outer := p.inScene
	p.inScene = true // outside a scene too: only its place is the mistake then
	b.Body = p.block(inStatements)
	p.inScene = outer
	return b
}

// aftermath parses won { }, lost { }, otherwise { } of a fight.
func (p *parser) aftermath() ast.Clause {
	p.pendingBody = inStatements
	a := &ast.Aftermath{Word: p.word()}
	a.Body = p.block(inStatements)
	return a
}

// expectStory parses what is expected of a story: told "text", ..., offered "label", ..., withheld "label", ..., at
// SCENE, finished [ENDING].
func (p *parser) expectStory(e *ast.Expect) bool {
	next := p.peekAt(1)
	switch {
	case (p.is("told") || p.is("offered") || p.is("withheld")) && isText(next):
		e.Story = p.word()
		e.Texts = append(e.Texts, p.text("a text in quotes"))
		for p.accept(",") {
			e.Texts = append(e.Texts, p.text("a text in quotes"))
		}
	case p.is("at"):
		e.Story = p.word()
		path := p.path()
		e.Scene = &path
	case p.is("finished") && (next.Type == tokName || next.Type == tokLine || next.Type == tokEOF || next.Value == "}"):
		e.Story = p.word()
		if next.Type == tokName {
			ending := p.name("the name of an ending")
			e.Ending = &ending
		}
	default:
		return false
	}
	return true
}
