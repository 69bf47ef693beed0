package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file checks commands: it finds the procedure and matches the arguments.

// asCommand converts `NAME with ARG` to a command if NAME is a procedure. Syntactically it could be a stat in a
// situation.
func (s *scope) asCommand(e ast.Expr) *ast.Command {
	var id ast.Ident
	var args []ast.Arg
	switch n := e.(type) {
	case *ast.Name:
		id = n.Ident
	case *ast.Call:
		name, ok := n.Fn.(*ast.Name)
		if !ok || n.Bracketed {
			return nil
		}
		id, args = name.Ident, n.Labelled
	default:
		return nil
	}
	if s.lookup(id.Name) != nil || s.script[id.Name] != nil {
		return nil
	}
	if _, ok := s.c.names[id.Name].(*ir.Proc); !ok && s.c.byKind[id.Name] == nil {
		return nil
	}
	return &ast.Command{Span: e.Extent(), Name: id, Args: args}
}

// colonHint is the hint for `WHO COMMAND` without a colon.
func (s *scope) colonHint(n *ast.Command) string {
	what := "COMMAND"
	if len(n.Args) > 0 {
		if id, ok := n.Args[0].Value.(*ast.Name); ok {
			for _, e := range words.All() { // the word of a statement, such as `acts at`, of which the rest is missing
				if first, _, more := strings.Cut(e.Word, " "); more && first == id.Name && strings.HasPrefix(e.Forms[0], "WHO ") {
					return words.FormHint(e.Forms)
				}
			}
			if _, ok := s.c.names[id.Name].(*ir.Proc); ok {
				what = id.Name + " ..."
			}
		}
	}
	return "put a colon after the name: `" + n.Name.Name + ": " + what + "`"
}

// command checks a call of a procedure or an action.
func (s *scope) command(n *ast.Command) *ir.Call {
	c := s.c
	p := s.commandProc(n)
	if p == nil {
		hint := c.nearestHint(n.Name.Name, slices.Concat(c.namesOf(isProc), words.LeadingWords(words.Statement), clauseWords))
		// At a prompt, who acts may stand for nobody written: with the span of the command's name.
		if hint == "" && s.script != nil && (n.Who == nil || n.Who.Extent() == n.Name.Span) {
			// The word may be right, but not what follows.
			hint = cmp.Or(words.FormHint(words.Forms(n.Name.Name, words.Script)), words.Suggestion(n.Name.Name, words.Script))
		}
		switch x := c.names[n.Name.Name].(type) {
		case *ir.Effect:
			hint = "to give it write `WHO gains " + x.Name + "`"
		case *ir.Stat, *ir.Define:
			hint = "it is a number, but a statement must do something"
			if about := c.commandsAbout(n.Name.Name); about != "" {
				hint = "it is a number; " + about
			}
		case *ir.Template:
			hint = "it is " + article(x.Kind.Name) + "; a command begins with what is done"
			if x.Kind.Name == "creature" && s.script != nil {
				hint = "to place one write `side NAME { " + x.Name + " NAME }`"
			}
		}
		if s.script[n.Name.Name] != nil {
			hint = s.colonHint(n)
		}
		longer := strings.HasPrefix(hint, "did you mean `"+n.Name.Name+"-")
		if c.names[n.Name.Name] == nil && s.script[n.Name.Name] == nil && (longer || hint == "") {
			hint = cmp.Or(c.commandsAbout(n.Name.Name), hint)
		}
		hint = cmp.Or(foreignCommands[n.Name.Name], hint)
		if k := c.kinds["action"]; k != nil && k.Field(n.Name.Name) >= 0 && len(n.Args) == 0 {
			hint = "it is a property of actions: write `" + n.Name.Name + ": yes` outside of the steps"
		}
		s.errHint(n.Name.Span, "unknown-command", "there is no action or procedure "+n.Name.Name, hint)
		return nil
	}
	if !s.requireActing(n.Span, n.Name.Name+" cannot be done") {
		return nil
	}
	if !s.atRunTime {
		s.c.called[p] = true
		s.c.calls[s.label] = append(s.c.calls[s.label], p.Name)
	}
	call := &ir.Call{Proc: p, Args: make([]*ir.Expr, len(p.Params)), Pos: s.pos(n.Span)}
	if n.Who != nil {
		call.Who = s.value(n.Who, creature)
	}
	wrong := false // one mistake is reported, with the form: the others may follow from it
	for i := range n.Args {
		a := &n.Args[i]
		k := -1
		for j, v := range p.Params {
			if v.Label == a.Label.Name && call.Args[j] == nil {
				k = j
				break
			}
		}
		if k < 0 {
			switch {
			case wrong:
			case a.Label.Name == "": // an object, though the first parameter is labeled
				s.errHint(a.Span, "wrong-arguments", p.Name+" takes no object", s.noObjectHint(n, a, p))
			default:
				s.errHint(a.Span, "wrong-arguments", fmt.Sprintf("%s is not done `%s` anything", p.Name, a.Label.Name), "the form is: "+c.procForm(p))
			}
			wrong = true
			continue
		}
		if wrong {
			if call.Args[k] = s.tryExpr(a.Value, &p.Params[k].Type); call.Args[k] == nil {
				call.Args[k] = s.bad(a.Span)
			}
			continue
		}
		want, hint := p.Params[k].Type, ""
		x := s.expr(a.Value, &want)
		if slices.ContainsFunc(p.Params, func(v *ir.Var) bool { return fits(x.Type, v.Type) }) { // another label takes it
			hint = "the form is: " + c.procForm(p)
		}
		call.Args[k] = s.demandHinting(x, a.Value, want, hint)
	}
	for j, v := range p.Params {
		if call.Args[j] == nil && !c.hasDefault(p, j) {
			if !wrong {
				s.errHint(n.Span, "wrong-arguments", fmt.Sprintf("%s needs %s", p.Name, v.Name), "the form is: "+c.procForm(p))
			}
			call.Args[j] = s.bad(n.Span)
		}
	}
	return call
}

