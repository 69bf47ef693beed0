package langserver

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arbiter/interp/build"
	"arbiter/interp/load"
	"arbiter/lang/ast"
	"arbiter/lang/words"
	"arbiter/stdlib/pattern"
)

// This file completes. It looks at the words before the cursor, because a line that is being typed seldom parses.

// maxCandidates is how many candidates are offered at a time; the editor asks again when more has been typed.
const maxCandidates = 500

func (s *server) complete(p *documentParams) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := completionList{Items: []completionItem{}}
	d, at := s.documentAt(p)
	if d == nil {
		return list
	}
	prefix := nameAtEnd(d.text[:at])
	replaced := span{d.positionAt(at - len(prefix)), p.Position}
	seen := map[string]bool{}
	for _, w := range s.candidatesAfter(d, d.text[:at-len(prefix)]) {
		if !strings.HasPrefix(w.name, prefix) || seen[w.name] {
			continue
		}
		if seen[w.name] = true; len(list.Items) == maxCandidates {
			list.IsIncomplete = true
			break
		}
		list.Items = append(list.Items, completionItem{Label: w.name, Kind: w.itemKind, Detail: w.kind, Documentation: w.doc, SortText: fmt.Sprintf("%03d", len(list.Items)), TextEdit: &textEdit{replaced, w.name}})
	}
	return list
}

// statementStart are the characters after which a statement can start: a line feed, a brace, a semicolon.
const statementStart = "\n{};"

// actorPattern is `NAME: ` at the start of a statement; bonusTargetPattern is `+2 dodge to `; adds is `+2 `.
var (
	actorPattern       = pattern.New(`^\s*[A-Za-z][\w-]*:\s*$`)
	bonusPattern       = pattern.New(`^\s*[+-]\s*\S+\s+$`)
	bonusTargetPattern = pattern.New(`^\s*[+-].*\sto\s+([\w-]+\s*,\s*)*$`)
	nameListPattern    = pattern.New(`\b(extends|with|without|prefers|has|includes|cannot|gains|loses)\s+([\w-]+\s*,\s*)*$`)
)

// candidatesAfter lists the candidates after a text, the closest first.
func (s *server) candidatesAfter(d *document, before string) []candidate {
	blocks, quoted := enclosing(before)
	if quoted {
		return nil
	}
	statement := before[strings.LastIndexAny(before, statementStart)+1:]
	ruleWords := &vocabulary{}
	if m := s.resolverOf(d); m != nil {
		// What the document declares itself is added below, so the words of an earlier build are nearly as good.
		if m.vocabulary == nil && (d.vocabulary == nil || s.o.Yield == nil) {
			m.vocabulary = vocabularyOf(m.book.Rules.Set(), func() {})
		}
		if m.vocabulary != nil {
			d.vocabulary = m.vocabulary
		}
		ruleWords = d.vocabulary
	}
	c := &completer{vocabulary: ruleWords.withDeclarations(d.file.Body), s: s, d: d, at: len(before), blocks: blocks, statement: statement}
	return c.candidates()
}

// completer finds the candidates for one place.
type completer struct {
	*vocabulary
	s         *server
	d         *document
	at        int      // the offset of the cursor
	blocks    []string // the heads of the open blocks
	statement string   // the text from the start of the statement up to the cursor
}

