package machine

import (
	"slices"
	"unsafe"

	"arbiter/interp/program"
	"arbiter/stdlib/exact"
	"arbiter/stdlib/modifier"
)

// This file is the inner loop: the instructions that need nothing but registers, slots and lists. It makes no calls, so
// that the Go compiler keeps its variables in machine registers. Whatever calls, changes the state, fails, or is rare
// is left to execSlow (loop.go), which returns here afterwards. An instruction added here must not introduce a call (go
// build -gcflags=-S shows it); its uncommon half belongs in execSlow.

// execFast runs code from pc on up to an instruction for execSlow, and returns its position, or to the end of pure
// code, and returns -1 and the value.
func (m *Machine) execFast(pc int, r *[windowSize]int64, outer int32) (at int, value int64) {
	s, p := m.s, m.p
	code := m.code
	_ = r[0]
	for in := &code[pc]; ; {
		switch in.Op {
		default:
			return indexOf(code, in), 0
		case program.OpNop:
		case program.OpConst:
			r[in.A] = p.Consts[in.D]
		case program.OpInt:
			r[in.A] = int64(in.D)
		case program.OpLoadNone:
			r[in.A] = program.None
		case program.OpCopy:
			r[in.A] = r[in.B]
		case program.OpOuter:
			if outer < 0 {
				return indexOf(code, in), 0
			}
			r[in.A] = s.Regs[outer+in.D]

		case program.OpGetField:
			v, known := m.fastField(r[in.B], int(in.D))
			if !known {
				return indexOf(code, in), 0
			}
			r[in.A] = v
		case program.OpFieldOr:
			v, known := m.fastField(r[in.B], int(in.D))
			if !known {
				return indexOf(code, in), 0
			}
			if v == program.None {
				v = int64(int8(in.C))
			}
			r[in.A] = v
		case program.OpGetSlot:
			who := r[in.B]
			if uint64(who) >= uint64(len(s.Entities)) {
				return indexOf(code, in), 0
			}
			r[in.A] = s.Slots[int(who)*m.stride+int(in.D)]
		case program.OpHasAny:
			who := r[in.B]
			if uint64(who) >= uint64(len(s.Entities)) {
				return indexOf(code, in), 0
			}
			n := s.Slots[int(who)*m.stride+int(p.Slots.Effects)+int(in.D)]
			if n != 0 && in.C != 0 {
				return indexOf(code, in), 0 // its parameters matter
			}
			r[in.A] = int64(bit(n != 0))
		case program.OpCan:
			who := r[in.B]
			if uint64(who) >= uint64(len(s.Entities)) {
				return indexOf(code, in), 0
			}
			forbidding := m.index.forbidding[int(who)*len(p.Permissions):]
			if forbidding[in.D] != 0 || p.ActPermission >= 0 && forbidding[p.ActPermission] != 0 {
				return indexOf(code, in), 0
			}
			r[in.A] = 1

		case program.OpAdd:
			a, b := r[in.B], r[in.C]
			sum := a + b
			if (sum > a) != (b > 0) || sum < exact.Min {
				return indexOf(code, in), 0
			}
			r[in.A] = sum
		case program.OpSub:
			a, b := r[in.B], r[in.C]
			v := a - b
			if (v < a) != (b > 0) || v < exact.Min {
				return indexOf(code, in), 0
			}
			r[in.A] = v
		case program.OpAddInt:
			a, b := r[in.B], int64(in.D)
			sum := a + b
			if (sum > a) != (b > 0) || sum < exact.Min {
				return indexOf(code, in), 0
			}
			r[in.A] = sum
		case program.OpMul:
			a, b := r[in.B], r[in.C]
			if a != int64(int32(a)) || b != int64(int32(b)) {
				return indexOf(code, in), 0
			}
			r[in.A] = a * b
		case program.OpDiv:
			a, b := r[in.B], r[in.C]
			if b <= 0 {
				return indexOf(code, in), 0
			}
			q := a / b
			if a%b < 0 { // round down
				q--
			}
			r[in.A] = q
		case program.OpMin:
			r[in.A] = min(r[in.B], r[in.C])
		case program.OpMax:
			r[in.A] = max(r[in.B], r[in.C])
		case program.OpNot:
			r[in.A] = int64(bit(r[in.B] == 0))
		case program.OpEq:
			r[in.A] = int64(bit(r[in.B] == r[in.C]))
		case program.OpNe:
			r[in.A] = int64(bit(r[in.B] != r[in.C]))
		case program.OpLt:
			r[in.A] = int64(bit(r[in.B] < r[in.C]))
		case program.OpLe:
			r[in.A] = int64(bit(r[in.B] <= r[in.C]))

		case program.OpJump:
			in = &code[in.D]
			continue
		case program.OpJumpIf:
			if r[in.A] != 0 {
				in = &code[in.D]
				continue
			}
		case program.OpJumpNot:
			if r[in.A] == 0 {
				in = &code[in.D]
				continue
			}
		case program.OpJumpNone:
			if r[in.A] == program.None {
				in = &code[in.D]
				continue
			}
		case program.OpJumpSome:
			if r[in.A] != program.None {
				in = &code[in.D]
				continue
			}
		case program.OpJumpGiven:
			if r[in.A] != program.Absent {
				in = &code[in.D]
				continue
			}
		case program.OpJumpFixed:
			if r[in.A] != program.MasterDecides {
				in = &code[in.D]
				continue
			}
		case program.OpJumpEq:
			if r[in.A] == r[in.B] {
				in = &code[in.D]
				continue
			}
		case program.OpJumpNe:
			if r[in.A] != r[in.B] {
				in = &code[in.D]
				continue
			}
		case program.OpJumpLt:
			if r[in.A] < r[in.B] {
				in = &code[in.D]
				continue
			}
		case program.OpJumpLe:
			if r[in.A] <= r[in.B] {
				in = &code[in.D]
				continue
			}
		case program.OpJumpEqC:
			if r[in.A] == constOperand(in) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpNeC:
			if r[in.A] != constOperand(in) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpLtC:
			if r[in.A] < constOperand(in) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpGtC:
			if r[in.A] > constOperand(in) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpLeC:
			if r[in.A] <= constOperand(in) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpGeC:
			if r[in.A] >= constOperand(in) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpField, program.OpJumpNoField:
			v, known := m.fastField(r[in.A], int(constOperand(in)))
			if !known {
				return indexOf(code, in), 0
			}
			if (v != 0) == (in.Op == program.OpJumpField) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpIs, program.OpJumpIsNot:
			v, known := m.fastField(r[in.A], int(in.B))
			if !known {
				return indexOf(code, in), 0
			}
			if (v == int64(int8(in.C))) == (in.Op == program.OpJumpIs) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpFieldNone, program.OpJumpFieldSome:
			v, known := m.fastField(r[in.A], int(constOperand(in)))
			if !known {
				return indexOf(code, in), 0
			}
			if (v == program.None) == (in.Op == program.OpJumpFieldNone) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpPart, program.OpJumpNoPart:
			at, k := r[in.A]-program.ArenaBase, 1+int64(in.C)
			if uint64(at) >= uint64(len(s.Arena)) || k > int64(uint32(s.Arena[at])) || uint64(at+k) >= uint64(len(s.Arena)) {
				return indexOf(code, in), 0
			}
			if (s.Arena[at+k] != 0) == (in.Op == program.OpJumpPart) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpHas, program.OpJumpHasNo:
			who := r[in.A]
			if (uint64(who) < uint64(len(s.Entities)) && s.Slots[int(who)*m.stride+int(p.Slots.Effects)+int(constOperand(in))] != 0) == (in.Op == program.OpJumpHas) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpMapped:
			if m.Ground != nil {
				in = &code[in.D]
				continue
			}
		case program.OpJumpNoMap:
			if m.Ground == nil {
				in = &code[in.D]
				continue
			}
		case program.OpJumpTooDear:
			if who := r[in.A]; uint64(who) < uint64(len(s.Entities)) && isTooDear(s.Slots[int(who)*m.stride:], m.prices[constOperand(in)]) {
				in = &code[in.D]
				continue
			}
		case program.OpJumpAwaited:
			if m.pointStates[constOperand(in)] != pointQuiet {
				return indexOf(code, in), 0
			}
		case program.OpAt:
			if in.C != 0 || m.pointStates[in.D] != pointQuiet {
				return indexOf(code, in), 0
			}
		case program.OpInstead:
			if in.C != 0 || m.pointStates[in.D] != pointQuiet {
				return indexOf(code, in), 0
			}
			in = &code[indexOf(code, in)+2] // skip the jump past what might have been replaced
			continue
		case program.OpEndInstead:
			if s.Frames[len(s.Frames)-1].Kind == insteadFrame {
				return indexOf(code, in), 0
			}
			if in.D > 0 && m.pointStates[in.D-1] == pointQuiet {
				in = &code[indexOf(code, in)+2] // skip the point
				continue
			}

		case program.OpGetStat:
			who, situation := r[in.B], r[int(in.B)+1:][:in.C]
			if uint64(who) >= uint64(len(s.Entities)) || len(situation) > maxSituation || m.Journal != nil || m.NoCache {
				return indexOf(code, in), 0
			}
			c := &m.cache[statKey(in.D, who, situation)]
			version := m.sharedVersions[in.D] + m.versions[int(who)*len(m.sharedVersions)+int(in.D)]
			if c.stat != in.D || c.who != int32(who) || c.version != version || c.stamp.moves != m.moveCount && c.stamp.reads != 0 {
				return indexOf(code, in), 0
			}
			for i, v := range situation {
				if c.situation[i] != v {
					return indexOf(code, in), 0
				}
			}
			m.reads |= c.stamp.reads
			r[in.A] = c.value
		case program.OpStatOf:
			who, a, b, x := r[in.B], r[in.C], r[uint8(in.D>>16)], r[uint8(in.D>>24)]
			if uint64(who) >= uint64(len(s.Entities)) || m.Journal != nil || m.NoCache {
				return indexOf(code, in), 0
			}
			id := in.D & 0xffff
			n := m.stats[id].paramCount
			h := statBegin(id, who)
			h = statMore(h, a)
			if n > 1 {
				h = statMore(h, b)
			}
			if n > 2 {
				h = statMore(h, x)
			}
			c := &m.cache[statEnd(h)]
			version := m.sharedVersions[id] + m.versions[int(who)*len(m.sharedVersions)+int(id)]
			if c.stat != id || c.who != int32(who) || c.version != version || c.stamp.moves != m.moveCount && c.stamp.reads != 0 ||
				c.situation[0] != a || n > 1 && c.situation[1] != b || n > 2 && c.situation[2] != x {
				return indexOf(code, in), 0
			}
			m.reads |= c.stamp.reads
			r[in.A] = c.value
		case program.OpApply:
			def, who := &m.defines[in.D], r[in.B]
			if def.ownIndex < 0 || in.C != 1 || uint64(who) >= uint64(len(s.Entities)) || m.NoCache {
				return indexOf(code, in), 0
			}
			k := &m.ownDefines[int(who)*m.ownDefineCount+int(def.ownIndex)]
			version := m.sharedVersions[def.version] + m.versions[int(who)*len(m.sharedVersions)+int(def.version)]
			if k.version != version || k.moves != m.moveCount && k.reads != 0 {
				return indexOf(code, in), 0
			}
			if k.isList {
				at, n := len(s.Arena), len(k.list)
				if at+n >= cap(s.Arena) || at+n >= m.Limits.Arena {
					return indexOf(code, in), 0
				}
				s.Arena = s.Arena[:at+n+1]
				list := s.Arena[at:]
				list[0] = program.PackHeader(program.ListObject, int32(program.Scalar), n)
				for i, v := range k.list {
					list[1+i] = v
				}
				r[in.A] = program.ArenaBase + int64(at)
			} else {
				r[in.A] = k.value
			}
			m.reads |= k.reads

		case program.OpPart:
			at, k := r[in.B]-program.ArenaBase, 1+int64(in.C)
			if uint64(at) >= uint64(len(s.Arena)) || k > int64(uint32(s.Arena[at])) || uint64(at+k) >= uint64(len(s.Arena)) {
				return indexOf(code, in), 0
			}
			r[in.A] = s.Arena[at+k]
		case program.OpPush:
			at := r[in.A] - program.ArenaBase
			if uint64(at) >= uint64(len(s.Arena)) {
				return indexOf(code, in), 0
			}
			end := at + 1 + int64(uint32(s.Arena[at]))
			if uint64(end) >= uint64(len(s.Arena)) {
				return indexOf(code, in), 0
			}
			s.Arena[end] = r[in.B]
			s.Arena[at]++
		case program.OpTerm:
			if v := r[in.A]; isPresent(v) {
				n := len(m.entries)
				if v > modifier.Limit || v < -modifier.Limit || n == cap(m.entries) {
					return indexOf(code, in), 0
				}
				m.entries = m.entries[:n+1]
				e, term := &m.entries[n], int32(in.B)
				e.Op, e.Den, e.Type, e.Term = 0, 0, m.p.Stats[in.D].Terms[term].Bonus, int16(term)
				e.Source, e.Value = -1-term, v
			}
		case program.OpLength:
			heap, at := p.Heap, r[in.B]
			if at >= program.ArenaBase {
				heap, at = s.Arena, at-program.ArenaBase
			}
			if uint64(at) >= uint64(len(heap)) {
				return indexOf(code, in), 0
			}
			r[in.A] = int64(uint32(heap[at]))
		case program.OpLoop:
			s.Budget -= int64(indexOf(code, in) + 1 - int(in.D))
			if s.Budget < 0 {
				return indexOf(code, in), 0
			}
			r[in.A]++
			if r[in.A] < r[in.B] {
				in = &code[in.D]
				continue
			}
		case program.OpEach:
			heap, at := p.Heap, r[in.C]
			if at >= program.ArenaBase {
				heap, at = s.Arena, at-program.ArenaBase
			}
			if uint64(at+1) > uint64(len(heap)) {
				return indexOf(code, in), 0
			}
			n := int64(uint32(heap[at]))
			r[in.A], r[in.A+1] = n, 0
			if n == 0 {
				in = &code[in.D]
				continue
			}
			if uint64(at+1) >= uint64(len(heap)) {
				return indexOf(code, in), 0
			}
			r[in.B] = heap[at+1]
		case program.OpNext:
			s.Budget -= int64(indexOf(code, in) + 1 - int(in.D))
			if s.Budget < 0 {
				return indexOf(code, in), 0
			}
			i := r[in.A+1] + 1
			if i < r[in.A] {
				heap, at := p.Heap, r[in.C]
				if at >= program.ArenaBase {
					heap, at = s.Arena, at-program.ArenaBase
				}
				if uint64(at) >= uint64(len(heap)) || i >= int64(uint32(heap[at])) || uint64(at+1+i) >= uint64(len(heap)) {
					return indexOf(code, in), 0
				}
				r[in.A+1], r[in.B] = i, heap[at+1+i]
				in = &code[in.D]
				continue
			}

		case program.OpFrom:
			first, last := r[in.A+1], r[in.A]
			n := last - first
			if (n < last) != (first > 0) || n >= maxRange {
				return indexOf(code, in), 0
			}
			if n < 0 {
				in = &code[in.D]
				continue
			}
			r[in.B] = first
		case program.OpTo:
			s.Budget -= int64(indexOf(code, in) + 1 - int(in.D))
			if s.Budget < 0 {
				return indexOf(code, in), 0
			}
			if r[in.A+1] < r[in.A] { // compared first: the last number may be the greatest
				r[in.A+1]++
				r[in.B] = r[in.A+1]
				in = &code[in.D]
				continue
			}

		case program.OpReturn:
			return -1, r[in.A]
		case program.OpReturnInt:
			return -1, int64(in.D)
		case program.OpReturnConst:
			return -1, p.Consts[in.D]
		}
		in = after(in)
	}
}

