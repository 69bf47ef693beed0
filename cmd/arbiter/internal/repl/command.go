package repl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"arbiter/interp/session"
	"arbiter/interp/view"
	"arbiter/lang/format"
	"arbiter/lang/words"
)

// This file is the commands that start with a colon.

// command is one of them.
type command struct {
	name, usage, about string
	run                func(t *repl, arg string) error
	anytime            bool // also while a die or a choice is asked for: it does not change the fight
}

// commands in the order in which :help lists them.
var commands []command

func init() {
	commands = []command{
		{"help", ":help [TOPIC]", "this list; or what the rules say about TOPIC, like ?TOPIC", (*repl).showHelp, true},
		{"undo", ":undo [N | roll | turn]", "undo the last command, the last N, the last roll or answer, or this whole turn", (*repl).undo, false},
		{"redo", ":redo [N]", "do again what was undone", (*repl).redo, false},
		{"mark", ":mark NAME", "mark this moment as NAME", (*repl).addMark, false},
		{"marks", ":marks", "list the marks", (*repl).listMarks, true},
		{"back", ":back to NAME", "go back to a mark, or ahead to one that was undone", (*repl).backToMark, false},
		{"look", ":look", "show the last text of a story and its choices again", (*repl).showPlace, true},
		{"override", ":override [ROLL] FACE | success | failure", "change the last roll, or the last of that name, and replay the command with it", (*repl).override, false},
		{"dice", ":dice ask | seed | N N ...", "who rolls: you are asked for each die, the seed does, or these come next", (*repl).dice, true},
		{"auto", ":auto [SIDE ... | off]", "let tactics play these sides", (*repl).autoPlay, true},
		{"status", ":status", "the state of every combatant, what they carry, and what the game keeps", (*repl).showStatus, true},
		{"inventory", ":inventory [NAME]", "what everybody carries, or one creature", (*repl).showInventory, true},
		{"story", ":story", "what the game or its story keeps in mind, and where the story is", (*repl).showStory, true},
		{"who", ":who NAME", "everything about one creature", (*repl).showWho, true},
		{"can", ":can [NAME]", "what a creature can do now, and to whom", (*repl).showPossible, false},
		{"advise", ":advise [N]", "what is best for the one whose turn it is, by playing on N times with what it can do", (*repl).advise, false},
		{"order", ":order", "the turn order", (*repl).showOrder, true},
		{"map", ":map [reach NAME | threat NAME]", "the map, and where a creature can go or threatens", (*repl).showMap, true},
		{"explain", ":explain EXPRESSION | ROLL#N [depth N | depth all]", "why a number or a roll is what it is, and the numbers below it", (*repl).explain, true},
		{"why", ":why not COMMAND", "why an action is not allowed", (*repl).explainRefusal, false},
		{"break", ":break [PLACE [when C] [count N] | off [N]]", "stop there, in a debugger, whenever a command comes by; or list where", (*repl).setBreakpoint, false},
		{"step", ":step", "go through the last command again, line by line, in a debugger", (*repl).stepThrough, false},
		{"rewind", ":rewind", "go back, in a debugger, to the last breakpoint, or to the beginning of the game", (*repl).rewind, false},
		{"log", ":log [N]", "repeat the last lines", (*repl).showLog, true},
		{"with", ":with NAME", "add a ruleset, or a file of house rules, to the game", (*repl).addRuleset, false},
		{"note", ":note TEXT", "add a line of your own to the transcript", (*repl).addNote, false},
		{"replay", ":replay [FILE.html]", "list the commands so far, or write the game as a page to watch step by step", (*repl).replay, true},
		{"save", ":save as FILE.encounter | :save as test FILE.tests", "write a script that replays this game", (*repl).saveScript, true},
		{"keep", ":keep [FILE | off]", "save the session: in its file again, in a new one, or not at all", (*repl).saveTo, false},
		{"quit", ":quit", "leave; so does Ctrl-D", func(t *repl, _ string) error { t.quit = true; return nil }, true},
	}
}

