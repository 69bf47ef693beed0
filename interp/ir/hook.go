package ir

// Hook is a Starlark function that rules use by name. One with a Type is called like a define, or rolled like dice; one
// without gets everything in scope at the place where it is named.
type Hook struct {
	Index    int
	Name     string // in the rules
	File     string // that contains the function, as shown
	Func     string // name in that file
	Params   []*Var
	Type     Type // Invalid: determined by the place of use
	Mentions Mentions
	Part     *Part
}

// TakesContext reports whether the function gets everything in scope instead of parameters.
func (h *Hook) TakesContext() bool { return h.Type.Kind == Invalid }

// Mentions lists the names and texts in the source of a function. It can ask for nothing else, since a hook cannot
// construct names at run time. So the dependencies of stats are known statically.
type Mentions struct {
	Line    int      // of the function
	Column  int      // of the function
	MinArgs int      // number of arguments it takes
	MaxArgs int      // -1: any number
	Names   []string // attributes and texts, with `-` for `_`; sorted
	Labels  []string // texts in calls of roll and ask; sorted
	Texts   []string // texts in calls of ask, cancel and do; sorted
	Dice    []string // texts in calls of roll that are dice notations; sorted
}

// Site is a place in the rules where a hook is named, with what the hook gets there.
type Site struct {
	Names    []string // of the arguments; the first is self
	Modifies bool     // it is the amount of a modifier, and may add several
	Optional bool     // it is a term or an amount, and may return none
	Label    string   // of rolls and choices, when it acts
	Vars     []*Var   // the variables among Names, when it acts: it rereads them, and may bind them
}

// IsExchangeable reports whether values of type t can be passed between rules and Starlark.
func IsExchangeable(t Type) bool {
	switch t.Kind {
	case Invalid, Nothing, Number, YesNo, Text, Dice, Quantity, EnumType, Ref, Square, Place:
		return true
	case List:
		return t.Elem != nil && t.Elem.Kind != List && IsExchangeable(*t.Elem)
	}
	return false
}
