package langserver

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/cmd/arbiter/internal/handbook"
	"arbiter/interp/files"
	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/parse"
)

// This file answers who calls what. A rule or a reaction is called by what it interrupts.

// callItem is a declaration that calls or is called.
type callItem struct {
	Name           string   `json:"name"`
	Kind           int      `json:"kind"`
	Detail         string   `json:"detail,omitempty"`
	URI            string   `json:"uri"`
	Range          span     `json:"range"`
	SelectionRange span     `json:"selectionRange"`
	Data           callData `json:"data"`
}

// callData finds a declaration again: its id, and the document under whose rules it was asked about.
type callData struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}

// incomingCall is who calls, and where; outgoingCall who is called, and where in the caller.
type incomingCall struct {
	From       callItem `json:"from"`
	FromRanges []span   `json:"fromRanges"`
}

type outgoingCall struct {
	To         callItem `json:"to"`
	FromRanges []span   `json:"fromRanges"`
}

// call is a place in a file where one declaration calls another.
type call struct {
	from, to string // ids
	file     string
	at       ast.Span
}

// callable are the kinds of declarations that can be called, or can interrupt.
var callable = []string{"action", "define", "procedure", "reaction", "rule", "stat", "use", "view"}

// callGraph is the calls in all files of some rules. What another ruleset has replaced is among them: it is still there
// to be read.
type callGraph struct {
	calls []call
	texts map[string]*lines // by file
}

// graph returns the calls of the rules, which are read when they are first asked for.
func (m *nameResolver) graph(units encoding) *callGraph {
	if m.calls != nil {
		return m.calls
	}
	g := &callGraph{texts: map[string]*lines{}}
	for _, file := range slices.Concat(m.book.Rules.Checked.Files, slices.Sorted(maps.Keys(m.book.Rules.Sources))) {
		if !slices.Contains(files.Kinds, filepath.Ext(file)) || g.texts[file] != nil {
			continue
		}
		text := m.book.Rules.Text(file)
		g.texts[file] = newLines(string(text), units)
		f, _ := parse.File(file, text)
		for _, cl := range f.Body {
			g.read(m, file, cl)
		}
	}
	m.calls = g
	return g
}

// read adds the calls of a top-level clause.
func (g *callGraph) read(m *nameResolver, file string, cl ast.Clause) {
	mentions := m.Mentions(cl)
	owner := ownerOf(cl, mentions)
	if owner == "" {
		return
	}
	rules := rulesIn(cl)
	for _, x := range mentions {
		to := m.callee(x.To)
		if to == "" {
			continue
		}
		from := owner
		for _, r := range rules {
			if !contains(r.Span, x.At) {
				continue
			}
			if r != cl {
				from = owner + "." + r.Name.Name
			}
			if r.Trigger.Path != nil && contains(r.Trigger.Path.Span, x.At) { // it interrupts what it names
				from, to = to, from
			}
		}
		if from != to {
			g.calls = append(g.calls, call{from, to, file, x.At})
		}
	}
}

// callee is the declaration that a name calls: of a part of one, that one. It is "" for what cannot be called.
func (m *nameResolver) callee(id string) string {
	kind := m.Kind(id)
	if kind == "step" {
		id = id[:max(0, strings.LastIndexByte(id, '.'))]
		kind = m.Kind(id)
	}
	if !slices.Contains(callable, kind) {
		return ""
	}
	return id
}

func contains(outer, inner ast.Span) bool {
	return outer.Start.Offset <= inner.Start.Offset && inner.End.Offset <= outer.End.Offset
}

// ownerOf is the id of what a top-level clause declares or changes.
func ownerOf(cl ast.Clause, mentions []handbook.Mention) string {
	if n, ok := cl.(*ast.Change); ok && len(n.Path.Parts) > 0 {
		for _, x := range mentions {
			if x.At.Start == n.Path.Parts[0].Name.Start {
				return x.To
			}
		}
		return n.Path.Parts[0].Name.Name
	}
	own := link.NameOf(cl)
	name := own[strings.LastIndexByte(own, '.')+1:]
	for _, x := range mentions {
		if name != "" && x.Name == name && x.To != "" {
			return x.To
		}
	}
	return own
}

