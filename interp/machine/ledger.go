package machine

// This file keeps a ledger for simulations of fights: who took what from whom, and by which action.

// Ledger lists changes of resources. Only watched ones are entered.
type Ledger struct {
	Watched []Watch // by resource
	Entries []Entry
}

// Watch says which changes of a resource are entered.
type Watch uint8

const (
	Unwatched Watch = iota
	Losses          // such as hit points lost
	Gains           // such as wounds gained
	Noted           // no changes, since they are entered for another resource; only what is left
)

// Entry is a loss or a gain of Amount.
type Entry struct {
	Who      int32 // the creature whose resource it is
	By       int32 // the creature that caused it; Who if that was Who itself or no creature
	Cause    int32 // the action or procedure of By, or ^rule; NoCause: neither
	Resource int32
	Amount   int64
}

// NoCause is the cause of a change that no creature's code caused.
const NoCause int32 = -1 << 31

// addToLedger enters a change.
func (m *Machine) addToLedger(who int64, id int32, from, to int64) {
	amount := to - from
	switch {
	case int(id) >= len(m.Ledger.Watched) || m.Ledger.Watched[id] == Unwatched || m.Ledger.Watched[id] == Noted:
		return
	case m.Ledger.Watched[id] == Losses:
		amount = -amount
	}
	if amount <= 0 {
		return
	}
	by, cause := m.causeOf(who)
	m.Ledger.Entries = append(m.Ledger.Entries, Entry{int32(who), by, cause, id, amount})
}

// causeOf finds who causes what happens to a creature, and by what. It is the innermost procedure that another creature
// does; of that creature's procedures around it, the innermost action or reacting rule, or else the outermost.
func (m *Machine) causeOf(who int64) (by, cause int32) {
	frames := m.s.Frames
	by, cause = int32(who), NoCause
	own := true
	for i := len(frames) - 1; i >= 0; i-- {
		f := &frames[i]
		if f.Kind != codeFrame || f.Code != procedureCode && f.Code != ruleCode {
			continue
		}
		actor := m.s.Regs[f.Base]
		if !m.isEntity(actor) {
			continue
		}
		switch {
		case own && actor != who:
			own, by = false, int32(actor)
		case !own && actor != int64(by):
			return by, cause
		}
		if f.Code == ruleCode {
			cause = ^f.ID
		} else {
			cause = f.ID
		}
		if !own && (f.Code == ruleCode || m.p.Procs[f.ID].Action) {
			return by, cause
		}
	}
	return by, cause
}
