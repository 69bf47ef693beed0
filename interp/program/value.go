package program

import "arbiter/interp/ir"

// This file says how values are packed into an int64.
//
// Numbers, quantities, enums, yes-no are themselves. None is none in every type. A thing is an entity (0 and up), a
// template t (-(t+1)), or a record: RecordTag | its address. Lists, outcomes, records of procedures and plans are
// addresses: below ArenaBase of constants in Program.Heap, from there on in the arena of the running state.
// An object is a header word followed by its values.

// None and Absent: no value, and an argument that was not given.
const (
	None   int64 = ir.None
	Absent int64 = ir.None + 1
	Marked int64 = ir.None + 2 // a cell that the game master decides
)

// ArenaBase is the first address of the arena: so far up that no number of a game is mistaken for one; see machine.Keyer.
const ArenaBase int64 = 1 << 46

// RecordTag marks a thing that is a record; what is left of it is an address. EntityText marks a text that is the name
// of a thing.
const (
	RecordTag  int64 = 1 << 40
	EntityText int64 = 1 << 41
)

// Shape says what of a value lies in the arena.
type Shape uint8

const (
	Scalar  Shape = iota // nothing
	Thing                // its address if it is a record
	Address              // itself
	Things               // itself, and it is that of a list of things
)

// Addressed tells whether a value is an address.
func (s Shape) Addressed() bool { return s >= Address }

// Object is what lies at an address.
type Object uint8

const (
	ListObject    Object = iota + 1 // Of is the Shape of its elements
	RecordObject                    // Of is its kind
	OutcomeObject                   // the fields of ir.OutcomeFields
	ProcObject                      // Of is its procedure
	PlanObject                      // Of is its plan
	HeldObject                      // Of is a duration: its captured values
)

// Header packs the first word of an object.
func Header(o Object, of int32, n int) int64 { return int64(o)<<56 | int64(of)<<32 | int64(n) }

// Unpack reads a header.
func Unpack(h int64) (o Object, of int32, n int) {
	return Object(h >> 56), int32(h >> 32 & 0xffffff), int(uint32(h))
}

// ZeroOf is the value that a name of this type begins with.
func ZeroOf(t ir.Type) int64 {
	if t.OrNone {
		return None
	}
	switch t.Kind {
	case ir.Nothing, ir.Ref, ir.Outcome, ir.Record, ir.PathType, ir.Square, ir.Place, ir.ActionRef, ir.PlanType, ir.EffectRef:
		return None
	}
	return 0 // an empty list lies at address 0
}

// ShapeOf a type.
func ShapeOf(t ir.Type) Shape {
	switch t.Kind {
	case ir.Ref:
		return Thing
	case ir.List:
		if t.Elem != nil && t.Elem.Kind == ir.Ref {
			return Things
		}
		return Address
	case ir.Outcome, ir.Record, ir.PathType, ir.PlanType:
		return Address
	}
	return Scalar
}
