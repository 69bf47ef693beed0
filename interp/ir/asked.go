package ir

// This file names the definitions that the core looks up in a ruleset. Section 10 of the language specification says
// what they mean.

// Asked identifies a define that the core calls.
type Asked int

const (
	AskDefeated Asked = iota
	AskCanTurn
	AskResumes
	AskWaits
	AskOutOfTurn
	AskMoveRange
	AskThreatened
	AskSpace // this and the following are called by the core's code for places
	AskFlies
	AskUnhampered
	AskDepth
	AskPasses
	AskShares
	AskStepPrice
	AskCounts
	AskSqueezePrice
	AskCutsCorners
	AskedCount
)

// AskedDefine is the name and the required signature of a define.
type AskedDefine struct {
	Of, Name string // Of is a kind, "square", or "" for none
	Params   []Type
	Result   Type
}

var (
	askNumber   = Type{Kind: Number}
	askYesNo    = Type{Kind: YesNo}
	askDistance = Type{Kind: Quantity, Name: "distance"}
	askCreature = Type{Kind: Ref, Name: "creature"}
	askTerrain  = Type{Kind: Ref, Name: TerrainKind}
	askAction   = Type{Kind: ActionRef}
	askSquares  = Type{Kind: List, Elem: &Type{Kind: Square}}
)

// AskedDefines are the signatures, indexed by Asked.
var AskedDefines = [AskedCount]AskedDefine{
	AskDefeated:     {"creature", "defeated", nil, askYesNo},
	AskCanTurn:      {"creature", "can-turn", nil, askYesNo},
	AskResumes:      {"creature", "resumes", nil, askYesNo},
	AskWaits:        {"creature", "waits", nil, askYesNo},
	AskOutOfTurn:    {"creature", "acts-out-of-turn", []Type{askAction}, askYesNo},
	AskMoveRange:    {"creature", "move-range", nil, askSquares},
	AskThreatened:   {"creature", "threatened-squares", nil, askSquares},
	AskSpace:        {"creature", "space", nil, askDistance},
	AskFlies:        {"creature", "flies", nil, askYesNo},
	AskUnhampered:   {"creature", "unhampered", nil, askYesNo},
	AskDepth:        {"creature", "depth-in", []Type{askTerrain}, askDistance},
	AskPasses:       {"creature", "passes", []Type{askCreature}, askYesNo},
	AskShares:       {"creature", "shares-with", []Type{askCreature}, askYesNo},
	AskStepPrice:    {"", "step-price", []Type{askNumber, askYesNo, askYesNo}, askDistance},
	AskCounts:       {"", "diagonal-counts", []Type{askNumber}, askYesNo},
	AskSqueezePrice: {"", "squeezing-price", nil, askNumber},
	AskCutsCorners:  {"", "corners-are-cut", nil, askYesNo},
}

// Names that the core looks up: the procedures that announce movement, the kind of terrain, the enum of movement modes.
const (
	LeaveSquare = "leave-square"
	EnterSquare = "enter-square"
	TerrainKind = "terrain"
	MoveModes   = "movement-mode" // an enum

	StatBlock      = "stat-block" // a procedure that prints a creature's stat block
	DefaultTactics = "default"    // followed by creatures that are assigned no tactics
)

// TerrainFields are the fields of terrain that the core reads, in the order of TerrainType.
var TerrainFields = [...]string{"blocked", "stops-effects", "stops-sight", "gives-cover", "conceals", "price", "height"}
