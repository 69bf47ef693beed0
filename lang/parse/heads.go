package parse

import (
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"arbiter/lang/ast"
)

// The heads of declarations after their first word, each a small participle grammar. They are private and lowered
// immediately (declare.go). Parts that occur in many of them, or need better error messages, are parsed by our own code
// through participle's Parseable.
type (
	rulesetHead struct {
		Name     title   `parser:"@@"`
		Extends  []title `parser:"( 'extends' @@ ( ',' @@ )* )?"`
		Without  []title `parser:"( 'without' @@ ( ',' @@ )* )?"`
		Prefers  []title `parser:"( 'prefers' @@ ( ',' @@ )* )?"`
		Language string  `parser:"( 'language' @Number )?"`
		Meta     meta    `parser:"@@"`
	}
	titledHead struct {
		Title   text    `parser:"@@"`
		Of      *text   `parser:"( 'of' @@ )?"`
		With    []title `parser:"( 'with' @@ ( ',' @@ )* )?"`
		Without []title `parser:"( 'without' @@ ( ',' @@ )* )?"`
		Meta    meta    `parser:"@@"`
	}
	useHead struct {
		Hooks *text    `parser:"(   'hooks' @@"`
		Name  *name    `parser:"  | @@"`
		Form  *useForm `parser:"    @@?"`
		File  text     `parser:"    'from' @@ )"`
	}
	useForm struct {
		Params []bareParam `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
		Result typ         `parser:"':' @@"`
	}
	optionHead struct {
		Name  name     `parser:"@@"`
		Value ast.Expr `parser:"'=' @@"`
		Meta  meta     `parser:"@@"`
	}
	enumHead struct {
		Name    name   `parser:"@@"`
		Ordered bool   `parser:"@'ordered'?"`
		Members []name `parser:"':' @@ ( ',' @@ )*"`
		Meta    meta   `parser:"@@"`
	}
	bonusHead struct {
		Names []name `parser:"@@ ( ',' @@ )*"`
		Law   law    `parser:"':' @@"`
		Meta  meta   `parser:"@@"`
	}
	roleHead struct {
		Names []name `parser:"@@ ( ',' @@ )*"`
		Type  typ    `parser:"':' @@"`
	}
	namedHead struct { // permission, kind, roll, tactics
		Name name `parser:"@@"`
		Meta meta `parser:"@@"`
	}
	templateHead struct {
		Kind    name  `parser:"@@"`
		Name    name  `parser:"@@"`
		Extends *name `parser:"( 'extends' @@ )?"`
		Meta    meta  `parser:"@@"`
	}
	statHead struct {
		Name   name        `parser:"@@"`
		Params usualParams `parser:"@@"`
		Rolled *name       `parser:"( 'rolled' 'as' @@ )?"`
		Meta   meta        `parser:"@@"`
		Value  ast.Expr    `parser:"( '=' @@ )?"`
	}
	viewHead struct {
		Name   name        `parser:"@@"`
		Of     name        `parser:"'of' @@"`
		Word   lexer.Token `parser:"( @( 'without' | 'denied' )"`
		Losing []name      `parser:"@@ ( ',' @@ )* )?"`
		Meta   meta        `parser:"@@"`
	}
	defineHead struct {
		First    name        `parser:"@@"`
		Second   *name       `parser:"( '.' @@ )?"`
		Params   []bareParam `parser:"( '(' ( @@ ( ',' @@ )* )? ')' )?"`
		Labelled bareParams  `parser:"@@"`
		Meta     meta        `parser:"@@"`
		Value    ast.Expr    `parser:"'=' @@"`
	}
	tableHead struct {
		Name name   `parser:"@@"`
		Keys []name `parser:"'by' @@ ( ',' @@ )*"`
		Meta meta   `parser:"@@"`
	}
	resourceHead struct {
		Name   name   `parser:"@@"`
		From   bound  `parser:"'from' @@"`
		To     *bound `parser:"( 'to' @@ )?"`
		Starts *bound `parser:"( 'starts' @@ )?"`
		Meta   meta   `parser:"@@"`
	}
	effectHead struct {
		Name   name     `parser:"@@"`
		Params params   `parser:"@@"`
		While  ast.Expr `parser:"( 'while' @@ )?"`
		Meta   meta     `parser:"@@"`
	}
	procedureHead struct {
		First  name   `parser:"@@"`
		Second *name  `parser:"( '.' @@ )?"`
		Params params `parser:"@@"`
		Meta   meta   `parser:"@@"`
	}
	ruleHead struct {
		Name    name        `parser:"@@"`
		Trigger trigger     `parser:"@@"`
		When    ast.Expr    `parser:"( 'when' @@ )?"`
		Unless  ast.Expr    `parser:"( 'unless' @@ )?"`
		Once    lexer.Token `parser:"( 'once' 'per' @( 'round' | 'turn' | 'fight' ) )?"`
		Default ast.Expr    `parser:"( 'by' 'default' 'when' @@ )?"`
		Meta    meta        `parser:"@@"`
	}
	overrideHead struct {
		Path      path     `parser:"@@"`
		Law       *law     `parser:"( ':' @@ )?"`
		Meta      meta     `parser:"@@"`
		Value     ast.Expr `parser:"( '=' @@"`
		MetaAfter meta     `parser:"  @@ )?"`
	}
	pathHead struct { // extend, remove
		Path path `parser:"@@"`
		Meta meta `parser:"@@"`
	}
	stepHead struct {
		Name   anyName     `parser:"@@"`
		Where  lexer.Token `parser:"( @( 'before' | 'after' )"`
		Other  anyName     `parser:"  @@ )?"`
		When   ast.Expr    `parser:"( 'when' @@ )?"`
		Unless ast.Expr    `parser:"( 'unless' @@ )?"`
		Meta   meta        `parser:"@@"`
	}
	testHead struct {
		Title text   `parser:"@@"`
		Given []name `parser:"( 'given' @@ ( ',' @@ )* )?"`
	}
)

// The parts of heads that our own code parses.
type (
	name       struct{ ast.Ident }
	title      struct{ ast.Ident } // of a ruleset: may be d20
	anyName    struct{ ast.Ident } // of a step: may be `roll`
	text       struct{ ast.Text }
	meta       struct{ ast.Meta }
	typ        struct{ ast.Type }
	law        struct{ ast.Ident }
	path       struct{ ast.Path }
	trigger    struct{ ast.Trigger }
	bound      struct{ ast.Expr }
	params     struct{ List []ast.Param }
	bareParam  struct{ ast.Param } // without a label or a default
	bareParams struct{ List []ast.Param }
	// usualParams are those of a stat, whose defaults follow `usually`.
	usualParams struct{ List []ast.Param }
)

func (x *name) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Ident = p.name("a name") })
}

func (x *title) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) {
		if p.peek().Type == tokDice {
			x.Ident = p.word()
			return
		}
		x.Ident = p.name("the name of a ruleset")
	})
}

func (x *anyName) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) {
		if p.peek().Type == tokWord {
			x.Ident = p.word()
			return
		}
		x.Ident = p.name("the name of a step")
	})
}

func (x *text) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Text = p.text("a text in quotes") })
}

func (x *meta) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Meta = p.meta() })
}

func (x *typ) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Type = p.typ() })
}

func (x *law) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) {
		if !p.is("highest") && !p.is("stacks") {
			p.want("`highest`, `stacks` or `stacks by source`")
		}
		x.Ident = p.word()
		if x.Name == "stacks" && p.accept("by") {
			p.expect("source")
			x.Ident = ast.Ident{Span: p.from(x.Start), Name: "stacks by source"}
		}
	})
}

func (x *path) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Path = p.path() })
}

func (x *trigger) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Trigger = p.trigger() })
}

func (x *bound) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Expr = p.owning(ownFrom|ownTo, p.sum) })
}

func (x *params) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.List = p.params() })
}

func (x *bareParam) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.Param = p.param(noDefaults) })
}

func (x *usualParams) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.List = p.labeledParams(afterUsually) })
}

func (x *bareParams) Parse(l *lexer.PeekingLexer) error {
	return part(l, func(p *parser) { x.List = p.labeledParams(noDefaults) })
}

// part runs our own code inside a participle grammar. A plan in the head may report several errors; only the first is
// returned.
func part(l *lexer.PeekingLexer, parse func(*parser)) error {
	p := parser{lex: l}
	parse(&p)
	switch {
	case len(p.diags) > 0:
		return &fault{p.diags[0]}
	case p.fault != nil:
		return p.fault
	}
	return nil
}

func parseExpr(l *lexer.PeekingLexer) (x ast.Expr, err error) {
	err = part(l, func(p *parser) { x = p.expr() })
	return x, err
}

var headParsers sync.Map // of *participle.Parser by the type of the head

// headParser builds the parser of a head once. Without lookahead an optional part that has begun must continue, so that
// its error is the one reported.
func headParser[T any]() *participle.Parser[T] {
	key := reflect.TypeFor[T]()
	if p, ok := headParsers.Load(key); ok {
		return p.(*participle.Parser[T])
	}
	p, _ := headParsers.LoadOrStore(key, participle.MustBuild[T](participle.Lexer(definition{}),
		participle.UseLookahead(0), participle.ParseTypeWith(parseExpr)))
	return p.(*participle.Parser[T])
}

// head parses the head of a declaration.
func head[T any](p *parser) *T {
	if p.fault != nil {
		return new(T)
	}
	h, err := headParser[T]().ParseFromLexer(p.lex, participle.AllowTrailing(true))
	if err == nil {
		return h
	}
	var own *fault
	var unexpected *participle.UnexpectedTokenError
	var other participle.Error
	switch {
	case errors.As(err, &own):
		p.fault = own
	case errors.As(err, &unexpected):
		p.wantAt(&unexpected.Unexpected, expected(unexpected.Message()))
	case errors.As(err, &other):
		at := toPos(other.Position())
		p.fail(ast.Span{Start: at, End: at}, codeExpected, other.Message(), "")
	default:
		p.want("something else")
	}
	return new(T)
}

var quoted = newPattern(`^[( ]*"([^"]+)"`)

// expected extracts from participle's message the words that it would have accepted.
func expected(message string) string {
	_, list, _ := strings.Cut(message, "(expected ")
	var out []string
	for {
		m := quoted.FindStringSubmatch(list)
		if m == nil {
			break
		}
		out = append(out, "`"+m[1]+"`")
		list = strings.TrimLeft(list[len(m[0]):], " )")
		if !strings.HasPrefix(list, "|") {
			break
		}
		list = list[1:]
	}
	switch n := len(out); n {
	case 0:
		return "something else"
	case 1:
		return out[0]
	default:
		return strings.Join(out[:n-1], ", ") + " or " + out[n-1]
	}
}