// lacksColon reports whether a line is a command of the prompt without its colon: neither the language nor the rules
// have such a word. A command that needs nothing else, such as map, is no statement by itself.
func (t *repl) lacksColon(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == word })
	if i < 0 || t.isProcedure(word) {
		return false
	}
	needsMore := commands[i].usage != ":"+word && !strings.HasPrefix(commands[i].usage, ":"+word+" [")
	return !t.isStatement(word) || text == word && !needsMore
}

// runColonCommand runs what follows a colon.
func (t *repl) runColonCommand(text string) error {
	name, arg, _ := strings.Cut(text, " ")
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		t.mistakes++
		var names, matches []string
		for _, c := range commands {
			names = append(names, c.name)
			if name != "" && strings.HasPrefix(c.name, name) {
				matches = append(matches, c.name)
			}
		}
		switch near := words.Nearest(name, names); {
		case len(matches) == 1:
			t.mistakes--
			return t.runColonCommand(matches[0] + " " + arg)
		case t.foreignHint(text) != "":
			t.showLine("There is no :%s; %s", name, t.foreignHint(text))
		case near != "":
			t.showLine("There is no :%s; did you mean :%s?", name, near)
		case t.isStatement(name):
			t.showLine("There is no :%s; did you mean `%s`, without the colon?", name, name)
		default:
			t.showLine("There is no :%s; `:help` lists the commands.", name)
		}
		return nil
	}
	return commands[i].run(t, strings.TrimSpace(arg))
}

// showUsage says how a command is used.
func (t *repl) showUsage(name string) error {
	t.mistakes++
	for _, c := range commands {
		if c.name == name {
			t.showLine("Usage: %s: %s.", c.usage, c.about)
		}
	}
	return nil
}

func (t *repl) showHelp(arg string) error {
	if arg != "" {
		for _, c := range commands {
			if c.name == strings.TrimPrefix(arg, ":") {
				t.showLine("%s: %s.", c.usage, c.about)
				return nil
			}
		}
		if text, known := t.topicText(arg); known {
			t.page(text)
			return nil
		}
		t.answerQuestion(arg)
		return nil
	}
	columns := usualScreen
	if t.Columns != nil && t.Columns() > 0 {
		columns = t.Columns()
	}
	t.page(helpText(columns))
	return nil
}

// topicText is the page of a creature, or what the rules say about something.
func (t *repl) topicText(text string) (string, bool) {
	if t.Board.Who != nil {
		if page, known := t.Board.Who(text); known {
			return page, true
		}
	}
	return t.Help(text)
}

// override redoes the last command with another face or outcome.
func (t *repl) override(arg string) error {
	words := strings.Fields(arg)
	if len(words) == 0 {
		return t.showUsage("override")
	}
	name, last := strings.Join(words[:len(words)-1], " "), words[len(words)-1]
	v := session.Verdict{Success: last == "success"}
	if face, err := strconv.ParseInt(last, 10, 64); err == nil && face > 0 {
		v.Face = face
	} else if last != "success" && last != "failure" {
		return t.showUsage("override")
	}
	x, out, err := t.Live.Overrule(name, v)
	if unsaved := (*session.UnsavedError)(nil); errors.As(err, &unsaved) {
		return err
	}
	if err != nil {
		t.showLine("Refused: %s.", err)
		return nil
	}
	t.showLine("%s is now %d instead of %d.", x.Roll, x.Now, x.From)
	return t.showReply(out)
}

// oneLine shortens a block to its first line.
func oneLine(text string) string {
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		first += " ..."
	}
	return first
}