// rulesIn lists the rules and reactions in a clause.
func rulesIn(cl ast.Clause) (list []*ast.Rule) {
	ast.Contains(cl, func(node any) bool {
		if r, ok := node.(*ast.Rule); ok {
			list = append(list, r)
		}
		return false
	})
	return list
}

// prepareCalls returns the declaration that is named at a position.
func (s *server) prepareCalls(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, at := s.documentAt(p)
	if d == nil {
		return nil
	}
	x, ok := s.mentionAt(d, at)
	if !ok || x.To == "" {
		return nil
	}
	m := s.resolverOf(d)
	if id := m.callee(x.To); id != "" {
		if item, ok := s.callItem(d, m, id); ok {
			return []callItem{item}
		}
	}
	return nil
}

// callItem describes a declaration.
func (s *server) callItem(d *document, m *nameResolver, id string) (item callItem, ok bool) {
	file, at, ok := m.Place(id)
	if !ok {
		return item, false
	}
	kind := m.Kind(id)
	path, _, _ := strings.Cut(id, "~")
	item = callItem{Name: path, Kind: symbolFunction, Detail: kind, Data: callData{id, d.uri}}
	switch kind {
	case "rule", "reaction":
		item.Kind = symbolEvent
	case "stat", "view":
		item.Kind = symbolProperty
	}
	if uri, l := s.fileLines(d, file); l != nil {
		item.URI, item.Range = uri, l.span(at)
	} else if where, ok := s.embedded(file, at); ok {
		item.URI, item.Range = where.URI, where.Range
	} else {
		return item, false
	}
	item.SelectionRange = span{item.Range.Start, item.Range.Start}
	return item, true
}

// incomingCalls lists who calls a declaration; for a rule, whom it interrupts.
func (s *server) incomingCalls(p *documentParams) any {
	return s.callsOf(p, func(c *call) string { return c.to }, func(c *call) string { return c.from },
		func(item callItem, at []span) any { return incomingCall{item, at} })
}

// outgoingCalls lists what a declaration calls, and the rules that interrupt it.
func (s *server) outgoingCalls(p *documentParams) any {
	return s.callsOf(p, func(c *call) string { return c.from }, func(c *call) string { return c.to },
		func(item callItem, at []span) any { return outgoingCall{item, at} })
}

// callsOf lists those at the other end of the calls of a declaration.
func (s *server) callsOf(p *documentParams, near, far func(*call) string, answer func(callItem, []span) any) any {
	data := p.Item.Data
	s.mu.Lock()
	d := s.docs[data.URI]
	if d == nil {
		s.mu.Unlock()
		return []any{}
	}
	version := d.version
	s.mu.Unlock()
	return later(func(ctx context.Context) any {
		return s.inTurn(ctx, data.URI, version, func() any {
			s.mu.Lock()
			m := s.resolverOf(d)
			s.mu.Unlock()
			list := []any{}
			if m == nil {
				return list
			}
			g := m.graph(s.units)
			s.mu.Lock()
			defer s.mu.Unlock()
			var order []string
			at := map[string][]*call{}
			for i := range g.calls {
				if c := &g.calls[i]; near(c) == data.ID {
					id := far(c)
					if at[id] == nil {
						order = append(order, id)
					}
					at[id] = append(at[id], c)
				}
			}
			for _, id := range order {
				if item, ok := s.callItem(d, m, id); ok {
					list = append(list, answer(item, g.ranges(m, at[id])))
				}
			}
			return list
		})
	})
}

// ranges lists where calls are in the file of their caller. A rule interrupts where it is written, not there.
func (g *callGraph) ranges(m *nameResolver, calls []*call) []span {
	list := []span{}
	for _, c := range calls {
		if file, _, _ := m.Place(c.from); file == c.file {
			list = append(list, g.texts[c.file].span(c.at))
		}
	}
	return list
}
