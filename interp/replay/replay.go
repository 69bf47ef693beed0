// Package replay is the replay of a run as a document: what happened, event by event, with the state of the fight at
// each of them, and with the parts of every number. spec/json.md describes it. A session makes it, and screens show it;
// neither needs to know the other.
//
// It must never know a running fight: it is data, and what can be said from the data alone.
package replay

import "slices"

// Document is a run as it can be watched again. Creatures, resources, effects, maps, numbers and rules are listed once
// and named by their index from then on.
type Document struct {
	Kind      string     `json:"kind"`    // "replay"
	Version   int        `json:"version"` // of this document
	Title     string     `json:"title"`
	Ruleset   string     `json:"ruleset"`
	Seed      uint64     `json:"seed"`
	Outcome   string     `json:"outcome"`
	Ended     string     `json:"ended"`
	Rounds    int        `json:"rounds"`
	Cut       *Cut       `json:"cut,omitempty"` // nil: all of the run is here
	Sides     []string   `json:"sides"`
	Creatures []Creature `json:"creatures"`
	Resources []Resource `json:"resources"`
	Effects   []Effect   `json:"effects"`
	Ground    []Ground   `json:"ground"` // what a square can contain, by its sign in the rows of a map
	Rows      []string   `json:"rows"`   // rows of maps, a sign for each square
	Maps      []Map      `json:"maps"`
	Rules     []Rule     `json:"rules"`
	Numbers   []Number   `json:"numbers"`
	Start     State      `json:"start"` // before the first event
	Events    []Event    `json:"events"`
	Frames    []Frame    `json:"frames"` // the whole state now and then, so that no event is far from one
}

// Version is the version of the document. It changes when a field changes its meaning.
const Version = 1

// Cut says that the run went on after the last event of a replay.
type Cut struct {
	Round int    `json:"round"` // of the last event
	Why   string `json:"why"`
}

// Creature is what does not change about a creature.
type Creature struct {
	Name     string `json:"name"`
	Side     int    `json:"side"`
	Sign     string `json:"sign"` // its letter on the map
	Template string `json:"template,omitempty"`
}

// Resource is a resource. Sort says how it is shown: `pool` (begins full, is lost), `turn` and `reaction` (come
// back each turn) or `count`.
type Resource struct {
	Name    string `json:"name"`
	Sort    string `json:"sort"`
	Decides bool   `json:"decides,omitempty"` // who is out of the fight depends on it
	Rule    *int   `json:"rule,omitempty"`
}

// Effect is the definition of an effect. Word is the one that declares it.
type Effect struct {
	Name string `json:"name"`
	Word string `json:"word"`
	Rule *int   `json:"rule,omitempty"`
}

// Ground is the contents of a square.
type Ground struct {
	Sign   string   `json:"sign"`
	Names  []string `json:"names"`
	Is     []string `json:"is,omitempty"`     // those of its properties that hold: blocked, stops-sight, ...
	Price  int      `json:"price"`            // of a step, as a multiple
	Height int      `json:"height,omitempty"` // of its floor, in squares
}

// Map is a map, which begins at the square (0, 0): its rows are indexes into the rows of the document.
type Map struct {
	Drawn bool  `json:"drawn"` // by a script; otherwise it is open ground
	Rows  []int `json:"rows"`
}

// Rule is a place in the rules and what is written there.
type Rule struct {
	Path      string   `json:"path,omitempty"` // swing.confirm
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Column    int      `json:"column"`
	EndLine   int      `json:"endLine"`
	EndColumn int      `json:"endColumn"`
	Text      string   `json:"text"`
	Doc       string   `json:"doc,omitempty"`
	Cites     []string `json:"cites,omitempty"`
}

// Number is an explained number.
type Number struct {
	Title string   `json:"title"`
	Notes []string `json:"notes,omitempty"`
	Terms []Term   `json:"terms"`
	Of    []int    `json:"of,omitempty"` // for a roll: the numbers among its terms, and its target number
}

