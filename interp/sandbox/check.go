package sandbox

import (
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

const (
	maxNodeDepth  = 400 // limits the syntax tree, which the compiler walks recursively
	maxNameLength = 200 // in bytes: an unknown name is compared with all known ones
	maxParams     = 100 // of one function: a call searches them for each named argument
)

// unsupported are the names of Starlark that scripts may not use, with alternatives.
var unsupported = map[string]string{
	"bytes": "use strings",
	"dir":   "see the list of attributes in the documentation",
	"float": "numbers are whole: compute in halves or hundredths, and divide with //",
	"hash":  "use the value itself as a key of a dict",
	"print": "remove it; a function that acts can write to the transcript with ctx.note(...)",
	"set":   "use a dict, with True for each value, or a list",
}

// checkFile refuses unsupported features that are visible in the source, and returns all names that a file binds.
func checkFile(f *syntax.File) (bound map[string]bool, err error) {
	c := &checker{bound: map[string]bool{}}
	depth := 0
	syntax.Walk(f, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		if c.err != nil {
			return false
		}
		if depth > maxNodeDepth {
			start, _ := n.Span()
			c.refuse(start, "split it, and name the parts", "nested more than %d deep", maxNodeDepth)
			return false
		}
		c.checkNode(n)
		depth++
		return true
	})
	c.checkRecursion(f)
	if c.err != nil {
		return nil, c.err
	}
	return c.bound, nil
}

// checkRecursion refuses functions that call themselves by their names, directly or by way of others.
func (c *checker) checkRecursion(f *syntax.File) {
	type call struct {
		to string
		at syntax.Position
	}
	calls := map[string][]call{}
	var names []string
	for _, st := range f.Stmts {
		def, ok := st.(*syntax.DefStmt)
		if !ok {
			continue
		}
		names = append(names, def.Name.Name)
		inner := map[string]bool{} // names of its own
		syntax.Walk(def, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.DefStmt:
				if n != def {
					inner[n.Name.Name] = true
				}
			case *syntax.CallExpr:
				if id, ok := n.Fn.(*syntax.Ident); ok && !inner[id.Name] {
					calls[def.Name.Name] = append(calls[def.Name.Name], call{id.Name, id.NamePos})
				}
			}
			return true
		})
	}
	var seen map[string]bool
	var reaches func(from, to string) []string
	reaches = func(from, to string) []string { // the functions between them, nil if it is not reached
		if seen[from] {
			return nil
		}
		seen[from] = true
		for _, x := range calls[from] {
			if x.to == to {
				return []string{from}
			}
			if way := reaches(x.to, to); way != nil {
				return append([]string{from}, way...)
			}
		}
		return nil
	}
	for _, name := range names {
		for _, x := range calls[name] {
			if c.err != nil {
				return
			}
			seen = map[string]bool{}
			switch way := reaches(x.to, name); {
			case x.to == name:
				c.refuse(x.at, "use a for loop over range(...)", "%s calls itself", name)
			case way != nil:
				c.refuse(x.at, "use a for loop over range(...)", "%s calls itself, by way of %s", name, strings.Join(way[:min(len(way), 3)], " and "))
			}
		}
	}
}

type checker struct {
	bound map[string]bool
	err   error
}

func (c *checker) refuse(at syntax.Position, hint, format string, args ...any) {
	if c.err == nil {
		s := rawErrorf(Invalid, hint, format, args...)
		c.err = &Error{Kind: s.kind, Message: s.message, Hint: hint, Frames: []Frame{frameAt("", at)}}
	}
}

const wholeNumbersHint = "numbers are whole: compute in halves or hundredths, and divide with //"

