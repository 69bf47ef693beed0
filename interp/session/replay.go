package session

// This file is the replay of a run as a document: what happened, event by event, with the state of the fight at each of
// them, and with the parts of every number. spec/json.md describes it. The recorder makes it.

// Replay is a run as it can be watched again. Creatures, resources, effects, maps, numbers and rules are listed once
// and named by their index from then on.
type Replay struct {
	Kind      string           `json:"kind"`    // "replay"
	Version   int              `json:"version"` // of this document
	Title     string           `json:"title"`
	Ruleset   string           `json:"ruleset"`
	Seed      uint64           `json:"seed"`
	Outcome   string           `json:"outcome"`
	Ended     string           `json:"ended"`
	Rounds    int              `json:"rounds"`
	Cut       *ReplayCut       `json:"cut,omitempty"` // nil: all of the run is here
	Sides     []string         `json:"sides"`
	Creatures []ReplayCreature `json:"creatures"`
	Resources []ReplayResource `json:"resources"`
	Effects   []ReplayEffect   `json:"effects"`
	Ground    []ReplayGround   `json:"ground"` // what a square can contain, by its sign in the rows of a map
	Rows      []string         `json:"rows"`   // rows of maps, a sign for each square
	Maps      []ReplayMap      `json:"maps"`
	Rules     []ReplayRule     `json:"rules"`
	Numbers   []ReplayNumber   `json:"numbers"`
	Start     ReplayState      `json:"start"` // before the first event
	Events    []ReplayEvent    `json:"events"`
	Frames    []ReplayFrame    `json:"frames"` // the whole state now and then, so that no event is far from one
}

// replayVersion is the version of the document. It changes when a field changes its meaning.
const replayVersion = 1

// ReplayCut says that the run went on after the last event of a replay.
type ReplayCut struct {
	Round int    `json:"round"` // of the last event
	Why   string `json:"why"`
}

// ReplayCreature is what does not change about a creature.
type ReplayCreature struct {
	Name     string `json:"name"`
	Side     int    `json:"side"`
	Sign     string `json:"sign"` // its letter on the map
	Template string `json:"template,omitempty"`
}

// ReplayResource is a resource. Sort says how it is shown: `pool` (begins full, is lost), `turn` and `reaction` (come
// back each turn) or `count`.
type ReplayResource struct {
	Name    string `json:"name"`
	Sort    string `json:"sort"`
	Decides bool   `json:"decides,omitempty"` // who is out of the fight depends on it
	Rule    *int   `json:"rule,omitempty"`
}

// ReplayEffect is the definition of an effect. Word is the one that declares it.
type ReplayEffect struct {
	Name string `json:"name"`
	Word string `json:"word"`
	Rule *int   `json:"rule,omitempty"`
}

// ReplayGround is the contents of a square.
type ReplayGround struct {
	Sign   string   `json:"sign"`
	Names  []string `json:"names"`
	Is     []string `json:"is,omitempty"`     // those of its properties that hold: blocked, stops-sight, ...
	Price  int      `json:"price"`            // of a step, as a multiple
	Height int      `json:"height,omitempty"` // of its floor, in squares
}

// ReplayMap is a map, which begins at the square (0, 0): its rows are indexes into the rows of the document.
type ReplayMap struct {
	Drawn bool  `json:"drawn"` // by a script; otherwise it is open ground
	Rows  []int `json:"rows"`
}