func (c *completer) candidates() []candidate {
	fields := strings.Fields(c.statement)
	first, last := "", ""
	if len(fields) > 0 {
		first, last = fields[0], fields[len(fields)-1]
	}
	switch {
	case len(fields) > 0 && (first == "dice" || first == "answer") && !strings.Contains(c.statement, ":"):
		return c.labels(first == "dice", len(fields))
	case strings.HasSuffix(c.statement, "."):
		return c.afterDot(first, nameAtEnd(strings.TrimSuffix(c.statement, ".")))
	case last == "cite":
		return nil
	case len(fields) == 0:
		return c.statementStarts()
	case len(c.blocks) == 0 && slices.Contains(words.LeadingWords(words.Declaration), first) && isHeaderWord(first):
		if m := nameListPattern.FindStringSubmatch(c.statement); m != nil {
			return c.s.rulesets(c.d)
		}
		return keywords("extends", "with", "without", "prefers")
	case last == "override", last == "extend", last == "remove":
		return c.definitions
	case last == "follows":
		return c.tactics
	case last == "extends" && len(fields) > 2: // a thing that extends another
		return c.members[first]
	case actorPattern.MatchString(c.statement) && c.blockKind() != "":
		return c.valuesOf(c.blockKind(), strings.TrimSuffix(first, ":"))
	case actorPattern.MatchString(c.statement):
		return slices.Concat(c.actions, c.expressionWords())
	case bonusTargetPattern.MatchString(c.statement):
		return slices.Concat(c.stats, c.rolls)
	case bonusPattern.MatchString(c.statement):
		return slices.Concat(keywords("to"), c.bonuses)
	}
	if m := nameListPattern.FindStringSubmatch(c.statement); m != nil {
		switch m[1] {
		case "cannot":
			return slices.Concat(c.actions, c.functions)
		case "has", "gains", "loses", "includes":
			return slices.Concat(c.effects, c.resources)
		}
	}
	if last == "is" {
		return slices.Concat(c.effects, c.values, c.propertiesOf("creature"), c.things)
	}
	return c.expressionWords()
}

// labels are those of rolls or of choices, as far as they continue what is written; before them, who rolls.
func (c *completer) labels(dice bool, fields int) (list []candidate) {
	written := c.statement[strings.LastIndexAny(c.statement, " \t")+1:]
	if written == "" && fields == 1 {
		list = c.placedCreatures()
	}
	if m := c.s.resolverOf(c.d); m != nil {
		for _, label := range m.book.Rules.Checked.Labels(dice) {
			if rest, ok := strings.CutPrefix(label, written); ok {
				list = append(list, candidate{rest, "label", "", completeVariable})
			}
		}
	}
	return list
}

// isHeaderWord reports whether a word begins the header of a file.
func isHeaderWord(word string) bool {
	return slices.Contains([]string{"ruleset", "encounter", "adventure", "tests"}, word)
}

// keywords are words of the language.
func keywords(list ...string) (out []candidate) {
	for _, w := range list {
		out = append(out, candidate{w, "word of the language", "", completeKeyword})
	}
	return out
}

// leadingWords lists the words of some groups that begin a clause.
func leadingWords(groups ...words.Group) (out []candidate) {
	for _, e := range words.LeadingEntries(groups...) {
		out = append(out, candidate{e.Word, strings.Join(e.Forms, "\n"), e.Meaning, completeKeyword})
	}
	return out
}

// blockKind is the kind of the thing whose block contains the cursor, or "".
func (c *completer) blockKind() string {
	if len(c.blocks) == 0 {
		return ""
	}
	head, _, _ := strings.Cut(c.blocks[len(c.blocks)-1], " ")
	if _, kind := c.fields[head]; kind {
		return head
	}
	return ""
}

// bodies are the words that begin blocks of statements.
var bodies = []string{"rule", "reaction", "step", "if", "else", "for", "repeat", "offer", "success", "failure", "natural", "otherwise", "test", "given", "scene"}

// statementStarts is what can begin a statement here.
func (c *completer) statementStarts() []candidate {
	script := len(c.d.file.Body) > 0 && !strings.HasSuffix(c.d.path, ".rules")
	if len(c.blocks) == 0 {
		list := leadingWords(words.Declaration)
		if script {
			list = slices.Concat(leadingWords(words.Script, words.Statement, words.Story), list, c.placedCreatures())
		}
		for _, t := range c.types {
			if t.kind == "kind" {
				list = append(list, t)
			}
		}
		return list
	}
	head, _, _ := strings.Cut(c.blocks[len(c.blocks)-1], " ")
	if kind := c.blockKind(); kind != "" {
		return slices.Concat(c.propertiesOf(kind), keywords("is", "has", "printed"))
	}
	if head == "side" {
		return c.members["creature"]
	}
	list := leadingWords(words.Clause, words.Statement)
	if slices.Contains(bodies, head) {
		list = slices.Concat(leadingWords(words.Statement), leadingWords(words.Clause))
	}
	if script {
		list = slices.Concat(leadingWords(words.Script, words.Story), list, c.placedCreatures())
	}
	return slices.Concat(list, keywords("self"), c.actions, c.functions)
}

