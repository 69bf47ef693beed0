package check

import (
	"slices"
	"strings"

	"arbiter/interp/ir"
	"arbiter/lang/ast"
)

// This file contains the pure functions of the core: their names, their types, and how calls are checked. Section 10 of
// the language specification says what each returns.

// builtin is a pure function of the core.
type builtin struct {
	params        []ir.Type
	result        ir.Type
	ofSelf        bool // it is about the movement of self, which becomes the first argument
	takesAvoiding bool // it takes `avoiding SQUARES` as its last argument
}

// isGeneric reports whether the types of a call depend on its arguments.
func (b *builtin) isGeneric() bool {
	return slices.ContainsFunc(b.params, func(t ir.Type) bool {
		return t.Kind == ir.Number || t.Kind == ir.Dice || t.Kind == ir.List && t.Elem.Kind == ir.Nothing
	})
}

var builtins = map[string]*builtin{
	"min":            {params: []ir.Type{number, number}, result: number}, // any number of arguments, numbers or quantities
	"max":            {params: []ir.Type{number, number}, result: number},
	"abs":            {params: []ir.Type{number}, result: number},
	"length":         {params: []ir.Type{listOf(nothing)}, result: number},
	"round-up":       {params: []ir.Type{number}, result: number}, // of a division
	"half-up":        {params: []ir.Type{number}, result: number}, // of a division, to the nearest, halves up
	"creatures":      {result: listOf(creature)},
	"enemies":        {params: []ir.Type{creature}, result: listOf(creature)},
	"allies":         {params: []ir.Type{creature}, result: listOf(creature)},
	"hostile":        {params: []ir.Type{creature, creature}, result: yesNo},
	"tied-creatures": {result: listOf(creature)},
	"current-round":  {result: number},
	"in-fight":       {result: yesNo},
	"current-turn":   {result: creature}, // an error if it is nobody's
	"average":        {params: []ir.Type{diceType}, result: number},
	"first-of":       {params: []ir.Type{listOf(nothing)}, result: nothing},
	"distinct":       {params: []ir.Type{listOf(nothing)}, result: listOf(nothing)},
	"range":          {params: []ir.Type{number, number}, result: listOf(number)},

	// About places.
	"mapped":            {result: yesNo},
	"distance":          {params: []ir.Type{placeType, placeType}, result: feet},
	"steps":             {params: []ir.Type{placeType, placeType}, result: number},
	"adjacent":          {params: []ir.Type{placeType, placeType}, result: yesNo},
	"elevation":         {params: []ir.Type{placeType}, result: feet},
	"ground-below":      {params: []ir.Type{placeType}, result: square},
	"slope":             {params: []ir.Type{placeType, placeType}, result: number},                       // in degrees, up is positive
	"bend":              {params: []ir.Type{placeType, placeType, placeType, placeType}, result: number}, // degrees between two directions
	"line-of-effect":    {params: []ir.Type{placeType, placeType}, result: yesNo},
	"line-of-sight":     {params: []ir.Type{placeType, placeType}, result: yesNo},
	"lines-blocked":     {params: []ir.Type{placeType, placeType}, result: number},
	"lines-screened":    {params: []ir.Type{placeType, placeType, listOf(creature)}, result: number},
	"lines-obstructed":  {params: []ir.Type{placeType, placeType, listOf(creature)}, result: number},
	"lines-dimmed":      {params: []ir.Type{placeType, placeType}, result: number},
	"lines-brushed":     {params: []ir.Type{placeType, placeType}, result: number},
	"some-line-blocked": {params: []ir.Type{placeType, placeType}, result: yesNo},
	"flanks":            {params: []ir.Type{placeType, placeType, placeType}, result: yesNo},
	"squares-within":    {params: []ir.Type{placeType, feet}, result: listOf(square)},
	"squares-aligned":   {params: []ir.Type{placeType, square}, result: listOf(square)},
	"squares-between":   {params: []ir.Type{placeType, placeType}, result: listOf(square)},
	"squares-crossed":   {params: []ir.Type{pathType}, result: listOf(square)},
	"squares-of":        {params: []ir.Type{placeType}, result: listOf(square)},
	"creatures-in":      {params: []ir.Type{listOf(square)}, result: listOf(creature)},
	"burst":             {params: []ir.Type{square, feet}, result: listOf(square)},
	"spread":            {params: []ir.Type{square, feet}, result: listOf(square)},
	"cone":              {params: []ir.Type{square, square, feet}, result: listOf(square)},
	"ray":               {params: []ir.Type{square, square, feet}, result: listOf(square)},
	"cylinder":          {params: []ir.Type{square, feet, feet}, result: listOf(square)},
	"line":              {params: []ir.Type{placeType, placeType}, result: pathType},
	"straight":          {params: []ir.Type{pathType}, result: yesNo},
	"path-end":          {params: []ir.Type{pathType}, result: square},
	"off-course":        {params: []ir.Type{placeType, placeType, number, feet}, result: square},
	"step-away":         {params: []ir.Type{placeType, placeType, feet}, result: square},

	// From the corner of a square at which an area starts.
	"corner-line-of-effect":  {params: []ir.Type{square, placeType}, result: yesNo},
	"corner-lines-blocked":   {params: []ir.Type{square, placeType}, result: number},
	"corner-squares-between": {params: []ir.Type{square, placeType}, result: listOf(square)},

	// About the movement of self.
	"free":           {params: []ir.Type{square}, result: yesNo, ofSelf: true},
	"squares-filled": {params: []ir.Type{square}, result: listOf(square), ofSelf: true},
	"distance-from":  {params: []ir.Type{square, placeType}, result: feet, ofSelf: true},
	"steps-from":     {params: []ir.Type{square, placeType}, result: number, ofSelf: true},
	"squeezed":       {result: yesNo, ofSelf: true},
	"path-length":    {params: []ir.Type{pathType}, result: feet, ofSelf: true},
	"path-part":      {params: []ir.Type{pathType, feet}, result: pathType, ofSelf: true},
	"path-to":        {params: []ir.Type{square}, result: orNone(pathType), ofSelf: true, takesAvoiding: true},
	"path-within":    {params: []ir.Type{placeType, feet}, result: orNone(pathType), ofSelf: true, takesAvoiding: true},
	"path-between":   {params: []ir.Type{placeType, feet, feet}, result: orNone(pathType), ofSelf: true, takesAvoiding: true},
	"path-in-sight":  {params: []ir.Type{placeType, feet}, result: orNone(pathType), ofSelf: true, takesAvoiding: true},
	"reachable":      {params: []ir.Type{feet}, result: listOf(square), ofSelf: true},
}

