// Package session plays scripts: it places the combatants, runs the statements of an encounter or a test one by one,
// answers dice and choices from what the script says, and tells what happened as a transcript and as a result.
//
// A statement is checked in what the statements before it have named, compiled to a piece of code beside the program,
// and driven: the machine runs until it is done or asks for a die or a choice, is answered, and goes on. What is refused
// or fails leaves no trace: state, journal and scripted answers are put back to where they were. After each statement
// the teller puts the new events of the journal into words, and keeps them for the result.
//
// The package drives its machine from outside and is the only one who knows the order of a fight: begin, turns,
// tactics, the end. What a turn means is for the rules to say. It must never know a rule, a flag or a terminal.
package session

import (
	"io"

	"arbiter/lang/diag"
)

// Options of a run. The zero value plays with the script's seed, or 1, and prints nothing.
type Options struct {
	Seed      *uint64          // overrides the script's
	FightSeed *uint64          // the seed from where one fight out of many goes its own way: see unplayed; nil: as before
	Out       io.Writer        // the transcript, line by line; nil: none
	Paint     Painter          // how its words look; nil: plain
	Rounds    int              // a fight that lasts longer is broken off; 0: 1,000
	Strict    bool             // every die must be scripted, unless the script states a seed
	Update    bool             // transcripts are to be rewritten, not compared
	Width     func() int       // of the lines of a story as Out has them, in columns; nil: as the transcript has them, 78
	Columns   func(string) int // of a text; nil: one a character
	Habit     Habit            // of a story that nobody is asked about
	Takes     []string         // what is chosen of it first, by label or number
	Unchecked bool             // what the script expects is not held against it: it runs under other rules or another seed
}

// Look is what a piece of a transcript tells, for a screen that shows it in colours.
type Look uint8

const (
	LookPlain    Look = iota
	LookRound         // a round begins
	LookDeed          // somebody does something
	LookFailure       // a throw that fails
	LookLoss          // somebody has less of something
	LookGain          // or more
	LookGround        // of a map
	LookFriend        // somebody of the first side, on a map
	LookFoe           // of another
	LookFallen        // who is out of the fight
	LookTitle         // of a scene
	LookChoice        // what can be chosen
	LookStrong        // words that a story stresses
	LookEmphasis      // or sets apart
)

// Painter gives a text the colours of its look. It may not change how wide it is.
type Painter func(look Look, text string) string

// Result is what `run --json` prints; spec/json.md describes it.
type Result struct {
	Ruleset    string      `json:"ruleset"`
	Title      string      `json:"title"`
	Seed       uint64      `json:"seed"`
	Outcome    string      `json:"outcome"` // the side that won, "undecided", or "" when nobody fought
	Ended      string      `json:"ended"`   // why tactics stopped playing: "won", or what broke the fight off; "" if they did not
	Rounds     int         `json:"rounds"`
	Combatants []Combatant `json:"combatants"`
	Events     []Event     `json:"events"`
	Hash       string      `json:"hash"`             // of the final state
	Scene      string      `json:"scene,omitempty"`  // of an adventure, in which it ended
	Ending     *string     `json:"ending,omitempty"` // likewise, "" for one without a name; nil: it has not ended

	// Failed expectations and refusals nobody expected; the script is at fault.
	Failures diag.List `json:"-"`
}

// Combatant as the fight left it.
type Combatant struct {
	Name       string           `json:"name"`
	Side       string           `json:"side"`
	Position   *[3]int          `json:"position"` // x, y, z; nil without a map
	Resources  map[string]int64 `json:"resources"`
	Stats      map[string]int64 `json:"stats"`
	Conditions []string         `json:"conditions"`
}

// Event of the journal, readable. Cause is the id of the event it came from, 0 for none.
type Event struct {
	ID    int32  `json:"id"`
	Cause int32  `json:"cause"`
	Kind  string `json:"kind"`
	Round int    `json:"round"`
	Who   string `json:"who,omitempty"`
	Name  string `json:"name,omitempty"`  // of the action, effect, resource, rule
	Roll  string `json:"roll,omitempty"`  // its address: attack.blow#7
	Faces []int  `json:"faces,omitempty"` // of dice
	Text  string `json:"text"`            // the line of the transcript
}