// afterDot is what can follow a dot: a part of the definition that is changed, or a property.
func (c *completer) afterDot(first, owner string) []candidate {
	if first == "override" || first == "extend" || first == "remove" {
		var list []candidate
		for _, p := range c.parts {
			if rest, ok := strings.CutPrefix(p.name, owner+"."); ok {
				p.name = rest
				list = append(list, p)
			}
		}
		return list
	}
	kind := "creature"
	if _, ok := c.fields[owner]; ok {
		kind = owner
	}
	list := c.propertiesOf(kind)
	if kind != "creature" {
		return list
	}
	for _, other := range slices.Sorted(maps.Keys(c.fields)) { // of what is held and worn
		if other != kind {
			list = append(list, c.fields[other]...)
		}
	}
	return list
}

// propertiesOf a kind are its fields and definitions; a creature has its stats and resources as well.
func (c *completer) propertiesOf(kind string) []candidate {
	if kind == "creature" {
		return slices.Concat(c.stats, c.resources, c.fields[kind])
	}
	return slices.Clone(c.fields[kind])
}

// valuesOf a field are the values of its type.
func (c *completer) valuesOf(kind, field string) []candidate {
	switch t := c.fieldType[kind+"."+field]; {
	case len(c.members[t]) > 0:
		return slices.Concat(c.members[t], keywords("none"))
	case t == "yes-no":
		return keywords("yes", "no")
	}
	return c.expressionWords()
}

// expressionWords is what can be in an expression.
func (c *completer) expressionWords() []candidate {
	var list []candidate
	for _, name := range c.boundNames() {
		list = append(list, candidate{name, "named here", "", completeVariable})
	}
	list = slices.Concat(c.placedCreatures(), list, c.stats, c.resources, c.fields["creature"], c.functions, c.options, c.effects, c.things, c.values, c.tables, c.actions)
	return append(list, leadingWords(words.Expression)...)
}

// boundNames are the names that the clause at the cursor binds, as far as it can be read.
func (c *completer) boundNames() (names []string) {
	m := c.s.resolverOf(c.d)
	var cl ast.Clause
	for _, x := range c.d.file.Body {
		if _, isHeader := x.(*ast.Header); !isHeader && x.Extent().Start.Offset < c.at {
			cl = x
		}
	}
	if m == nil || cl == nil {
		return nil
	}
	for _, x := range m.Mentions(cl) {
		if x.To == "" && !slices.Contains(names, x.Name) {
			names = append(names, x.Name)
		}
	}
	return names
}

// placedCreatures are the creatures placed by a script.
func (c *completer) placedCreatures() (list []candidate) {
	for _, m := range placedMembers(c.d.file.Body) {
		list = append(list, candidate{m.Name.Name, "a " + m.Template.Name, "", completeVariable})
	}
	return list
}

// placedMembers lists the creatures placed by clauses, including nested ones.
func placedMembers(clauses []ast.Clause) (list []*ast.Member) {
	for _, cl := range clauses {
		if m, ok := cl.(*ast.Member); ok {
			list = append(list, m)
		}
		list = append(list, placedMembers(nestedClauses(cl))...)
	}
	return list
}

// rulesets lists those of the library and those next to a document.
func (s *server) rulesets(d *document) (list []candidate) {
	l := load.Loader{Places: []load.Place{{FS: s.o.Library}}}
	if filepath.IsAbs(d.path) {
		l.Places = append(l.Places, load.Place{FS: os.DirFS(build.RulesetsFolder(filepath.Dir(d.path)))})
	}
	for _, name := range l.Names() {
		list = append(list, candidate{name, "ruleset", "", completeModule})
	}
	return list
}
