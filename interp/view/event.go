package view

// This file is what has happened, as data: each number, square and name is a field.

// Event is an event of the journal in readable form. Cause is the id of the event that caused it, 0 for none.
type Event struct {
	ID    int32    `json:"id"`
	Cause int32    `json:"cause"`
	Kind  string   `json:"kind"`
	Round int      `json:"round"`
	Who   string   `json:"who,omitempty"`
	Name  string   `json:"name,omitempty"`  // of the action, effect, resource, rule
	With  []Detail `json:"with,omitempty"`  // of an action: its arguments; of an effect: its parameters
	Roll  string   `json:"roll,omitempty"`  // its address: strike.to-hit#7
	Dice  string   `json:"dice,omitempty"`  // their notation
	Faces []int    `json:"faces,omitempty"` // faces of dice
	Text  string   `json:"text"`            // the line of the transcript; "" if it tells nothing of this

	*CheckNumbers
	*AmountChange
	*SquareChange
	Start   *[3]int  `json:"start,omitempty"`   // where an action that leads to a square began
	Sum     *int64   `json:"sum,omitempty"`     // of dice
	Success *bool    `json:"success,omitempty"` // of a check with a difficulty
	Part    string   `json:"part,omitempty"`    // the number of a check that was changed after it had been judged
	By      string   `json:"by,omitempty"`      // the rule or the procedure that changed a check, or took its place
	Way     string   `json:"way,omitempty"`     // that was chosen
	Left    []string `json:"left,omitempty"`    // who of the winners is left at the end of a fight
}

// Detail is an argument of an action or a parameter of an effect.
type Detail struct {
	Name   string  `json:"name"`
	Value  string  `json:"value"`            // in words
	Number *int64  `json:"number,omitempty"` // if it is one
	Square *[3]int `json:"square,omitempty"` // if it is one
}

// CheckNumbers are what a check compares. Against is left out of a check without a difficulty.
type CheckNumbers struct {
	Natural *int64        `json:"natural,omitempty"` // what counts as its face; nil if no die was needed
	Bonus   int64         `json:"bonus"`
	Total   int64         `json:"total"`
	Against *int64        `json:"against,omitempty"`
	Margin  *int64        `json:"margin,omitempty"`  // the total less that
	Changes []CheckChange `json:"changes,omitempty"` // by rules, before it was judged
}

// CheckChange is a change of a number of a check by a rule.
type CheckChange struct {
	Part string `json:"part"` // natural, bonus, difficulty
	From int64  `json:"from"`
	To   int64  `json:"to"`
	By   string `json:"by"` // the rule
}

// AmountChange is a change of a resource.
type AmountChange struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	Paid   bool  `json:"paid,omitempty"` // it paid the cost of an action or a reaction
}

// SquareChange is a change of place; a square is nil off the map.
type SquareChange struct {
	From *[3]int `json:"from"`
	To   *[3]int `json:"to"`
}
