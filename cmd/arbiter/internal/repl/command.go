package repl

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"arbiter/cmd/arbiter/internal/term"
	"arbiter/interp/session"
	"arbiter/lang/format"
	"arbiter/lang/words"
)

// This file is the commands behind a colon, and the questions behind a question mark.

//go:embed help.txt
var introduction string

// command is one of them.
type command struct {
	name, form, about string
	run               func(t *table, arg string) error
}

// commands in the order in which :help lists them.
var commands []command

func init() {
	commands = []command{
		{"help", ":help [TOPIC]", "this list; or what the rules say of TOPIC, as ?TOPIC does", (*table).help},
		{"undo", ":undo [N | roll | turn]", "takes back the last command, N of them, the last roll or answer, or all of this turn", (*table).undo},
		{"redo", ":redo [N]", "does again what was taken back", (*table).redo},
		{"mark", ":mark NAME", "calls this moment NAME, to come back to", (*table).mark},
		{"marks", ":marks", "the moments that have a name", (*table).listMarks},
		{"back", ":back to NAME", "goes back to a moment, or forth to one that was taken back", (*table).backTo},
		{"look", ":look", "where a story is: what was told last, and what can be chosen", (*table).look},
		{"override", ":override [ROLL] FACE | success | failure", "the last roll, or the last of that name, shows something else: the command is done again with it", (*table).override},
		{"dice", ":dice ask | seed | N N ...", "who throws: you are asked for each die, the seed, or these fall next", (*table).dice},
		{"auto", ":auto [SIDE ... | off]", "lets tactics play these sides", (*table).autoPlay},
		{"status", ":status", "everybody: what is left of them", (*table).status},
		{"who", ":who NAME", "everything of somebody", (*table).who},
		{"order", ":order", "the order of the turns", (*table).order},
		{"map", ":map [reach NAME | threat NAME]", "the map, and where somebody can go or strikes", (*table).chart},
		{"explain", ":explain EXPRESSION | ROLL#N", "why a number is what it is, or a throw came out as it did", (*table).explain},
		{"why", ":why not COMMAND", "why somebody may not do something", (*table).why},
		{"log", ":log [N]", "the last lines again", (*table).showLog},
		{"note", ":note TEXT", "a line of your own in the transcript", (*table).note},
		{"replay", ":replay", "what has been done, command by command", (*table).replay},
		{"save", ":save as FILE.encounter | :save as test FILE.tests", "writes a script that comes out the same", (*table).save},
		{"keep", ":keep [FILE | off]", "when the session cannot be kept: in its file again, in a new one, or not", (*table).keep},
		{"quit", ":quit", "leaves; Ctrl-D as well", func(t *table, _ string) error { t.left = true; return nil }},
	}
}

// command carries out what stands behind a colon.
func (t *table) command(text string) error {
	name, arg, _ := strings.Cut(text, " ")
	i := slices.IndexFunc(commands, func(c command) bool { return c.name == name })
	if i < 0 {
		var names, begun []string
		for _, c := range commands {
			names = append(names, c.name)
			if name != "" && strings.HasPrefix(c.name, name) {
				begun = append(begun, c.name)
			}
		}
		switch near := words.Nearest(name, names); {
		case len(begun) == 1:
			return t.command(begun[0] + " " + arg)
		case near != "":
			t.say("There is no :%s; did you mean :%s?", name, near)
		default:
			t.say("There is no :%s; `:help` lists what there is.", name)
		}
		return nil
	}
	return commands[i].run(t, strings.TrimSpace(arg))
}

// wrong says how a command is used.
func (t *table) wrong(name string) error {
	for _, c := range commands {
		if c.name == name {
			t.say("The form is %s: %s.", c.form, c.about)
		}
	}
	return nil
}

func (t *table) help(arg string) error {
	if arg != "" {
		for _, c := range commands {
			if c.name == strings.TrimPrefix(arg, ":") {
				t.say("%s: %s.", c.form, c.about)
				return nil
			}
		}
		if text, known := t.topic(arg); known {
			t.show(text)
			return nil
		}
		t.question(arg)
		return nil
	}
	var b strings.Builder
	b.WriteString(introduction)
	for _, c := range commands {
		if len(c.form) <= 30 {
			fmt.Fprintf(&b, "  %-31s %s\n", c.form, c.about)
		} else {
			fmt.Fprintf(&b, "  %s\n  %-31s %s\n", c.form, "", c.about)
		}
	}
	t.show(b.String())
	return nil
}