// ReplayRule is a place in the rules and what is written there.
type ReplayRule struct {
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

// ReplayNumber is an explained number.
type ReplayNumber struct {
	Title string       `json:"title"`
	Notes []string     `json:"notes,omitempty"`
	Terms []ReplayTerm `json:"terms"`
	Of    []int        `json:"of,omitempty"` // for a roll: the numbers among its terms, and its target number
}

// ReplayTerm is one of the terms or modifiers that make a number.
type ReplayTerm struct {
	Label   string `json:"label"`
	Value   string `json:"value"` // as it is written: +2, x 1/2, >= 0
	Type    string `json:"type,omitempty"`
	Why     string `json:"why,omitempty"` // why it does not count; empty if it does
	Decided bool   `json:"decided,omitempty"`
	Rule    *int   `json:"rule,omitempty"`
	Expr    string `json:"expr,omitempty"`
	Of      []int  `json:"of,omitempty"` // the numbers that its expression reads
}

// ReplayEvent is an event as the transcript tells it, or the beginning of a turn, whose kind is `turn` and which has no
// text. Who is an index; -1 for nobody.
type ReplayEvent struct {
	ID      int32         `json:"id"`
	Cause   int32         `json:"cause"` // the id of the nearest event before it that caused it; 0 for none
	Kind    string        `json:"kind"`
	Round   int           `json:"round"`
	Who     int           `json:"who"`
	Name    string        `json:"name,omitempty"`
	Targets []int         `json:"targets,omitempty"` // the creatures among the arguments of an act
	Square  *[3]int       `json:"square,omitempty"`  // the square among them
	Depth   int           `json:"depth,omitempty"`   // how far its line is indented
	Text    string        `json:"text"`
	Roll    string        `json:"roll,omitempty"` // its address
	Success *bool         `json:"success,omitempty"`
	Dice    []ReplayDie   `json:"dice,omitempty"`
	Was     *int64        `json:"was,omitempty"`    // a resource: the amount before
	Is      *int64        `json:"is,omitempty"`     // and after
	Number  *int          `json:"number,omitempty"` // a roll explained
	Rule    *int          `json:"rule,omitempty"`   // what is done, or gained; or the rule that did it
	Lines   []ReplayLine  `json:"lines,omitempty"`  // for cover, of a roll against somebody
	Areas   [][][3]int    `json:"areas,omitempty"`  // that an act asked for, each as parts of rows: y, the first x, the last x
	Change  *ReplayChange `json:"change,omitempty"` // what is different after it, told or not
}

// ReplayDie is a die that was rolled, as `arbiter roll` has it. By is the rule that replaced its face.
type ReplayDie struct {
	Face    int32    `json:"face"`
	Sides   int32    `json:"sides"`
	Value   int64    `json:"value"`
	Marks   []string `json:"marks,omitempty"`
	By      *int     `json:"by,omitempty"`      // the rule that put another face in its place
	Instead int64    `json:"instead,omitempty"` // that face
}

// ReplayLine is a line from a corner of one creature's space to a corner of another's, in squares.
type ReplayLine struct {
	From    [2]int `json:"from"`
	To      [2]int `json:"to"`
	Blocked bool   `json:"blocked,omitempty"`
}

// ReplayState is the state of a fight.
type ReplayState struct {
	Round     int                   `json:"round"`
	Fighting  bool                  `json:"fighting"`
	Turn      int                   `json:"turn"` // a creature, -1 for nobody
	Map       int                   `json:"map"`  // -1 for none
	Order     []ReplayPlace         `json:"order"`
	Creatures []ReplayCreatureState `json:"creatures"` // those that have been placed so far
}

// ReplayPlace is a place in the turn order, highest first.
type ReplayPlace struct {
	Who  int     `json:"who"`
	Keys []int64 `json:"keys"`
}

// ReplayCreatureState is the state of a creature.
type ReplayCreatureState struct {
	Here      bool           `json:"here"`
	Down      bool           `json:"down,omitempty"`
	At        []int          `json:"at"` // x, y, z of its upper left square; empty off the map
	Width     int            `json:"width"`
	Amounts   []ReplayAmount `json:"amounts"`
	Effects   []ReplayActive `json:"effects"`
	Reach     [][3]int       `json:"reach,omitempty"`     // squares where a move can end: y, the first x, the last x
	Threatens [][3]int       `json:"threatens,omitempty"` // squares that it threatens, likewise
}

// ReplayAmount is the amount of a resource. A bound is left out if there is none.
type ReplayAmount struct {
	Of    int    `json:"of"`
	Value int64  `json:"value"`
	Low   *int64 `json:"low,omitempty"`
	High  *int64 `json:"high,omitempty"`
}

// ReplayActive is an effect that a creature has. Lasts is in words, from when it was gained.
type ReplayActive struct {
	ID    int32  `json:"id"`
	Of    int    `json:"of"`
	With  string `json:"with,omitempty"`
	From  *int   `json:"from,omitempty"`
	Lasts string `json:"lasts,omitempty"`
}

// ReplayChange is a difference between two states. What is left out is as before.
type ReplayChange struct {
	Round     *int                   `json:"round,omitempty"`
	Fighting  *bool                  `json:"fighting,omitempty"`
	Turn      *int                   `json:"turn,omitempty"`
	Map       *int                   `json:"map,omitempty"`
	Order     *[]ReplayPlace         `json:"order,omitempty"`
	Creatures []ReplayCreatureChange `json:"creatures,omitempty"` // in order; there may be several of one creature
}

// ReplayCreatureChange is a difference between two states of a creature. One with the next index has just been placed,
// with nothing yet.
type ReplayCreatureChange struct {
	Who       int            `json:"who"`
	Here      *bool          `json:"here,omitempty"`
	Down      *bool          `json:"down,omitempty"`
	At        *[]int         `json:"at,omitempty"`
	Width     *int           `json:"width,omitempty"`
	Amounts   []ReplayAmount `json:"amounts,omitempty"` // each in the place of the one of the same resource
	Gained    []ReplayActive `json:"gained,omitempty"`
	Lost      []int32        `json:"lost,omitempty"` // by id
	Reach     *[][3]int      `json:"reach,omitempty"`
	Threatens *[][3]int      `json:"threatens,omitempty"`
}

// ReplayFrame is the state after the first Event events.
type ReplayFrame struct {
	Event int         `json:"event"`
	State ReplayState `json:"state"`
}

// Apply changes a state. It copies what it changes, so that earlier copies of the state stay as they were.
func (s ReplayState) Apply(c *ReplayChange) ReplayState {
	if c == nil {
		return s
	}
	if len(c.Creatures) > 0 {
		s.Creatures = append([]ReplayCreatureState(nil), s.Creatures...)
	}
	return s.apply(c)
}

// apply is Apply for a state whose creatures nobody else has.
func (s ReplayState) apply(c *ReplayChange) ReplayState {
	set(&s.Round, c.Round)
	set(&s.Fighting, c.Fighting)
	set(&s.Turn, c.Turn)
	set(&s.Map, c.Map)
	set(&s.Order, c.Order)
	for i := range c.Creatures {
		x := &c.Creatures[i]
		if x.Who == len(s.Creatures) {
			s.Creatures = append(s.Creatures, newCreatureState())
		}
		s.Creatures[x.Who] = s.Creatures[x.Who].apply(x)
	}
	return s
}

func newCreatureState() ReplayCreatureState {
	return ReplayCreatureState{At: []int{}, Width: 1, Amounts: []ReplayAmount{}, Effects: []ReplayActive{}}
}

func (s ReplayCreatureState) apply(c *ReplayCreatureChange) ReplayCreatureState {
	set(&s.Here, c.Here)
	set(&s.Down, c.Down)
	set(&s.At, c.At)
	set(&s.Width, c.Width)
	set(&s.Reach, c.Reach)
	set(&s.Threatens, c.Threatens)
	if len(c.Amounts) > 0 {
		s.Amounts = append([]ReplayAmount{}, s.Amounts...)
		for _, a := range c.Amounts {
			s.setAmount(a)
		}
	}
	if len(c.Gained)+len(c.Lost) > 0 {
		kept := []ReplayActive{}
		for _, x := range append(s.Effects[:len(s.Effects):len(s.Effects)], c.Gained...) {
			if !containsID(c.Lost, x.ID) {
				kept = append(kept, x)
			}
		}
		s.Effects = kept
	}
	return s
}

// setAmount puts an amount in its place: they are in the order of the resources.
func (s *ReplayCreatureState) setAmount(a ReplayAmount) {
	for i := range s.Amounts {
		if s.Amounts[i].Of >= a.Of {
			if s.Amounts[i].Of == a.Of {
				s.Amounts[i] = a
				return
			}
			s.Amounts = append(s.Amounts[:i:i], append([]ReplayAmount{a}, s.Amounts[i:]...)...)
			return
		}
	}
	s.Amounts = append(s.Amounts, a)
}

func containsID(list []int32, id int32) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}