func (t *repl) dice(arg string) error {
	switch arg {
	case "":
		switch {
		case len(t.nextFaces) > 0:
			t.showLine("The next dice show %s.", strings.Trim(fmt.Sprint(t.nextFaces), "[]"))
		case t.diceByHand:
			t.showLine("You are asked for every die.")
		default:
			t.showLine("The dice are rolled by the seed.")
		}
	case "ask":
		return t.changeSettings(func() { t.diceByHand = true }, "You are asked for every die; Enter takes the roll of the seed.")
	case "seed":
		return t.changeSettings(func() { t.diceByHand, t.nextFaces = false, nil }, "The dice are rolled by the seed.")
	default:
		var faces []int64
		for _, w := range strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == ',' }) {
			n, err := strconv.ParseInt(w, 10, 64)
			if err != nil || n < 1 {
				return t.showUsage("dice")
			}
			faces = append(faces, n)
		}
		faces = slices.Concat(t.nextFaces, faces)
		return t.changeSettings(func() { t.nextFaces = faces }, fmt.Sprintf("The next dice show %s.", strings.Trim(fmt.Sprint(faces), "[]")))
	}
	return nil
}

func (t *repl) autoPlay(arg string) error {
	sides := t.Live.Sides()
	switch arg {
	case "":
		var on []string
		for _, s := range sides {
			if t.isAutoPlayed(s) {
				on = append(on, s)
			}
		}
		if len(on) == 0 {
			t.showLine("No side is played by tactics; the sides are %s.", strings.Join(sides, ", "))
		} else {
			t.showLine("Played by tactics: %s.", strings.Join(on, ", "))
		}
		return nil
	case "off":
		return t.changeSettings(func() { t.autoSides, t.playsFoes = map[string]bool{}, t.Live.Story() }, "No side is played by tactics.")
	}
	auto := maps.Clone(t.autoSides)
	named := strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == ',' })
	for _, s := range named {
		if !slices.Contains(sides, s) {
			t.showLine("There is no side %s; the sides are %s.", s, strings.Join(sides, ", "))
			return nil
		}
		auto[s] = true
	}
	return t.changeSettings(func() { t.autoSides, t.playsFoes = auto, false }, fmt.Sprintf("Played by tactics: %s.", strings.Join(named, ", ")))
}

// showView prints a view of the board, if there is one.
func (t *repl) showView(view func() string) error {
	if t.JSON != nil {
		t.encode(t.Live.View())
		return nil
	}
	if view == nil {
		t.showLine("There is nothing to show.")
		return nil
	}
	t.page(view())
	return nil
}

func (t *repl) showStatus(string) error { return t.showView(t.Board.Status) }
func (t *repl) showOrder(string) error  { return t.showView(t.Board.Order) }

// showStory shows what the game keeps, and where its story is.
func (t *repl) showStory(string) error { return t.showView(t.Board.Kept) }

// showInventory shows what everybody carries, or one creature.
func (t *repl) showInventory(arg string) error {
	name := t.creatureNamed(arg)
	switch {
	case arg != "" && name == "":
		t.mistakes++
		t.showLine("There is no creature %s; %s", arg, t.nameHint(arg))
		return nil
	case t.Board.Inventory == nil:
		return t.showView(nil)
	}
	return t.showView(func() string { return t.Board.Inventory(name) })
}

// addRuleset adds a ruleset to the game.
func (t *repl) addRuleset(arg string) error {
	if arg == "" || strings.Contains(arg, " ") {
		return t.showUsage("with")
	}
	r := t.Live.AddRuleset(arg)
	if err := t.showReply(r); err != nil {
		return err
	}
	if changedAnything(r) {
		t.showLine("%s is in play.", arg)
	}
	return nil
}

func (t *repl) showWho(arg string) error {
	if arg == "" {
		arg = t.Live.Turn()
	}
	if arg == "" || t.Board.Who == nil {
		return t.showUsage("who")
	}
	if x := t.Live.Who(arg); x != nil && t.JSON != nil {
		t.encode(x)
		return nil
	}
	text, ok := t.Board.Who(cmp.Or(t.creatureNamed(arg), arg))
	if !ok {
		hint := t.nameHint(arg)
		if !strings.HasSuffix(hint, "?") {
			hint += "."
		}
		t.showLine("There is no creature %s; %s", arg, hint)
		return nil
	}
	t.page(text)
	return nil
}