// topic is what there is to say of somebody, or what the rules say of something.
func (t *table) topic(text string) (string, bool) {
	if t.Board.Who != nil {
		if page, known := t.Board.Who(text); known {
			return page, true
		}
	}
	return t.Help(text)
}

// question answers ?TEXT: a command, a name of the rules or of somebody, a number, or a topic.
func (t *table) question(text string) {
	if text == "" {
		t.help("")
		return
	}
	if !strings.ContainsAny(text, " .#:") {
		if page, known := t.topic(text); known {
			t.show(page)
			return
		}
	}
	x, diags := t.Live.Inquire(text)
	if len(diags) == 0 {
		t.inquiry(x)
		return
	}
	why, more, err := t.Live.Explain(text)
	if err == nil && len(more) == 0 {
		t.explained(why)
		return
	}
	if !t.Live.Begins(text) {
		if page, known := t.Help(text); known {
			t.show(page)
			return
		}
	}
	switch {
	case err != nil:
		t.say("%s", err)
	case strings.Contains(strings.Fields(text)[0], "."): // a number of somebody
		t.show(t.failed(more))
	default:
		t.show(t.failed(diags))
	}
}

func (t *table) inquiry(x *session.Inquiry) {
	if t.JSON != nil {
		t.encode(x)
		return
	}
	var b strings.Builder
	b.WriteString(t.Bold(x.Command) + "\n")
	if x.Legal {
		b.WriteString("  allowed")
	} else {
		fmt.Fprintf(&b, "  not allowed: %s", x.Why)
		if x.Where != "" {
			fmt.Fprintf(&b, "  %s", x.Where)
		}
	}
	b.WriteString("\n")
	if len(x.Costs) > 0 {
		fmt.Fprintf(&b, "  costs %s\n", strings.Join(x.Costs, ", or "))
	}
	if len(x.Is) > 0 {
		fmt.Fprintf(&b, "  %s\n", strings.Join(x.Is, ", "))
	}
	if len(x.Stirs) > 0 {
		fmt.Fprintf(&b, "  may be answered: %s\n", strings.Join(x.Stirs, ", "))
	}
	for _, o := range x.Odds {
		made := ""
		if o.Made < 0.9999 {
			made = fmt.Sprintf(", thrown in %s", percent(o.Made))
		}
		fmt.Fprintf(&b, "  %-32s succeeds in %s%s\n", o.Roll, percent(o.Success), made)
	}
	for _, m := range x.Means {
		if m.Name == "" {
			fmt.Fprintf(&b, "  %-32s falls in %s\n", m.Who, percent(m.Mean))
		} else {
			fmt.Fprintf(&b, "  %-32s %.0f -> %.1f on the average\n", m.Who+" "+m.Name, m.Now, m.Mean)
		}
	}
	if x.Many {
		b.WriteString("  too much can come of it to count it out\n")
	}
	t.show(b.String())
}

func percent(v float64) string { return term.Percent(v, 1) }

func (t *table) explain(arg string) error {
	if arg == "" {
		return t.wrong("explain")
	}
	x, diags, err := t.Live.Explain(arg)
	switch {
	case err != nil:
		t.say("%s", err)
	case len(diags) > 0:
		t.show(t.failed(diags))
	default:
		t.explained(x)
	}
	return nil
}

func (t *table) explained(x *session.Explanation) {
	if t.JSON != nil {
		t.encode(x)
		return
	}
	t.show(x.Text())
}

func (t *table) why(arg string) error {
	rest, ok := strings.CutPrefix(arg, "not ")
	if !ok {
		return t.wrong("why")
	}
	x, diags := t.Live.Inquire(rest)
	if len(diags) > 0 {
		t.show(t.failed(diags))
		return nil
	}
	t.inquiry(x)
	return nil
}

