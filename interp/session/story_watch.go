package session

// This file measures the fights of a story: what the party begins and ends each with.

// FightEnd is how a fight of a story ended.
type FightEnd int

// The ends of a fight, in the order of its outcomes.
const (
	FightWon FightEnd = iota
	FightLost
	FightBrokenOff
)

// PartyState is what the party has at some moment.
type PartyState struct {
	Amounts []int64 // by the list of Begins
	Down    []bool  // by member
}

// PlayedFight is a fight of a playthrough.
type PlayedFight struct {
	Battle        int32 // index into the battles of the story
	End           FightEnd
	Rounds        int
	Before, After PartyState
}

// fightWatch gathers the fights of a playthrough. The memory is used again for the next one.
type fightWatch struct {
	begins []Beginning
	fights []PlayedFight
	count  int
}

// Watch has the fights of the playthroughs measured, from the next one on.
func (w *StoryWalker) Watch() {
	w.player.story.watch = &fightWatch{begins: w.player.beginningsOf(w.player.story.party)}
}

// Begins lists what the members of the party begin with all of; Watch must have been called before the first playthrough.
func (w *StoryWalker) Begins() []Beginning { return w.player.story.watch.begins }

// Party returns the names of its members; Resource the name of a resource.
func (w *StoryWalker) Party() (names []string) {
	for _, m := range w.party[:w.player.story.party] {
		names = append(names, m.name)
	}
	return names
}

func (w *StoryWalker) Resource(id int) string { return w.player.m.Program().Resources[id].Name }

// Fights returns those of the last playthrough that have ended. They are valid until the next one.
func (w *StoryWalker) Fights() []PlayedFight {
	return w.player.story.watch.fights[:w.player.story.watch.count]
}

// Now reads what the party has.
func (w *StoryWalker) Now(s *PartyState) { w.player.story.watch.read(w.player, s) }

// current is the fight that is being fought.
func (f *fightWatch) current() *PlayedFight {
	if f.count == len(f.fights) {
		f.fights = append(f.fights, PlayedFight{})
	}
	return &f.fights[f.count]
}

func (f *fightWatch) begin(p *player) { f.read(p, &f.current().Before) }

func (f *fightWatch) end(p *player, battle int32, end FightEnd, rounds int) {
	x := f.current()
	x.Battle, x.End, x.Rounds = battle, end, rounds
	f.read(p, &x.After)
	f.count++
}

func (f *fightWatch) read(p *player, s *PartyState) {
	s.Amounts, s.Down = s.Amounts[:0], s.Down[:0]
	for _, b := range f.begins {
		s.Amounts = append(s.Amounts, p.m.Resource(int32(b.Who), int32(b.Resource)))
	}
	for i := range p.story.party {
		s.Down = append(s.Down, p.defeated(int32(i)))
	}
}