// fastField returns a field of a creature or a template; anything else is left to execSlow.
func (m *Machine) fastField(thing int64, field int) (v int64, known bool) {
	if uint64(thing) < uint64(len(m.s.Entities)) {
		return m.s.Slots[int(thing)*m.stride+field], true
	}
	if t := -thing - 1; uint64(t) < uint64(len(m.p.Templates)) && field < len(m.p.Templates[t].Values) {
		return m.p.Templates[t].Values[field], true
	}
	return 0, false
}

// after is the next instruction. It is found without a test of bounds: in code withEnd, one follows each that leads on.
func after(in *program.Instr) *program.Instr {
	return (*program.Instr)(unsafe.Add(unsafe.Pointer(in), unsafe.Sizeof(*in)))
}

// indexOf is the position of an instruction in the code.
func indexOf(code []program.Instr, in *program.Instr) int {
	return int((uintptr(unsafe.Pointer(in)) - uintptr(unsafe.Pointer(unsafe.SliceData(code)))) / unsafe.Sizeof(*in))
}

// withEnd returns code that cannot be left past its end. That of a compiled program ends like this anyway.
func withEnd(code []program.Instr) []program.Instr {
	if n := len(code); n > 0 && code[n-1].Op.Leaves() {
		return code
	}
	return append(slices.Clip(code), program.Instr{Op: program.OpFail, D: -1})
}