func (t *table) undo(arg string) error {
	n := 1
	switch arg {
	case "":
	case "roll":
		if len(t.Live.Done()) == 0 {
			t.say("There is nothing to take back.")
			return nil
		}
		t.say("Taken back to the last roll or answer.")
		d, err := t.Live.Undo()
		if err != nil {
			return err
		}
		t.turns = d.Text == byTactics
		defer func() { t.turns = false }()
		return t.do(t.Live.Retry)
	case "turn":
		whose := t.Live.Turn()
		if whose == "" && t.Live.Story() { // between fights a choice is what a turn is in one
			break
		}
		for n = 0; len(t.Live.Done()) > 0 && t.Live.Turn() == whose; n++ {
			if err := t.back(); err != nil {
				return err
			}
		}
		if n == 0 {
			t.say("There is nothing to take back.")
		}
		t.lookAgain()
		return nil
	default:
		v, err := strconv.Atoi(arg)
		if err != nil || v < 1 {
			return t.wrong("undo")
		}
		n = v
	}
	if len(t.Live.Done()) == 0 {
		t.say("There is nothing to take back.")
		return nil
	}
	for ; n > 0 && len(t.Live.Done()) > 0; n-- {
		if err := t.back(); err != nil {
			return err
		}
	}
	t.lookAgain()
	return nil
}

// lookAgain shows where a story has been led back to.
func (t *table) lookAgain() {
	if t.Live.Story() && t.Live.Turn() == "" {
		t.show(t.Live.Here())
	}
}

// look shows where a story is.
func (t *table) look(string) error {
	switch {
	case !t.Live.Story():
		t.say("No story is told here; `:status` shows everybody.")
	case t.JSON != nil:
		t.encode(t.Live.View())
	default:
		t.show(t.Live.Here())
		if t.Live.Turn() != "" {
			return t.chart("")
		}
	}
	return nil
}

// back takes one command back; what tactics did after it, too, or they would do it again at once.
func (t *table) back() error {
	for {
		d, err := t.Live.Undo()
		if err != nil || d == nil {
			return err
		}
		t.unkept = nil
		t.say("Taken back: %s", oneLine(d.Text))
		if t.JSON != nil {
			t.events(noReply)
		}
		if !t.somePlayed() && !t.inStory() || d.Text != byTactics || len(t.Live.Done()) == 0 {
			return nil
		}
	}
}

// inStory tells whether tactics play whomever a story leads to.
func (t *table) inStory() bool { return t.Live.Story() && !t.byUs }

// forth does one command again, and what tactics did after it.
func (t *table) forth() error {
	for {
		out, err := t.Live.Redo()
		if err != nil {
			return err
		}
		if err := t.reply(out); err != nil {
			return err
		}
		if u := t.Live.Undone(); !t.somePlayed() && !t.inStory() || len(u) == 0 || u[len(u)-1].Text != byTactics {
			return nil
		}
	}
}

func (t *table) redo(arg string) error {
	n := 1
	if arg != "" {
		v, err := strconv.Atoi(arg)
		if err != nil || v < 1 {
			return t.wrong("redo")
		}
		n = v
	}
	if len(t.Live.Undone()) == 0 {
		t.say("Nothing has been taken back.")
	}
	for ; n > 0 && len(t.Live.Undone()) > 0; n-- {
		if err := t.forth(); err != nil {
			return err
		}
	}
	return nil
}

// override has the last command done again with another face.
func (t *table) override(arg string) error {
	words := strings.Fields(arg)
	if len(words) == 0 {
		return t.wrong("override")
	}
	name, last := strings.Join(words[:len(words)-1], " "), words[len(words)-1]
	v := session.Verdict{Success: last == "success"}
	if face, err := strconv.ParseInt(last, 10, 64); err == nil && face > 0 {
		v.Face = face
	} else if last != "success" && last != "failure" {
		return t.wrong("override")
	}
	x, out, err := t.Live.Overrule(name, v)
	if unkept := (*session.Unkept)(nil); errors.As(err, &unkept) {
		return err
	}
	if err != nil {
		t.say("No: %s.", err)
		return nil
	}
	t.say("%s shows %d instead of %d.", x.Roll, x.Now, x.From)
	return t.reply(out)
}

// oneLine shows a block as its first line.
func oneLine(text string) string {
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		first += " ..."
	}
	return first
}

