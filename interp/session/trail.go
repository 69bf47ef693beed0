package session

import (
	"slices"
	"strings"
)

// This file stops a story that goes round in a circle in which nobody chooses: scene leads to scene, or fight to fight,
// for ever.

// Limits between one choice, or command at a prompt, and the next.
const (
	maxFightsWithoutChoice = 100
	maxSceneRepeats        = 1_000
)

// trail is the way of a story since the last choice.
type trail struct {
	scenes []int32       // the last scenes entered
	times  map[int32]int // how often each was entered
	fights int
}

// restart begins a new trail, in the last scene.
func (t *trail) restart() {
	t.scenes = slices.Clone(t.scenes[max(0, len(t.scenes)-1):])
	t.fights = 0
	clear(t.times)
}

// enter adds a scene, and reports whether it has been entered too often.
func (t *trail) enter(scene int32) (tooOften bool) {
	if t.times == nil {
		t.times = map[int32]int{}
	}
	t.scenes = append(t.scenes, scene)
	if len(t.scenes) > 2*maxSceneRepeats {
		t.scenes = slices.Clone(t.scenes[maxSceneRepeats:])
	}
	t.times[scene]++
	return t.times[scene] > maxSceneRepeats
}

// circle returns the scenes from the last time that the current one was entered.
func (t *trail) circle() []int32 {
	end := len(t.scenes) - 1
	if end < 0 {
		return nil
	}
	from := end - 1
	for from >= 0 && t.scenes[from] != t.scenes[end] {
		from--
	}
	return t.scenes[max(0, from):]
}

// failInCircle stops a story that goes round in a circle.
func (p *player) failInCircle(format string, args ...any) {
	p.failAt(p.currentOp(), "limit", format, args...)
	const most = 12
	var names []string
	for _, scene := range p.story.trail.circle() {
		names = append(names, p.story.Scenes[scene].Path)
	}
	if n := len(names); n > most {
		names = slices.Concat(names[:most-1], []string{"..."}, names[n-1:])
	}
	where := "the circle: " + strings.Join(names, " -> ")
	if len(names) < 2 {
		where = "all this is in " + strings.Join(names, "")
	}
	p.addHint(where + "; offer a choice on the way, or let it end by `finish`")
}
