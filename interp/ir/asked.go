package ir

// This file names what the core asks a ruleset for. What they mean is written in section 10 of the language.

// Asked numbers a define that the core asks for.
type Asked int

const (
	AskDefeated Asked = iota
	AskCanTurn
	AskResumes
	AskWaits
	AskOutOfTurn
	AskMoveRange
	AskThreatened
	AskSpace // this and those below are asked while the core answers about places
	AskFlies
	AskUnhampered
	AskPasses
	AskShares
	AskStepPrice
	AskCounts
	AskSqueezePrice
	AskCutsCorners
	AskedCount
)

// AskedDefine is the name of a define, and the types that it must have.
type AskedDefine struct {
	Of, Name string // of a kind, "square", or "" for none
	Params   []Type
	Result   Type
}

var (
	askNumber   = Type{Kind: Number}
	askYesNo    = Type{Kind: YesNo}
	askDistance = Type{Kind: Quantity, Name: "distance"}
	askCreature = Type{Kind: Ref, Name: "creature"}
	askAction   = Type{Kind: ActionRef}
	askSquares  = Type{Kind: List, Elem: &Type{Kind: Square}}
)

// AskedDefines are the signatures, by number.
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
	AskPasses:       {"creature", "passes", []Type{askCreature}, askYesNo},
	AskShares:       {"creature", "shares-with", []Type{askCreature}, askYesNo},
	AskStepPrice:    {"", "step-price", []Type{askNumber, askYesNo, askYesNo}, askDistance},
	AskCounts:       {"", "diagonal-counts", []Type{askNumber}, askYesNo},
	AskSqueezePrice: {"", "squeezing-price", nil, askNumber},
	AskCutsCorners:  {"", "corners-are-cut", nil, askYesNo},
}

// The procedures that the core announces movement with, and the kind of what lies on a square with the fields that it
// reads, by the number that Ground gives them.
const (
	LeaveSquare = "leave-square"
	EnterSquare = "enter-square"
	TerrainKind = "terrain"
	MoveModes   = "movement-mode" // an enum

	StatBlock      = "stat-block" // a procedure that tells a creature's figures
	DefaultTactics = "default"    // followed by whoever is given none
)

// TerrainFields, in the order of TerrainType.
var TerrainFields = [...]string{"blocked", "stops-effects", "stops-sight", "gives-cover", "conceals", "price", "height"}
