package machine

// This file keeps accounts, for whoever simulates fights: who took what from whom, and by what deed.

// Ledger lists what resources have come to. Only what is watched is entered.
type Ledger struct {
	Watched []Watch // by resource
	Entries []Entry
}

// Watch says which way a resource is entered.
type Watch uint8

const (
	Unwatched Watch = iota
	Losses          // what is lost of it: hit points
	Gains           // what is gained of it: marks of wounds
)

// Entry is a loss or a gain of Amount.
type Entry struct {
	Who      int32 // whose it is
	By       int32 // whose deed brought it about; Who if it was one's own or nobody's
	Deed     int32 // the action or procedure of By, or ^rule; None of neither
	Resource int32
	Amount   int64
}

// NoDeed stands for a change that no code of somebody brought about.
const NoDeed int32 = -1 << 31

// account enters a change.
func (m *Machine) account(who int64, id int32, from, to int64) {
	amount := to - from
	switch {
	case int(id) >= len(m.Ledger.Watched) || m.Ledger.Watched[id] == Unwatched:
		return
	case m.Ledger.Watched[id] == Losses:
		amount = -amount
	}
	if amount <= 0 {
		return
	}
	by, deed := m.author(who)
	m.Ledger.Entries = append(m.Ledger.Entries, Entry{int32(who), by, deed, id, amount})
}

// author finds whose doing it is that something happens to somebody: the innermost procedure that somebody else does, and of
// that creature's procedures around it the innermost action, or the rule by which it reacts, or else the outermost.
func (m *Machine) author(who int64) (by, deed int32) {
	frames := m.s.Frames
	by, deed = int32(who), NoDeed
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
			return by, deed
		}
		if f.Code == ruleCode {
			deed = ^f.ID
		} else {
			deed = f.ID
		}
		if !own && (f.Code == ruleCode || m.p.Procs[f.ID].Action) {
			return by, deed
		}
	}
	return by, deed
}