// builtin types a call of a built-in function. Those whose types depend on their arguments come first.
func (s *scope) builtin(id ast.Ident, b *builtin, n *ast.Call) *ir.Expr {
	e := &ir.Expr{Op: ir.OpBuiltin, Name: id.Name, Type: b.result, Pos: s.pos(n.Span)}
	bad := func(want string) *ir.Expr {
		s.errHint(n.Span, "wrong-arguments", id.Name+" is used differently", "the form is: "+id.Name+"("+want+")")
		return s.bad(n.Span)
	}
	var avoided *ir.Expr
	for _, l := range n.Labelled {
		if b.takesAvoiding && l.Label.Name == "avoiding" && avoided == nil {
			avoided = s.value(l.Value, listOf(square))
			continue
		}
		s.err(l.Label.Span, "wrong-label", "%s takes its arguments in parentheses", id.Name)
		return s.bad(n.Span)
	}
	switch id.Name {
	case "min", "max":
		if len(n.Args) < 2 {
			return bad("A, B, ...")
		}
		first := s.expr(n.Args[0].Value, nil)
		if first.Type.Kind == ir.Invalid {
			return s.bad(n.Span)
		}
		if d := s.boundedDice(id.Name, n, first); d != nil {
			return d
		}
		if k := first.Type.Kind; k != ir.Number && k != ir.Quantity && k != ir.EnumType || first.Type.OrNone {
			s.demand(first, n.Args[0].Value, number)
			return s.bad(n.Span)
		}
		e.Type = first.Type
		e.Args = append(e.Args, first)
		for _, a := range n.Args[1:] {
			e.Args = append(e.Args, s.value(a.Value, first.Type))
		}
		return e
	case "length", "first-of", "distinct":
		if len(n.Args) != 1 {
			return bad("LIST")
		}
		x := s.expr(n.Args[0].Value, nil)
		if x.Type.Kind != ir.List {
			s.demand(x, n.Args[0].Value, listOf(number))
			return s.bad(n.Span)
		}
		e.Args = append(e.Args, x)
		switch id.Name {
		case "first-of":
			e.Type = orNone(*x.Type.Elem)
		case "distinct":
			e.Type = x.Type
		}
		return e
	case "round-up", "half-up":
		if len(n.Args) == 1 {
			if bin, ok := unparen(n.Args[0].Value).(*ast.Binary); ok && bin.Op.Name == "/" {
				x, y := s.expr(bin.X, nil), s.expr(bin.Y, nil)
				if !s.arithmetic(x, bin.X) || !s.arithmetic(y, bin.Y) {
					return s.bad(n.Span)
				}
				e.Type = x.Type
				if x.Type.Kind == ir.Quantity && y.Type.Kind == ir.Quantity {
					e.Type = number
				}
				e.Args = append(e.Args, x, y)
				return e
			}
		}
		return bad("A / B")
	}
	if len(n.Args) != len(b.params) {
		var forms []string
		for _, p := range b.params {
			forms = append(forms, strings.ToUpper(typeName(p)))
		}
		return bad(strings.Join(forms, ", "))
	}
	if b.ofSelf {
		self := s.selfExpr(n.Span)
		if self == nil || self.Type.Kind != ir.Ref || self.Type.Name != "creature" || self.Type.OrNone {
			s.errHint(n.Span, "no-self", id.Name+" is about the creature that moves, and there is none here", "put it into a `define creature.NAME`")
			return s.bad(n.Span)
		}
		e.Args = append(e.Args, self)
		e.DependsOnPassing = true
	}
	for i, a := range n.Args {
		if b.params[i].Kind == ir.Square {
			e.Args = append(e.Args, s.placeExpr(a.Value))
		} else {
			e.Args = append(e.Args, s.value(a.Value, b.params[i]))
		}
	}
	if b.takesAvoiding {
		if avoided == nil {
			avoided = s.constant(listOf(square), 0, n.Span) // the empty list
		}
		e.Args = append(e.Args, avoided)
	}
	return e
}

// Builtin names the types of a pure function of the core: of its parameters, and of its result.
func Builtin(name string) (params []string, result string, ok bool) {
	b := builtins[name]
	if b == nil {
		return nil, "", false
	}
	for _, t := range b.params {
		params = append(params, typeName(t))
	}
	return params, typeName(b.result), true
}