// foreignCommands are hints for statements of other languages.
var foreignCommands = map[string]string{
	"print":    "write `note \"...\"`, in which {EXPR} shows a value",
	"log":      "write `note \"...\"`, in which {EXPR} shows a value",
	"return":   "`stop` ends a procedure; what it has bound with `let` is its result, which the caller reads as `RECORD.NAME`; a value is computed by a `define`",
	"break":    "choose the elements by `where`; `stop` ends the whole procedure or rule",
	"continue": "choose the elements by `where`, or put the rest into an `if`",
	"pass":     "leave the braces empty",

	"round":    passingTurns,
	"turn":     passingTurns,
	"end":      passingTurns,
	"end-turn": passingTurns,
	"add":      addingCreatures,
	"spawn":    addingCreatures,
	"summon":   addingCreatures,
	"join":     addingCreatures,
	"enter":    addingCreatures,
	"win":      "`fight on` lets tactics play the fight to its end",
	"kill":     fellingCreatures,
	"die":      fellingCreatures,
	"dies":     fellingCreatures,
	"wait":     "`pass 1 minute` lets time pass outside of a fight; in one, " + passingTurns,
	"rest":     "`pass 8 hours` lets time pass; what a rest brings is a command of the rules",
}

// passingTurns says how time passes in a fight.
const passingTurns = "`next turn` ends a turn, `next turn of WHO` goes on until WHO can act"

// fellingCreatures says how somebody falls whom no rule felled.
const fellingCreatures = "whoever falls has lost an amount or has a condition: `set WHO.RESOURCE to N`, `WHO gains CONDITION`; `place WHO at none` takes somebody away"

// addingCreatures says how a creature comes into a fight that has begun.
const addingCreatures = "`side SIDE { TEMPLATE NAME }` adds creatures, with `at (X, Y)` on a map; then `NAME acts at NUMBER` gives one its turn"

// noObjectHint shows how a creature is made to do what takes no object.
func (s *scope) noObjectHint(n *ast.Command, a *ast.Arg, p *ir.Proc) string {
	hint := "the form is: " + s.c.procForm(p)
	if who, ok := a.Value.(*ast.Name); ok && (n.Who == nil || n.Who.Extent() == n.Name.Span) { // at a prompt, who acts need not be written
		if x := s.tryExpr(a.Value, nil); x != nil && x.Type.Kind == ir.Ref && x.Type.Name == "creature" {
			hint = "for " + who.Name + " to do it, write `" + who.Name + ": " + s.c.procForm(p) + "`"
		}
	}
	return hint
}

// procForm shows how a procedure is called, with brackets around what may be left out.
func (c *checker) procForm(p *ir.Proc) string {
	w := []string{p.Name}
	for i, v := range p.Params {
		t := strings.ToUpper(v.Name)
		if v.Label != "" {
			t = v.Label + " " + t
		}
		if c.hasDefault(p, i) {
			t = "[" + t + "]"
		}
		w = append(w, t)
	}
	return strings.Join(w, " ")
}

func (c *checker) hasDefault(p *ir.Proc, j int) bool {
	d := c.defs[p]
	if d == nil || p.Params[j].Default != nil {
		return p.Params[j].Default != nil
	}
	n := d.Node.(*ast.Procedure)
	return j < len(n.Params) && n.Params[j].Default != nil
}

func (s *scope) plan(n *ast.Plan) *ir.Expr {
	if !s.requireActing(n.Span, "a plan cannot be made") {
		return s.bad(n.Span)
	}
	p := &ir.Plan{Pos: s.pos(n.Span), Trigger: s.trigger(&n.Trigger)}
	t := *s
	t.interrupted = p.Trigger.Proc
	t.onCapture = captureInto(&p.Captured)
	p.Body = t.block(n.Body)
	return &ir.Expr{Op: ir.OpPlan, Type: planType, Plan: p, Pos: p.Pos}
}
