package session

import (
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/link"
	"arbiter/lang/ast"
	"arbiter/lang/words"
)

// This file runs the statements of tests and players that are about a story: where it starts, what is chosen, what is
// expected.

// scenesHint is the hint for a scene that does not exist: one with a similar name, or all of them.
func (p *player) scenesHint(name string) string {
	var all []string
	for i := range p.story.Scenes {
		all = append(all, p.story.Scenes[i].Path)
	}
	if near := words.Nearest(name, all); near != "" {
		return "did you mean `" + near + "`?"
	}
	return "the scenes are " + strings.Join(all, ", ")
}

// storyDirective runs `start` and `take`.
func (p *player) storyDirective(n *ast.Directive) {
	if p.story == nil {
		p.halt(n.Span, "misplaced", "this is not an adventure")
		p.addHint("adventures are run by `arbiter run` and `arbiter play`; tests of one start with: tests \"TITLE\" of \"FILE.adventure\"")
		return
	}
	if n.Word.Name == "start" {
		scene := int32(0)
		if n.Scene != nil {
			if scene = p.story.Scene(link.PathText(n.Scene)); scene < 0 {
				p.halt(n.Scene.Span, "unknown-scene", "there is no scene %s", link.PathText(n.Scene))
				p.addHint(p.scenesHint(link.PathText(n.Scene)))
				return
			}
		}
		p.removeStrangers()
		p.start(scene)
		return
	}
	if p.ensureBegun(); p.stopped {
		return
	}
	switch p.phase() {
	case fighting:
		p.halt(n.Span, "misplaced", "there is a fight to finish first")
		p.addHint("`fight on` plays it by tactics")
		return
	case finished:
		p.halt(n.Span, "misplaced", "the story has ended")
		p.addHint("`start` starts it again, with everything as it is now")
		return
	}
	c := &p.story.Choices[p.currentOp().A]
	wanted := ""
	if n.Text != nil {
		wanted = n.Text.Value
	} else if x, ok := n.Value.(*ast.Number); ok {
		wanted = strconv.FormatInt(x.Value, 10)
	}
	way, why := p.findChoice(c, p.openChoices(c), wanted)
	if why != "" {
		p.halt(n.Span, "no-way", "%s", why)
		return
	}
	p.takeChoice(way)
}

// fightWords begin the statements that are only possible in a story during a fight.
var fightWords = []string{"begin", "next", "fight", "place", "ground", "side", "map"}

// needsFight reports whether a clause is only possible during a fight.
func needsFight(cl ast.Clause) bool {
	switch n := cl.(type) {
	case *ast.Side, *ast.Map:
		return true
	case *ast.Directive:
		return slices.Contains(fightWords, n.Word.Name)
	}
	return false
}

// ensureBegun begins the story if it has not begun.
func (p *player) ensureBegun() {
	if p.phase() == notStarted {
		p.start(0)
	}
}

// expectStory checks an expectation about a story.
func (p *player) expectStory(n *ast.Expect) {
	if p.story == nil {
		p.halt(n.Span, "misplaced", "this is not an adventure")
		return
	}
	if p.ensureBegun(); p.stopped || p.o.Unchecked {
		return
	}
	switch n.Story.Name {
	case "told":
		told, _ := p.narrator.output.Read(p.story.latestStart, p.narrator.output.Len())
		latest := string(told)
		for i := range n.Texts {
			if !strings.Contains(oneLine(latest), oneLine(n.Texts[i].Value)) {
				p.fail(n.Texts[i].Span, "expectation", "this was not told")
				p.addHint("what was told:\n" + strings.TrimSpace(latest))
			}
		}
	case "offered", "withheld":
		if p.phase() != choosing {
			p.fail(n.Span, "expectation", "there is nothing to choose here: %s", p.describePosition())
			return
		}
		c := &p.story.Choices[p.currentOp().A]
		open := p.openChoices(c)
		labels := p.choiceLabels(c, open)
		for i := range n.Texts {
			_, why := matching(labels, open, n.Texts[i].Value)
			if offered := why == ""; offered != (n.Story.Name == "offered") {
				p.fail(n.Texts[i].Span, "expectation", "%q is %s", n.Texts[i].Value, map[bool]string{true: "offered", false: "not offered"}[offered])
				p.addHint("the choices are: " + strings.Join(labels, ", "))
			}
		}
	case "at":
		want := link.PathText(n.Scene)
		if have := p.scene().Path; p.phase() == finished || have != want {
			p.fail(n.Span, "expectation", "the story is not at %s: %s", want, p.describePosition())
		}
	case "finished":
		ending, over := p.ending()
		if !over || n.Ending != nil && ending != n.Ending.Name {
			p.fail(n.Span, "expectation", "it did not finish like that: %s", p.describePosition())
		}
	}
}

// describePosition describes the current position of the story and what it waits for.
func (p *player) describePosition() string {
	switch p.phase() {
	case finished:
		if ending, _ := p.ending(); ending != "" {
			return "it has finished as " + ending
		}
		return "it has finished"
	case fighting:
		return "there is a fight at " + p.scene().Path
	}
	return "it is at " + p.scene().Path
}

// oneLine joins lines, so that line breaks make no difference.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