func (t *table) dice(arg string) error {
	switch arg {
	case "":
		switch {
		case len(t.faces) > 0:
			t.say("The next dice show %s.", strings.Trim(fmt.Sprint(t.faces), "[]"))
		case t.byHand:
			t.say("You are asked for every die.")
		default:
			t.say("The dice fall by the seed.")
		}
	case "ask":
		return t.change(func() { t.byHand = true }, "You are asked for every die; nothing but the enter key takes what the seed says.")
	case "seed":
		return t.change(func() { t.byHand, t.faces = false, nil }, "The dice fall by the seed.")
	default:
		var faces []int64
		for _, w := range strings.FieldsFunc(arg, func(r rune) bool { return r == ' ' || r == ',' }) {
			n, err := strconv.ParseInt(w, 10, 64)
			if err != nil || n < 1 {
				return t.wrong("dice")
			}
			faces = append(faces, n)
		}
		faces = slices.Concat(t.faces, faces)
		return t.change(func() { t.faces = faces }, fmt.Sprintf("The next dice show %s.", strings.Trim(fmt.Sprint(faces), "[]")))
	}
	return nil
}

func (t *table) autoPlay(arg string) error {
	sides := t.Live.Sides()
	switch arg {
	case "":
		var on []string
		for _, s := range sides {
			if t.played(s) {
				on = append(on, s)
			}
		}
		if len(on) == 0 {
			t.say("Nobody is played by tactics; the sides are %s.", strings.Join(sides, ", "))
		} else {
			t.say("Played by tactics: %s.", strings.Join(on, ", "))
		}
		return nil
	case "off":
		return t.change(func() { t.auto, t.byUs = map[string]bool{}, t.Live.Story() }, "Nobody is played by tactics.")
	}
	auto := maps.Clone(t.auto)
	for _, s := range strings.Fields(arg) {
		if !slices.Contains(sides, s) {
			t.say("There is no side %s; there are: %s.", s, strings.Join(sides, ", "))
			return nil
		}
		auto[s] = true
	}
	return t.change(func() { t.auto, t.byUs = auto, false }, fmt.Sprintf("Played by tactics: %s.", arg))
}

// shown prints what the board says, if there is one.
func (t *table) shown(view func() string) error {
	if t.JSON != nil {
		t.encode(t.Live.View())
		return nil
	}
	if view == nil {
		t.say("There is nothing to show.")
		return nil
	}
	t.show(view())
	return nil
}

func (t *table) status(string) error { return t.shown(t.Board.Status) }
func (t *table) order(string) error  { return t.shown(t.Board.Order) }

func (t *table) who(arg string) error {
	if arg == "" {
		arg = t.Live.Turn()
	}
	if arg == "" || t.Board.Who == nil {
		return t.wrong("who")
	}
	if x := t.Live.Who(arg); x != nil && t.JSON != nil {
		t.encode(x)
		return nil
	}
	text, ok := t.Board.Who(arg)
	if !ok {
		t.say("Nobody is called %s.", arg)
		return nil
	}
	t.show(text)
	return nil
}

func (t *table) chart(arg string) error {
	mode, name, _ := strings.Cut(arg, " ")
	if t.Board.Map == nil || mode != "" && mode != "reach" && mode != "threat" {
		return t.wrong("map")
	}
	if t.JSON != nil && mode == "" {
		t.encode(t.Live.View())
		return nil
	}
	text, err := t.Board.Map(mode, strings.TrimSpace(name))
	if err != nil {
		t.say("%s", err)
		return nil
	}
	t.show(text)
	return nil
}

func (t *table) showLog(arg string) error {
	n := 20
	if arg != "" {
		v, err := strconv.Atoi(arg)
		if err != nil || v < 1 {
			return t.wrong("log")
		}
		n = v
	}
	if t.JSON != nil {
		t.encode(struct {
			Kind  string         `json:"kind"` // log
			Lines []session.Told `json:"lines"`
		}{"log", t.Live.Log(n)})
		return nil
	}
	if t.Board.Log == nil {
		return t.wrong("log")
	}
	t.show(t.Board.Log(n))
	return nil
}

func (t *table) note(arg string) error {
	if arg == "" {
		return t.wrong("note")
	}
	return t.reply(t.Live.Do("note " + format.Quoted(strings.ReplaceAll(arg, "{", "{{"))))
}