func (t *repl) showMap(arg string) error {
	mode, name, _ := strings.Cut(arg, " ")
	if t.Board.Map == nil || mode != "" && mode != "reach" && mode != "threat" {
		return t.showUsage("map")
	}
	if t.JSON != nil && mode == "" {
		t.encode(t.Live.View())
		return nil
	}
	name = strings.TrimSpace(name)
	text, err := t.Board.Map(mode, cmp.Or(t.creatureNamed(name), name))
	if err != nil {
		t.showLine("%s", err)
		return nil
	}
	t.show(text)
	return nil
}

func (t *repl) showLog(arg string) error {
	n := 20
	if arg != "" {
		v, err := strconv.Atoi(arg)
		if err != nil || v < 1 {
			return t.showUsage("log")
		}
		n = v
	}
	lines, err := t.Live.Log(n)
	if err != nil {
		return err
	}
	if t.JSON != nil {
		t.encode(struct {
			Kind  string      `json:"kind"` // log
			Lines []view.Line `json:"lines"`
		}{"log", lines})
		return nil
	}
	if t.Board.Log == nil {
		return t.showUsage("log")
	}
	t.page(t.Board.Log(lines))
	return nil
}

func (t *repl) addNote(arg string) error {
	if arg == "" {
		return t.showUsage("note")
	}
	return t.showReply(t.Live.Do("note " + format.Quoted(strings.ReplaceAll(arg, "{", "{{"))))
}

// replay lists the commands so far, or writes a page.
func (t *repl) replay(path string) error {
	switch {
	case path == "":
		return t.listCommands()
	case t.WriteReplay == nil:
		return t.showUsage("replay")
	case !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".htm"):
		path += ".html"
	}
	warning, err := t.WriteReplay(path)
	if err != nil {
		t.showLine("%s", err)
		return nil
	}
	t.showLine("Written to %s; open it in a browser.", path)
	if warning != "" {
		t.showLine("%s", warning)
	}
	return nil
}

func (t *repl) listCommands() error {
	sources := []string{}
	for n := range t.Live.Done() {
		d, err := t.Live.Command(n)
		if err != nil {
			return err
		}
		sources = append(sources, strings.TrimSpace(d.Source))
	}
	switch {
	case len(sources) == 0:
		t.showLine("Nothing has been done yet.")
		return nil
	case t.JSON != nil:
		t.encode(struct {
			Kind     string   `json:"kind"` // replay
			Commands []string `json:"commands"`
		}{"replay", sources})
		return nil
	}
	var b strings.Builder
	for i, text := range sources {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, strings.ReplaceAll(text, "\n", "\n      "))
	}
	t.page(b.String())
	return nil
}

func (t *repl) saveScript(arg string) error {
	path, test := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(arg, "as ")), "test ")
	path = strings.TrimSpace(path)
	if path == "" || path == "as" || path == "test" || t.SaveScript == nil {
		return t.showUsage("save")
	}
	test = test || strings.HasSuffix(path, ".tests")
	if t.Live.Story() && !test {
		t.showLine("A story is saved as a test: `:save as test FILE.tests`.")
		return nil
	}
	ending := ".encounter"
	if test {
		ending = ".tests"
	}
	if !strings.HasSuffix(path, ending) {
		path += ending
	}
	var text string
	var err error
	switch {
	case t.Live.Story():
		text, err = t.Live.Plan("as it was played", path)
	case test:
		text, err = t.Live.Test("as it was played")
	default:
		text, err = t.Live.Encounter()
	}
	if err != nil {
		return err
	}
	warning, err := t.SaveScript(path, text)
	if err != nil {
		t.showLine("%s", err)
		return nil
	}
	t.showLine("Written to %s.", path)
	if warning != "" {
		t.showLine("%s", warning)
	}
	return nil
}
