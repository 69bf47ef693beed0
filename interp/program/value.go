package program

import "arbiter/interp/ir"

// This file says how values are packed into an int64.
//
// Numbers, quantities, enums and yes-no values are stored as they are. None means none in every type. A thing is an
// entity (0 and up), a template t (-(t+1)), or a record (RecordTag | its address). Lists, outcomes, records of
// procedures and plans are addresses: those below ArenaBase are constants in Program.Heap, the rest is in the arena of
// the running state. An object is a header word followed by its values.

// None is no value; Absent is an argument that was not given.
const (
	None          int64 = ir.None
	Absent        int64 = ir.None + 1
	MasterDecides int64 = ir.None + 2 // a cell that the game master decides
)

// ArenaBase is the first address of the arena. It is so large that no number of a game is mistaken for an address; see
// machine.Keyer.
const ArenaBase int64 = 1 << 46

// RecordTag marks a thing that is a record; the remaining bits are an address. EntityText marks a text that is the name
// of a thing.
const (
	RecordTag  int64 = 1 << 40
	EntityText int64 = 1 << 41
)

// Shape says which part of a value is an address in the arena.
type Shape uint8

const (
	Scalar  Shape = iota // none
	Thing                // the value without its tag, if it is a record
	Address              // the value
	Things               // the value, which is the address of a list of things
)

// IsAddress says whether a value is an address.
func (s Shape) IsAddress() bool { return s >= Address }

// ObjectType is the type of the object at an address.
type ObjectType uint8

const (
	ListObject    ObjectType = iota + 1 // Of is the Shape of the elements
	RecordObject                        // Of is the kind
	OutcomeObject                       // the fields of ir.OutcomeFields
	ProcObject                          // Of is the procedure
	PlanObject                          // Of is the plan
	CaptureObject                       // Of is a duration; the values are the captured ones
)

// PackHeader packs the first word of an object.
func PackHeader(o ObjectType, of int32, n int) int64 { return int64(o)<<56 | int64(of)<<32 | int64(n) }

// UnpackHeader splits a header. A word that is not one may say any n below 2^32.
func UnpackHeader(h int64) (o ObjectType, of int32, n int64) {
	return ObjectType(h >> 56), int32(h >> 32 & 0xffffff), int64(uint32(h))
}

// ZeroOf returns the initial value of a name of type t.
func ZeroOf(t ir.Type) int64 {
	if t.OrNone {
		return None
	}
	switch t.Kind {
	case ir.Nothing, ir.Ref, ir.Outcome, ir.Record, ir.PathType, ir.Square, ir.Place, ir.ActionRef, ir.PlanType, ir.EffectRef:
		return None
	}
	return 0 // 0 is also the address of the empty list
}

// ShapeOf returns the shape of a type.
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