func (c *checker) checkNode(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Ident:
		if len(n.Name) > maxNameLength {
			c.refuse(n.NamePos, "", "a name has more than %d bytes", maxNameLength)
		}
	case *syntax.Literal:
		switch n.Token {
		case syntax.FLOAT:
			c.refuse(n.TokenPos, wholeNumbersHint, "%s is a floating-point number", n.Raw)
		case syntax.BYTES:
			c.refuse(n.TokenPos, unsupported["bytes"], "there are no bytes")
		case syntax.INT:
			if _, big := n.Value.(*big.Int); big {
				c.refuse(n.TokenPos, errTooBig.hint, "%s", errTooBig.message)
			}
		}
	case *syntax.BinaryExpr:
		if n.Op == syntax.SLASH {
			c.refuse(n.OpPos, "write // to divide and round down", "/ would give a floating-point number")
		}
	case *syntax.WhileStmt:
		c.refuse(n.While, "use a for loop over range(...) and break", "there is no while")
	case *syntax.AssignStmt:
		if n.Op == syntax.SLASH_EQ {
			c.refuse(n.OpPos, "write //= to divide and round down", "/= would give a floating-point number")
		}
		if dot, ok := n.LHS.(*syntax.DotExpr); ok {
			c.refuse(dot.Name.NamePos, "ctx.set(WHO, \"NAME\", VALUE) changes a creature, ctx.bind(\"NAME\", VALUE) a name of what a rule interrupts", "nothing can be assigned to an attribute")
		}
		if _, ok := n.LHS.(*syntax.Ident); nameOnlyOps[n.Op] && !ok {
			c.refuse(n.OpPos, "write x = x "+(n.Op-syntax.PLUS_EQ+syntax.PLUS).String()+" y", "only a name is allowed before %s", n.Op)
		}
		c.bind(n.LHS)
	case *syntax.ForStmt:
		c.bind(n.Vars)
	case *syntax.ForClause:
		c.bind(n.Vars)
	case *syntax.DefStmt:
		c.bind(n.Name)
		c.checkParams(n.Params)
	case *syntax.LambdaExpr:
		c.checkParams(n.Params)
	case *syntax.LoadStmt:
		for _, id := range n.To {
			c.bind(id)
		}
	}
}

func (c *checker) checkParams(params []syntax.Expr) {
	if len(params) > maxParams {
		start, _ := params[maxParams].Span()
		c.refuse(start, "give it a dict or a list", "a function has more than %d parameters", maxParams)
	}
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			c.bind(p)
		case *syntax.BinaryExpr:
			c.bind(p.X)
		case *syntax.UnaryExpr:
			if p.X != nil {
				c.bind(p.X)
			}
		}
	}
}

// bind records the names that an assignment binds.
func (c *checker) bind(to syntax.Expr) {
	switch to := to.(type) {
	case *syntax.Ident:
		switch to.Name {
		case "None", "True", "False":
			c.refuse(to.NamePos, "", "%s is a constant", to.Name)
		}
		c.bound[to.Name] = true
	case *syntax.ParenExpr:
		c.bind(to.X)
	case *syntax.TupleExpr:
		for _, e := range to.List {
			c.bind(e)
		}
	case *syntax.ListExpr:
		for _, e := range to.List {
			c.bind(e)
		}
	}
}

// compileFile resolves and compiles a file.
func compileFile(f *syntax.File, bound map[string]bool, known func(string) bool) (program *starlark.Program, err error) {
	// For each undefined name the resolver looks for a similar one among all names, which takes quadratic time. So it is
	// stopped at the first.
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		u, ok := r.(undefined)
		if !ok {
			panic(r)
		}
		err = u.toError(f, bound)
	}()
	program, err = starlark.FileProgram(f, func(name string) bool {
		if known(name) {
			return true
		}
		switch name {
		case "None", "True", "False": // of the universe
			return false
		}
		panic(undefined(name))
	})
	return program, err
}

// undefined is a name that is neither bound nor predeclared.
type undefined string

func (u undefined) toError(f *syntax.File, bound map[string]bool) error {
	var at *syntax.Ident
	syntax.Walk(f, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok && at == nil && id.Name == string(u) && id.Binding == nil && id.NamePos.IsValid() {
			at = id
		}
		if dot, ok := n.(*syntax.DotExpr); ok { // an attribute is not a name
			return at == nil && dot.Name.Name != string(u)
		}
		return at == nil
	})
	e := &Error{Kind: Invalid, Message: "undefined: " + string(u)}
	if hint, ok := unsupported[string(u)]; ok {
		e.Message, e.Hint = "there is no "+string(u), hint
	} else if n := nearest(string(u), bound); n != "" {
		e.Hint = "did you mean " + n + "?"
	}
	if at != nil {
		e.Frames = []Frame{frameAt("", at.NamePos)}
	}
	return e
}

// nearest returns the name that is most similar to another, "" if none is similar.
func nearest(name string, among map[string]bool) string {
	names := make([]string, 0, len(among))
	for n := range among {
		if !strings.HasPrefix(n, "$") {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := distance(name, n); d < least || d == least && best == "" {
			best, least = n, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
