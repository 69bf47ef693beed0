// Package view is what can be seen of a fight, as documents: its state, all about one combatant, and what has happened.
// spec/json.md describes them. A session makes them; boards, pages and the prompt show them without knowing it.
//
// It must never know how a fight is played, or how a document is shown.
package view

// Fight is the current state.
type Fight struct {
	Title    string    `json:"title"`
	Ruleset  string    `json:"ruleset"`
	Round    int       `json:"round"`
	Fighting bool      `json:"fighting"`
	Turn     string    `json:"turn"` // whose turn it is, or ""
	Sides    []Side    `json:"sides"`
	Order    []Place   `json:"order"`    // the turn order, highest first
	Turnless []string  `json:"turnless"` // who are here and have no place in it yet
	Fighters []Fighter `json:"combatants"`
	Kept     []Named   `json:"kept"`            // variables of the game
	Chart    *Chart    `json:"map"`             // nil if there is none
	Story    *Story    `json:"story,omitempty"` // nil if no story is told
	Events   []Event   `json:"events"`          // the latest, in chronological order
	Undone   []string  `json:"undone"`          // undone commands, the next to redo first
	Hash     string    `json:"hash"`
}

// Side is a group of combatants who fight together.
type Side struct {
	Name     string `json:"name"`
	Members  int    `json:"members"`
	Standing int    `json:"standing"` // members not defeated
}

// Place is a place in the turn order.
type Place struct {
	Who   string  `json:"who"`
	Keys  []int64 `json:"keys"`  // sort keys: the initiative count first, then the tie breakers
	Acted bool    `json:"acted"` // its turn in this round has begun or been, or it has none before the next
	Waits bool    `json:"waits"` // waits for a better moment
}

// Fighter is one combatant.
type Fighter struct {
	Name       string   `json:"name"`
	Side       string   `json:"side"`
	Sign       string   `json:"sign"`      // its sign on the map
	Position   *[3]int  `json:"position"`  // x, y, z of the upper left square; nil without a map
	Width      int      `json:"width"`     // in squares
	Down       bool     `json:"down"`      // out of the fight
	Turn       []Amount `json:"turn"`      // what is left of the resources of a turn
	OneAction  bool     `json:"oneAction"` // it can take only one of those actions
	WholeTurn  []Amount `json:"wholeTurn"` // what is left of resources that take the place of those
	Reactions  []Amount `json:"reactions"` // likewise, those for reactions only
	Pools      []Amount `json:"pools"`     // resources that start full
	Counts     []Amount `json:"counts"`    // everything else
	Conditions []Effect `json:"conditions"`
	Effects    []Effect `json:"effects"` // acquired effects other than conditions
	Feats      []string `json:"feats"`   // feats and traits
	Carries    []Named  `json:"carries"` // fields that hold things
	Plans      []Plan   `json:"plans"`
}

// Amount is the amount of a resource. A bound is nil if there is none.
type Amount struct {
	Name   string `json:"name"`
	Value  int64  `json:"value"`
	Low    *int64 `json:"low"`
	High   *int64 `json:"high"`
	Beside bool   `json:"beside,omitempty"` // of a turn: it comes besides the actions
}

// Effect is an instance of an effect on a combatant.
type Effect struct {
	Name  string  `json:"name"`
	With  string  `json:"with"` // its parameters in words
	From  string  `json:"from"` // who caused it, or ""
	Lasts string  `json:"lasts"`
	By    string  `json:"by"`   // the effect that includes it, or ""
	Part  bool    `json:"part"` // included in a condition that is listed as well
	Keeps []Named `json:"keeps"`
	Doc   string  `json:"doc"`
}

// Named is a value in words.
type Named struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Plan is a plan that a combatant holds ready.
type Plan struct {
	Effect string `json:"effect"` // the effect that holds it
	When   string `json:"when"`   // its trigger, as written
	Do     string `json:"do"`
	Lasts  string `json:"lasts"`
}

// Chart is the ground of a map. A row has one sign for each square, starting at (X, Y); a dot is plain ground.
type Chart struct {
	X      int      `json:"x"`
	Y      int      `json:"y"`
	Rows   []string `json:"rows"`
	Legend []Mark   `json:"legend"`
}

// Mark is the meaning of a sign of the ground.
type Mark struct {
	Sign  string   `json:"sign"`
	Names []string `json:"names"`
}

// Story is the current position in a story.
type Story struct {
	Scene    string   `json:"scene"`   // its path
	Visited  []string `json:"visited"` // the scenes that were entered so far: their paths, in the order of the adventure
	Title    string   `json:"title"`   // the last title of a scene or a fight, "" if none
	Told     []string `json:"told"`    // the paragraphs since the last choice
	Choices  []string `json:"ways"`    // the open choices; none during a fight and at the end
	Finished bool     `json:"finished"`
	Ending   string   `json:"ending,omitempty"`
}

// Sheet is everything about one combatant.
type Sheet struct {
	Fighter
	Template string  `json:"template"` // the template it was made from, or ""
	Stats    []Stat  `json:"stats"`    // without a situation
	Fields   []Field `json:"fields"`   // set when it was made
}

// Field is a field of a combatant in words. Usual means that it has its default value.
type Field struct {
	Named
	Usual bool `json:"usual"`
}

// Stat is a stat of a combatant. A stat that cannot be computed without a situation is not listed.
type Stat struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	Shown string `json:"shown"` // the value with its unit
	View  bool   `json:"view"`  // a view of another stat
	Doc   string `json:"doc"`
}

// Line is a line of the transcript. Round is set for the heading of a round.
type Line struct {
	Round int    `json:"round,omitempty"`
	Text  string `json:"text"`
}
