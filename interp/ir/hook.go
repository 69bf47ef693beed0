package ir

// Hook is a function in Starlark that rules use by name. One with a Type is called like a define, or thrown like dice;
// one without is given everything that is in scope where it is named.
type Hook struct {
	Index  int
	Name   string // as rules say it
	File   string // where the function stands, as shown
	Func   string // which function of that file
	Params []*Var
	Type   Type // Invalid: what its place asks for
	Said   Said
	Part   *Part
}

// Context says whether the function is given what is in scope, instead of parameters.
func (h *Hook) Context() bool { return h.Type.Kind == Invalid }

// Said is what the text of a function says, and so all that it can ask for: a hook may not make up names while it runs.
// That is how it is known, before anything runs, which stats hang on what.
type Said struct {
	Line   int      // of the function
	Column int      // likewise
	Least  int      // of the values that it takes
	Most   int      // likewise; -1: any number
	Names  []string // attributes and texts, `-` for `_`; sorted
	Labels []string // texts in calls of roll and ask; sorted
	Texts  []string // texts in calls of ask, cancel and do; sorted
	Dice   []string // texts in calls of roll that are a notation of dice; sorted
}

// Site is one place in the rules where a hook is named: what it is given there.
type Site struct {
	Names    []string // of the arguments; the first is self
	Modifies bool     // it stands as the amount of a modifier, and may add several
	Optional bool     // it stands as a term or an amount, and none is none
	Label    string   // of dice and choices, when it acts
	Vars     []*Var   // the variables among them, when it acts: it reads them anew, and may bind them
}

// Exchanged tells the types whose values go to and fro between rules and Starlark.
func Exchanged(t Type) bool {
	switch t.Kind {
	case Invalid, Nothing, Number, YesNo, Text, Dice, Quantity, EnumType, Ref, Square, Place:
		return true
	case List:
		return t.Elem != nil && t.Elem.Kind != List && Exchanged(*t.Elem)
	}
	return false
}
