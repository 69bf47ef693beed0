package langserver

import (
	"slices"
	"strings"

	"arbiter/interp/check"
	"arbiter/lang/ast"
	"arbiter/lang/format"
)

// This file says, inside a call or a command, which parameters there are and which one is being written.

// signatureHelp is the ways to call what is being called.
type signatureHelp struct {
	Signatures      []signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

// signature is one way. Its parameters are pieces of its label.
type signature struct {
	Label         string      `json:"label"`
	Documentation string      `json:"documentation,omitempty"`
	Parameters    []parameter `json:"parameters"`
}

type parameter struct {
	Label string `json:"label"`

	word string // the label before the argument; "" if there is none
}

// signatures answers for the call that a position is in.
func (s *server) signatures(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, at := s.documentAt(p)
	if d == nil {
		return nil
	}
	before := d.text[:at]
	if _, quoted := enclosing(before); quoted {
		return nil
	}
	open, words := pendingCalls(before[strings.LastIndexAny(before, statementStart)+1:])
	if n := len(open); n > 0 {
		if list := s.signaturesOf(d, open[n-1].name, true); len(list) > 0 {
			return signatureHelp{Signatures: list, ActiveParameter: open[n-1].commas}
		}
		return nil
	}
	for i, name := range slices.Backward(words) {
		list := s.signaturesOf(d, name, false)
		if len(list) == 0 {
			continue
		}
		for k, x := range list {
			if active, ok := activeLabel(x.Parameters, words[i+1:]); ok {
				return signatureHelp{list, k, active}
			}
		}
		return signatureHelp{Signatures: list, ActiveParameter: 0}
	}
	return nil
}

// activeLabel finds the parameter whose label was written last.
func activeLabel(list []parameter, written []string) (int, bool) {
	for _, w := range slices.Backward(written) {
		if i := slices.IndexFunc(list, func(x parameter) bool { return x.word == w }); i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// pendingCall is a call whose parentheses are open.
type pendingCall struct {
	name   string
	commas int
}

// pendingCalls reads a statement up to where it is being written: the calls whose parentheses are open, the innermost
// last, and the names outside of all parentheses.
func pendingCalls(statement string) (open []pendingCall, names []string) {
	last := "" // the name directly before
	for i := 0; i < len(statement); {
		n, class := scanToken(statement[i:])
		piece := statement[i : i+n]
		i += n
		switch {
		case class == aKeyword:
			if last = piece; len(open) == 0 && i < len(statement) { // a name that is being written is none yet
				names = append(names, piece)
			}
			continue
		case piece == "(" || piece == "[":
			open = append(open, pendingCall{name: last})
		case (piece == ")" || piece == "]") && len(open) > 0:
			open = open[:len(open)-1]
		case piece == "," && len(open) > 0:
			open[len(open)-1].commas++
		}
		last = ""
	}
	return open, names
}

// signaturesOf lists the ways to call something: with parentheses, or as commands and stats are, with labels.
func (s *server) signaturesOf(d *document, name string, bracketed bool) (list []signature) {
	if name == "" {
		return nil
	}
	seen := map[string]bool{}
	add := func(cl ast.Clause) {
		if x, ok := signatureOf(cl, name, bracketed); ok && !seen[x.Label] {
			seen[x.Label] = true
			list = append(list, x)
		}
	}
	for _, cl := range d.file.Body {
		add(cl)
	}
	if m := s.resolverOf(d); m != nil {
		for _, x := range m.book.Rules.Set().Defs {
			add(x.Node)
		}
	}
	if params, result, ok := check.Builtin(name); ok && bracketed && len(list) == 0 {
		x := signature{Parameters: []parameter{}}
		for _, p := range params {
			x.Parameters = append(x.Parameters, parameter{Label: p})
		}
		x.Label = name + "(" + strings.Join(params, ", ") + "): " + result
		list = append(list, x)
	}
	return list
}

// signatureOf is the signature of a declaration, if it has the name and parameters of that form.
func signatureOf(cl ast.Clause, name string, bracketed bool) (x signature, ok bool) {
	var own string
	var params []ast.Param
	var doc *ast.Text
	takesBrackets := false
	switch n := cl.(type) {
	case *ast.Define:
		own, params, doc, takesBrackets = n.Name.Name, n.Params, n.Doc, true
	case *ast.Use:
		own, params, takesBrackets = n.Name.Name, n.Params, true
	case *ast.Procedure:
		own, params, doc = n.Name.Name, n.Params, n.Doc
	case *ast.Stat:
		own, params, doc = n.Name.Name, n.Params, n.Doc
	case *ast.Effect:
		own, params, doc = n.Name.Name, n.Params, n.Doc
	}
	if own != name || len(params) == 0 {
		return x, false
	}
	var inside, behind []string
	for _, p := range params {
		text := p.Name.Name
		if p.Type != nil {
			text += ": " + typeText(p.Type)
		}
		if p.Default != nil {
			text += " = " + format.Expr(p.Default)
		}
		inBrackets := takesBrackets && p.Label.Name == ""
		if inBrackets {
			inside = append(inside, text)
		} else {
			if p.Label.Name != "" {
				text = p.Label.Name + " " + text
			}
			behind = append(behind, text)
		}
		if inBrackets == bracketed {
			x.Parameters = append(x.Parameters, parameter{text, p.Label.Name})
		}
	}
	x.Label = name
	if len(inside) > 0 {
		x.Label += "(" + strings.Join(inside, ", ") + ")"
	}
	x.Label = strings.Join(append([]string{x.Label}, behind...), " ")
	if doc != nil {
		x.Documentation = doc.Value
	}
	return x, len(x.Parameters) > 0
}

// typeText is a type as it is written.
func typeText(t *ast.Type) string {
	text := t.Name.Name
	if t.List {
		text = "list of " + text
	}
	if t.OrNone {
		text += " or none"
	}
	return text
}
