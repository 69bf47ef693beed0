package session

// This file says what the combatants of a fight that is played many times begin with.

// Beginning is a resource of which a member of the cast begins with all.
type Beginning struct {
	Who, Resource int
	Amount        int64
	Decides       bool // it decides who is defeated
}

// Begins lists what the members of the cast of a single fight begin with all of, and what a turn or a round does not
// renew. It must be called before the first fight.
func (t *Trials) Begins() (list []Beginning) {
	if t.script != nil || t.adviser.origin == nil {
		return nil
	}
	return t.adviser.origin.beginningsOf(len(t.cast.Members))
}

// beginningsOf lists what the first members have all of, now.
func (p *player) beginningsOf(members int) (list []Beginning) {
	k := p.viewBuilder()
	for i := range members {
		for r := range p.m.Program().Resources {
			id := int32(r)
			a := k.amount(int32(i), id)
			if !k.renewed[id] && !p.m.Program().Resources[r].Counted && a.Value > 0 && k.beginsFull(int32(i), id, a) {
				list = append(list, Beginning{i, r, a.Value, k.defeats(id)})
			}
		}
	}
	return list
}