// Term is one of the terms or modifiers that make a number.
type Term struct {
	Label   string `json:"label"`
	Value   string `json:"value"` // as it is written: +2, x 1/2, >= 0
	Type    string `json:"type,omitempty"`
	Why     string `json:"why,omitempty"` // why it does not count; empty if it does
	Decided bool   `json:"decided,omitempty"`
	Rule    *int   `json:"rule,omitempty"`
	Expr    string `json:"expr,omitempty"`
	Of      []int  `json:"of,omitempty"` // the numbers that its expression reads
}

// Event is an event as the transcript tells it, or the beginning of a turn, whose kind is `turn` and which has no
// text. Who is an index; -1 for nobody.
type Event struct {
	ID      int32      `json:"id"`
	Cause   int32      `json:"cause"` // the id of the nearest event before it that caused it; 0 for none
	Kind    string     `json:"kind"`
	Round   int        `json:"round"`
	Who     int        `json:"who"`
	Name    string     `json:"name,omitempty"`
	Targets []int      `json:"targets,omitempty"` // the creatures among the arguments of an act
	Square  *[3]int    `json:"square,omitempty"`  // the square among them
	Depth   int        `json:"depth,omitempty"`   // how far its line is indented
	Text    string     `json:"text"`
	Roll    string     `json:"roll,omitempty"` // its address
	Success *bool      `json:"success,omitempty"`
	Dice    []Die      `json:"dice,omitempty"`
	Was     *int64     `json:"was,omitempty"`    // a resource: the amount before
	Is      *int64     `json:"is,omitempty"`     // and after
	Number  *int       `json:"number,omitempty"` // a roll explained
	Rule    *int       `json:"rule,omitempty"`   // what is done, or gained; or the rule that did it
	Lines   []Line     `json:"lines,omitempty"`  // for cover, of a roll against somebody
	Areas   [][][3]int `json:"areas,omitempty"`  // that an act asked for, each as parts of rows: y, the first x, the last x
	Change  *Change    `json:"change,omitempty"` // what is different after it, told or not
}

// Die is a die that was rolled, as `arbiter roll` has it. By is the rule that replaced its face.
type Die struct {
	Face    int32    `json:"face"`
	Sides   int32    `json:"sides"`
	Value   int64    `json:"value"`
	Marks   []string `json:"marks,omitempty"`
	By      *int     `json:"by,omitempty"`      // the rule that put another face in its place
	Instead int64    `json:"instead,omitempty"` // that face
}

// Line is a line from a corner of one creature's space to a corner of another's, in squares.
type Line struct {
	From    [2]int `json:"from"`
	To      [2]int `json:"to"`
	Blocked bool   `json:"blocked,omitempty"`
}

// State is the state of a fight.
type State struct {
	Round     int             `json:"round"`
	Fighting  bool            `json:"fighting"`
	Turn      int             `json:"turn"` // a creature, -1 for nobody
	Map       int             `json:"map"`  // -1 for none
	Order     []Place         `json:"order"`
	Creatures []CreatureState `json:"creatures"` // those that have been placed so far
}

// Place is a place in the turn order, highest first.
type Place struct {
	Who  int     `json:"who"`
	Keys []int64 `json:"keys"`
}

// CreatureState is the state of a creature.
type CreatureState struct {
	Here      bool     `json:"here"`
	Down      bool     `json:"down,omitempty"`
	At        []int    `json:"at"` // x, y, z of its upper left square; empty off the map
	Width     int      `json:"width"`
	Amounts   []Amount `json:"amounts"`
	Effects   []Active `json:"effects"`
	Reach     [][3]int `json:"reach,omitempty"`     // squares where a move can end: y, the first x, the last x
	Threatens [][3]int `json:"threatens,omitempty"` // squares that it threatens, likewise
}

// Amount is the amount of a resource. A bound is left out if there is none.
type Amount struct {
	Of    int    `json:"of"`
	Value int64  `json:"value"`
	Low   *int64 `json:"low,omitempty"`
	High  *int64 `json:"high,omitempty"`
}