func (t *table) replay(string) error {
	if len(t.Live.Done()) == 0 {
		t.say("Nothing has been done yet.")
		return nil
	}
	if t.JSON != nil {
		said := []string{}
		for _, d := range t.Live.Done() {
			said = append(said, strings.TrimSpace(d.Said))
		}
		t.encode(struct {
			Kind     string   `json:"kind"` // replay
			Commands []string `json:"commands"`
		}{"replay", said})
		return nil
	}
	var b strings.Builder
	for i, d := range t.Live.Done() {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, strings.ReplaceAll(strings.TrimSpace(d.Said), "\n", "\n      "))
	}
	t.show(b.String())
	return nil
}

func (t *table) save(arg string) error {
	arg, ok := strings.CutPrefix(arg, "as ")
	path, test := strings.CutPrefix(strings.TrimSpace(arg), "test ")
	path = strings.TrimSpace(path)
	if !ok || path == "" || t.Save == nil {
		return t.wrong("save")
	}
	if t.Live.Story() && !test {
		t.say("What was played of a story is saved as a test: `:save as test FILE.tests`.")
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
	switch {
	case t.Live.Story():
		text = t.Live.Plan("as it was played", path)
	case test:
		text = t.Live.Test("as it was played")
	default:
		text = t.Live.Encounter()
	}
	warning, err := t.Save(path, text)
	if err != nil {
		t.say("%s", err)
		return nil
	}
	t.say("Written to %s.", path)
	if warning != "" {
		t.say("%s", warning)
	}
	return nil
}

// complete completes commands of both kinds, and questions.
func (t *table) complete(text string, at int) (int, []session.Candidate) {
	before := text[:min(at, len(text))]
	switch {
	case strings.HasPrefix(before, ":why not "):
		return shifted(t.Live, text, len(":why not "), at)
	case strings.HasPrefix(before, ":explain "):
		return shifted(t.Live, text, len(":explain "), at)
	case strings.HasPrefix(before, ":"):
		return t.completeCommand(before)
	case strings.HasPrefix(before, "?"):
		return shifted(t.Live, text, 1, at)
	}
	return t.Live.Complete(text, at)
}

// shifted completes a text behind so many bytes.
func shifted(l *session.Live, text string, by, at int) (int, []session.Candidate) {
	from, list := l.Complete(text[by:], at-by)
	return from + by, list
}

func (t *table) completeCommand(before string) (int, []session.Candidate) {
	from := strings.LastIndexAny(before, " :") + 1
	part := before[from:]
	var list []session.Candidate
	add := func(text, about string) {
		if strings.HasPrefix(text, part) {
			list = append(list, session.Candidate{Text: text, About: about})
		}
	}
	files := func() {
		if t.Files != nil {
			for _, f := range t.Files(part) {
				add(f, "")
			}
		}
	}
	name, _, inside := strings.Cut(before[1:], " ")
	switch {
	case !inside:
		for _, c := range commands {
			add(c.name, c.about)
		}
	case name == "auto":
		for _, s := range t.Live.Sides() {
			add(s, "")
		}
		add("off", "")
	case name == "dice":
		add("ask", "")
		add("seed", "")
	case name == "override":
		add("success", "the lowest face that makes one")
		add("failure", "the highest face that makes one")
	case name == "undo":
		add("roll", "the last roll or answer")
		add("turn", "all of this turn")
	case name == "who":
		for _, n := range t.Live.Names() {
			add(n, "")
		}
	case name == "map":
		if strings.Count(before, " ") > 1 {
			for _, n := range t.Live.Names() {
				add(n, "")
			}
		} else {
			add("reach", "where somebody can go")
			add("threat", "where somebody strikes")
		}
	case name == "save" && strings.Count(before, " ") == 1:
		add("as", "")
	case name == "save":
		if strings.Count(before, " ") == 2 {
			add("test", "what was played as a test")
		}
		files()
	case name == "back" && strings.Count(before, " ") == 1:
		add("to", "")
	case name == "back":
		from = len(":back to ")
		part = before[min(from, len(before)):]
		for _, m := range t.marks {
			add(m.name, "")
		}
	case name == "keep":
		add("off", "keeps nothing more")
		files()
	case name == "help":
		for _, c := range commands {
			add(c.name, c.about)
		}
		at, more := t.Live.Complete(before[len(":help "):], len(before)-len(":help "))
		if at == from-len(":help ") {
			list = append(list, more...)
		}
	}
	return from, list
}
