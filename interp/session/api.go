// Package session plays scripts: it places the combatants, runs the statements of an encounter or a test one by one,
// answers dice and choices from the script, and reports what happened as a transcript and as a result.
//
// Each statement is checked with the names that the statements before it have declared, compiled to a piece of code
// next to the program, and driven: the machine runs until it is done or asks for a die or a choice, gets its answer,
// and continues. A refusal or a failure leaves no trace: the state, the journal and the scripted answers are restored.
// After each statement the narrator puts the new events of the journal into words and adds them to the result.
//
// The package drives its machine from outside and is the only one that knows the order of a fight: begin, turns,
// tactics, the end. What a turn means is up to the rules. It must never know a rule, a flag or a terminal.
package session

import (
	"io"

	"arbiter/interp/replay"
	"arbiter/interp/view"
	"arbiter/lang/diag"
	"arbiter/stdlib/spill"
)

// Options configures a run. The zero value plays with the script's seed, or 1, and prints nothing.
type Options struct {
	Seed      *uint64          // overrides the script's
	FightSeed *uint64          // the seed from where one fight of many diverges from the others, see fightPart; nil: no such point
	Out       io.Writer        // the transcript, line by line; nil: none
	Paint     Painter          // styles its words; nil: plain
	Rounds    int              // a fight that lasts longer is broken off; 0: 1,000
	Origins   bool             // a transcript that differs says which rule made the first line that does
	Strict    bool             // every die must be scripted, unless the script states a seed
	Update    bool             // rewrite transcripts instead of comparing them
	Width     func() int       // width of the lines of a story in Out, in columns; nil: 78, as in the transcript
	Columns   func(string) int // width of a text in columns; nil: one per character
	Habit     Habit            // makes the choices of a story that nobody is asked about
	Takes     []string         // the first choices of a story, by label or number
	Record    bool             // make a Replay
	Forgetful bool             // nobody reads the events of the result: those of long ago are forgotten
	Unchecked bool             // ignore the script's expectations: it runs under other rules or with another seed
	Stateless bool             // nobody reads the combatants and the hash of the result, which takes longer than many a test

	Additions func(ruleset string) bool // of trials: of which rulesets it is counted what is used; nil: of none

	Attendant Attendant // watches while it is played; nil: nobody does

	Spill func() (spill.File, error) // opens a file for what happened long ago in interactive play; nil: it stays in memory
}

// Look is the meaning of a piece of a transcript, for screens that show it in colors.
type Look uint8

const (
	LookPlain    Look = iota
	LookRound         // the start of a round
	LookAction        // an action
	LookFailure       // a failed check
	LookLoss          // a creature loses something
	LookGain          // a creature gains something
	LookGround        // ground on a map
	LookFriend        // a creature of the first side, on a map
	LookFoe           // a creature of another side
	LookFallen        // a creature that is out of the fight
	LookTitle         // title of a scene
	LookChoice        // one of several choices
	LookStrong        // strong text of a story
	LookEmphasis      // emphasized text of a story
)

// Painter colors a text according to its look. It must not change the width of the text.
type Painter func(look Look, text string) string

// Result is what `run --json` prints; spec/json.md describes it.
type Result struct {
	Ruleset    string       `json:"ruleset"`
	Title      string       `json:"title"`
	Seed       uint64       `json:"seed"`
	Outcome    string       `json:"outcome"` // the side that won, "undecided", or "" if there was no fight
	Ended      string       `json:"ended"`   // why tactics stopped playing: "won", or what broke the fight off; "" if they did not stop
	Rounds     int          `json:"rounds"`
	Combatants []Combatant  `json:"combatants"`
	Events     []view.Event `json:"events"`
	Hash       string       `json:"hash"`             // of the final state
	Scene      string       `json:"scene,omitempty"`  // of an adventure: the scene in which it ended
	Ending     *string      `json:"ending,omitempty"` // of an adventure: its ending, "" for one without a name; nil: it has not ended

	Replay *replay.Document `json:"-"` // what happened, to be watched again; nil unless it was asked for

	// Failed expectations and unexpected refusals; they are faults of the script.
	Failures diag.List `json:"-"`
}

// Combatant is a combatant at the end of the fight.
type Combatant struct {
	Name       string           `json:"name"`
	Side       string           `json:"side"`
	Position   *[3]int          `json:"position"` // x, y, z; nil without a map
	Resources  map[string]int64 `json:"resources"`
	Stats      map[string]int64 `json:"stats"`
	Conditions []string         `json:"conditions"`
}