// Active is an effect that a creature has. Lasts is in words, from when it was gained.
type Active struct {
	ID    int32  `json:"id"`
	Of    int    `json:"of"`
	With  string `json:"with,omitempty"`
	From  *int   `json:"from,omitempty"`
	Lasts string `json:"lasts,omitempty"`
}

// Change is a difference between two states. What is left out is as before.
type Change struct {
	Round     *int             `json:"round,omitempty"`
	Fighting  *bool            `json:"fighting,omitempty"`
	Turn      *int             `json:"turn,omitempty"`
	Map       *int             `json:"map,omitempty"`
	Order     *[]Place         `json:"order,omitempty"`
	Creatures []CreatureChange `json:"creatures,omitempty"` // in order; there may be several of one creature
}

// CreatureChange is a difference between two states of a creature. One with the next index has just been placed,
// with nothing yet.
type CreatureChange struct {
	Who       int       `json:"who"`
	Here      *bool     `json:"here,omitempty"`
	Down      *bool     `json:"down,omitempty"`
	At        *[]int    `json:"at,omitempty"`
	Width     *int      `json:"width,omitempty"`
	Amounts   []Amount  `json:"amounts,omitempty"` // each in the place of the one of the same resource
	Gained    []Active  `json:"gained,omitempty"`
	Lost      []int32   `json:"lost,omitempty"` // by id
	Reach     *[][3]int `json:"reach,omitempty"`
	Threatens *[][3]int `json:"threatens,omitempty"`
}

// Frame is the state after the first Event events.
type Frame struct {
	Event int   `json:"event"`
	State State `json:"state"`
}

// Apply changes a state. It copies what it changes, so that earlier copies of the state stay as they were.
func (s State) Apply(c *Change) State {
	if c == nil {
		return s
	}
	if len(c.Creatures) > 0 {
		s.Creatures = slices.Clone(s.Creatures)
	}
	set(&s.Round, c.Round)
	set(&s.Fighting, c.Fighting)
	set(&s.Turn, c.Turn)
	set(&s.Map, c.Map)
	set(&s.Order, c.Order)
	for i := range c.Creatures {
		x := &c.Creatures[i]
		if x.Who == len(s.Creatures) {
			s.Creatures = append(s.Creatures, NewCreatureState())
		}
		s.Creatures[x.Who] = s.Creatures[x.Who].Apply(x)
	}
	return s
}

// NewCreatureState returns the state of a creature that has just been placed, with nothing yet.
func NewCreatureState() CreatureState {
	return CreatureState{At: []int{}, Width: 1, Amounts: []Amount{}, Effects: []Active{}}
}

// Apply changes the state of a creature. It copies what it changes.
func (s CreatureState) Apply(c *CreatureChange) CreatureState {
	set(&s.Here, c.Here)
	set(&s.Down, c.Down)
	set(&s.At, c.At)
	set(&s.Width, c.Width)
	set(&s.Reach, c.Reach)
	set(&s.Threatens, c.Threatens)
	if len(c.Amounts) > 0 {
		s.Amounts = append([]Amount{}, s.Amounts...)
		for _, a := range c.Amounts {
			s.setAmount(a)
		}
	}
	if len(c.Gained)+len(c.Lost) > 0 {
		kept := []Active{}
		for _, x := range append(s.Effects[:len(s.Effects):len(s.Effects)], c.Gained...) {
			if !slices.Contains(c.Lost, x.ID) {
				kept = append(kept, x)
			}
		}
		s.Effects = kept
	}
	return s
}

// setAmount puts an amount in its place: they are in the order of the resources.
func (s *CreatureState) setAmount(a Amount) {
	i, known := slices.BinarySearchFunc(s.Amounts, a.Of, func(x Amount, of int) int { return x.Of - of })
	if known {
		s.Amounts[i] = a
		return
	}
	s.Amounts = slices.Insert(s.Amounts, i, a)
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}
