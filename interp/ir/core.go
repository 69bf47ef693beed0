package ir

// This file names the definitions that the core looks up in a ruleset. Section 10 of the language specification says
// what they mean.

// CoreDefine identifies a define that the core calls.
type CoreDefine int

const (
	CoreDefeated CoreDefine = iota
	CoreCanTurn
	CoreResumes
	CoreWaits
	CoreOutOfTurn
	CoreOneAction
	CoreMoveRange
	CoreThreatened
	CoreContinues
	CoreWorth
	CoreSpace // this and the following are called by the core's code for places
	CoreFlies
	CoreUnhampered
	CoreStepFactor
	CoreDepth
	CorePasses
	CoreShares
	CoreStepPrice
	CoreDiagonalCounts
	CoreSqueezePrice
	CoreCutsCorners
	CoreLinesGraze
	CoreOuterCorners
	CoreSees // asked for screens that players look at
	CoreDefineCount
)

// CoreSignature is the name and the required signature of a define.
type CoreSignature struct {
	Of, Name string // Of is a kind, "square", or "" for none
	Params   []Type
	Result   Type
}

var (
	numberType   = Type{Kind: Number}
	yesNoType    = Type{Kind: YesNo}
	distanceType = Type{Kind: Quantity, Name: "distance"}
	creatureType = Type{Kind: Ref, Name: "creature"}
	terrainType  = Type{Kind: Ref, Name: TerrainKind}
	actionType   = Type{Kind: ActionRef}
	squaresType  = Type{Kind: List, Elem: &Type{Kind: Square}}
)

// CoreSignatures are the signatures, indexed by CoreDefine.
var CoreSignatures = [CoreDefineCount]CoreSignature{
	CoreDefeated:       {"creature", "defeated", nil, yesNoType},
	CoreCanTurn:        {"creature", "can-turn", nil, yesNoType},
	CoreResumes:        {"creature", "resumes", nil, yesNoType},
	CoreWaits:          {"creature", "waits", nil, yesNoType},
	CoreOutOfTurn:      {"creature", "acts-out-of-turn", []Type{actionType}, yesNoType},
	CoreOneAction:      {"creature", "limited-to-one-action", nil, yesNoType},
	CoreMoveRange:      {"creature", "move-range", nil, squaresType},
	CoreThreatened:     {"creature", "threatened-squares", nil, squaresType},
	CoreContinues:      {"", "fight-goes-on", nil, yesNoType},
	CoreWorth:          {"creature", "worth-to-its-side", nil, numberType},
	CoreSpace:          {"creature", "space", nil, distanceType},
	CoreFlies:          {"creature", "flies", nil, yesNoType},
	CoreUnhampered:     {"creature", "unhampered", nil, yesNoType},
	CoreStepFactor:     {"creature", "step-factor", nil, numberType},
	CoreDepth:          {"creature", "depth-in", []Type{terrainType}, distanceType},
	CorePasses:         {"creature", "passes", []Type{creatureType}, yesNoType},
	CoreShares:         {"creature", "shares-with", []Type{creatureType}, yesNoType},
	CoreStepPrice:      {"", "step-price", []Type{numberType, yesNoType, yesNoType}, distanceType},
	CoreDiagonalCounts: {"", "diagonal-counts", []Type{numberType}, yesNoType},
	CoreSqueezePrice:   {"", "squeezing-price", nil, numberType},
	CoreCutsCorners:    {"", "corners-are-cut", nil, yesNoType},
	CoreLinesGraze:     {"", "lines-run-along-borders", nil, yesNoType},
	CoreOuterCorners:   {"", "lines-join-outer-corners", nil, yesNoType},
	CoreSees:           {"creature", "sees", []Type{creatureType}, yesNoType},
}

// Names that the core looks up: the procedures that announce movement, the kind of terrain, the enum of movement modes.
const (
	LeaveSquare = "leave-square"
	EnterSquare = "enter-square"
	TerrainKind = "terrain"
	MoveModes   = "movement-mode" // an enum

	StatBlock      = "stat-block"  // a procedure that prints a creature's stat block
	LeaveFight     = "leave-fight" // a procedure of a creature that is about to be taken out of the fight
	ConditionWord  = "condition"   // declares effects that everybody sees
	DefaultTactics = "default"     // followed by creatures that are assigned no tactics
)

// TerrainFields are the fields of terrain that the core reads, in the order of TerrainType.
var TerrainFields = [...]string{"blocked", "stops-effects", "stops-sight", "gives-cover", "conceals", "price", "height"}
