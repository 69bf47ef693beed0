package sweep

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// This file reads plans: which fights are played under which rules and with which values, and how many of each.
//
//	sweep "What flanking is worth"
//	encounters duel/*.encounter, ambush.encounter
//	with strong-flanking.rules, strong-flanking.rules + bloodied.rules
//	try attack-bonus.flanking = 0, 2, 4
//	fights 1m

// Plan is what a file of a plan says. Paths are relative to its folder and lead nowhere else.
type Plan struct {
	Title      string
	Encounters []Named    // files or patterns
	Base       []string   // house rules that apply throughout
	With       [][]string // each is one set of house rules that is compared with none
	Without    [][]string // each is one set of rulesets that is left out
	Tries      []*Sweep   // what is varied
	Figure     string     // that is shown, "" for the default
	Fights     uint64
	Until      float64 // 0: all fights are played
	Seed       uint64

	file, text string
}

// Named is a name with its place.
type Named struct {
	Name string
	Span ast.Span
}

// Limits of a plan.
const (
	// MaxPlanSize bounds the bytes of a plan.
	MaxPlanSize = 1 << 20
	// maxTries is how many things a plan varies.
	maxTries = 16
	// maxPlanFights is how many fights a plan plays of each encounter under each set of rules.
	maxPlanFights = 1_000_000_000_000
)

// planWords are the words with which lines of a plan begin, and what follows each.
var planWords = map[string]string{
	"sweep": `"TITLE"`, "encounters": "FILE, FILE...", "base": "FILE, FILE...", "with": "FILE, FILE + FILE...", "without": "NAME, NAME + NAME...",
	"try": "[option] NAME = VALUES", "figure": "FIGURE", "fights": "N", "until": "0.5%", "seed": "N",
}

// ParsePlan reads a plan. What it says about files and names is not looked up.
func ParsePlan(file, text string) (*Plan, diag.List) {
	p := &Plan{Fights: 1000, Seed: 1, file: file, text: text}
	if len(text) > MaxPlanSize {
		return nil, diag.List{{File: file, Severity: diag.Error, Code: "wrong-plan", Message: fmt.Sprintf("the plan is too large: the limit is %d bytes", MaxPlanSize)}}
	}
	var diags diag.List
	seen := map[string]bool{}
	offset := 0
	for n, line := range strings.Split(text, "\n") {
		l := planLine{p, n + 1, offset, strings.TrimRight(line, "\r")}
		offset += len(line) + 1
		word, at, rest := l.split()
		form, known := planWords[word]
		switch {
		case word == "":
			continue
		case len(seen) == 0 && word != "sweep":
			hint := "a plan begins with: sweep \"TITLE\"; `arbiter compare FILE --sweep 'NAME = VALUES'` tries values in one encounter"
			return nil, diag.List{l.wrong(at, at+len(word), "this is not a plan", hint)}
		case !known:
			hint := "a line begins with one of: sweep, encounters, base, with, without, try, figure, fights, until, seed"
			if near := words.Nearest(word, []string{"sweep", "encounters", "base", "with", "without", "try", "figure", "fights", "until", "seed"}); near != "" {
				hint = "did you mean `" + near + "`?"
			}
			diags = append(diags, l.wrong(at, at+len(word), "a plan has no line that begins with "+word, hint))
			continue
		case strings.TrimSpace(rest) == "":
			diags = append(diags, l.wrong(at, at+len(word), "something is missing after "+word, "the form is: "+word+" "+form))
			seen[word] = true
			continue
		case seen[word] && word != "encounters" && word != "base" && word != "with" && word != "without" && word != "try":
			diags = append(diags, l.wrong(at, at+len(word), "a plan says "+word+" once", ""))
			continue
		}
		seen[word] = true
		diags = append(diags, l.read(word, at+len(word), rest)...)
	}
	if len(diags) == 0 {
		end := planLine{p, 1, 0, ""}
		switch {
		case !seen["sweep"]:
			diags = append(diags, end.wrong(0, 1, "the plan is empty", `a plan begins with: sweep "TITLE"`))
		case !seen["encounters"]:
			diags = append(diags, end.wrong(0, 1, "the plan has no encounters", "say which fights are played: encounters FILE, FILE..."))
		}
	}
	if len(diags) > 0 {
		return nil, diags
	}
	return p, nil
}

// planLine is one line of a plan.
type planLine struct {
	plan   *Plan
	number int
	offset int // of its first byte
	text   string
}

// split returns the first word of a line, its offset, and what follows, without a comment.
func (l *planLine) split() (word string, at int, rest string) {
	quoted := false
	for i := range len(l.text) {
		switch l.text[i] {
		case '"':
			quoted = !quoted
		case '#':
			if !quoted {
				l.text = l.text[:i]
			}
		}
		if i >= len(l.text) {
			break
		}
	}
	trimmed := strings.TrimLeft(l.text, " \t")
	at = len(l.text) - len(trimmed)
	word = trimmed
	if i := strings.IndexAny(trimmed, " \t"); i >= 0 {
		word, rest = trimmed[:i], trimmed[i:]
	}
	return word, at, rest
}

func (l *planLine) span(from, to int) ast.Span {
	return ast.Span{
		Start: ast.Pos{Line: l.number, Column: from + 1, Offset: l.offset + from},
		End:   ast.Pos{Line: l.number, Column: to + 1, Offset: l.offset + to},
	}
}

func (l *planLine) wrong(from, to int, message, hint string) diag.Diagnostic {
	return diag.Diagnostic{File: l.plan.file, Span: l.span(from, max(to, from+1)), Severity: diag.Error, Code: "wrong-plan", Message: message, Hint: hint}
}

// read reads what follows the first word, which ends at an offset.
func (l *planLine) read(word string, from int, rest string) diag.List {
	p := l.plan
	text := strings.TrimSpace(rest)
	at := from + len(rest) - len(strings.TrimLeft(rest, " \t"))
	wrong := func(message, hint string) diag.List { return diag.List{l.wrong(at, at+len(text), message, hint)} }
	switch word {
	case "sweep":
		title, err := strconv.Unquote(text)
		if err != nil || title == "" {
			return wrong("a title is missing here", `the form is: sweep "TITLE"`)
		}
		p.Title = title
	case "encounters":
		for _, x := range l.list(from, len(l.text)) {
			if d := l.path(x); d != nil {
				return diag.List{*d}
			}
			p.Encounters = append(p.Encounters, x)
		}
	case "base":
		for _, x := range l.list(from, len(l.text)) {
			if d := l.path(x); d != nil {
				return diag.List{*d}
			}
			p.Base = append(p.Base, x.Name)
		}
	case "with", "without":
		for _, x := range l.list(from, len(l.text)) {
			var set []string
			for _, part := range strings.Split(x.Name, "+") {
				part = strings.TrimSpace(part)
				if d := l.path(Named{part, x.Span}); d != nil {
					return diag.List{*d}
				}
				set = append(set, part)
			}
			if word == "with" {
				p.With = append(p.With, set)
			} else {
				p.Without = append(p.Without, set)
			}
		}
	case "try":
		if len(p.Tries) == maxTries {
			return wrong(fmt.Sprintf("a plan varies at most %d things", maxTries), "")
		}
		s, diags := Parse(p.file, text)
		if len(diags) > 0 {
			return p.placeLine(diags, l.number, at)
		}
		for _, other := range p.Tries {
			if other.Name == s.Name {
				return wrong(s.Name+" is varied twice", "list all values in one line")
			}
		}
		s.line, s.column = l.number, at
		p.Tries = append(p.Tries, s)
	case "figure":
		p.Figure = text
	case "fights":
		n, ok := ParseCount(text)
		if !ok || n < 1 || n > maxPlanFights {
			return wrong(fmt.Sprintf("fights is %s: it must be from 1 to %d", text, uint64(maxPlanFights)), "such as 5000, 10k or 1m")
		}
		p.Fights = n
	case "until":
		v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err != nil || !(v > 0 && v < 50) {
			return wrong("until is "+text+": it must be between 0% and 50%", "")
		}
		p.Until = v / 100
	case "seed":
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return wrong("the seed is not a whole number, 0 or more", "")
		}
		p.Seed = n
	}
	return nil
}

// list splits a part of the line at its commas.
func (l *planLine) list(from, to int) (names []Named) {
	for _, x := range parts(l.text[:to], from) {
		name := strings.Trim(l.text[x.from:x.to], " \t")
		names = append(names, Named{name, l.span(x.from, x.to)})
	}
	return names
}

// path refuses what is no path inside the folder of the plan.
func (l *planLine) path(x Named) *diag.Diagnostic {
	from, to := x.Span.Start.Column-1, x.Span.End.Column-1
	message, hint := "", "name files in the folder of the plan and below, with forward slashes"
	switch {
	case x.Name == "":
		message, hint = "a name is missing here", ""
	case strings.ContainsAny(x.Name, "\\\x00:"):
		message = x.Name + " is not a path"
	case path.IsAbs(x.Name) || path.Clean(x.Name) == ".." || strings.HasPrefix(path.Clean(x.Name), "../"):
		message = x.Name + " leads out of the folder of the plan"
	default:
		return nil
	}
	d := l.wrong(from, to, message, hint)
	return &d
}

// ParseCount reads a large number, also written 10,000, 10_000, 10k, 1m or 1e6.
func ParseCount(text string) (uint64, bool) {
	digits, times := strings.NewReplacer(",", "", "_", "").Replace(strings.ToLower(text)), 1.0
	if rest, ok := strings.CutSuffix(digits, "k"); ok {
		digits, times = rest, 1e3
	} else if rest, ok := strings.CutSuffix(digits, "m"); ok {
		digits, times = rest, 1e6
	}
	if whole, err := strconv.ParseUint(digits, 10, 64); err == nil && times == 1 {
		return whole, true
	}
	v, err := strconv.ParseFloat(digits, 64)
	notDecimal := strings.ContainsAny(digits, "xpin") // hexadecimal, infinity, not a number
	if v *= times; err != nil || notDecimal || v < 0 || v > 1<<53 || v != math.Trunc(v) {
		return 0, false
	}
	return uint64(v), true
}

// placeLine moves diagnostics from the text of a sweep to the line of the plan that it is written in.
func (p *Plan) placeLine(diags diag.List, line, column int) diag.List {
	offset := 0
	for n, text := range strings.SplitAfter(p.text, "\n") {
		if n+1 == line {
			break
		}
		offset += len(text)
	}
	move := func(x *ast.Pos) { x.Line, x.Column, x.Offset = line, x.Column+column, offset+column+x.Offset }
	for i := range diags {
		if diags[i].File == p.file {
			move(&diags[i].Span.Start)
			move(&diags[i].Span.End)
		}
	}
	return diags
}

// Place moves diagnostics about what a plan tries from the text of a sweep to the lines of the plan. file is the name
// that the diagnostics give to the text of the kth sweep.
func (p *Plan) Place(diags diag.List, file func(k int) string) diag.List {
	for i := range diags {
		for k, s := range p.Tries {
			if diags[i].File == file(k) {
				diags[i].File = p.file
				p.placeLine(diags[i:i+1], s.line, s.column)
				break
			}
		}
	}
	return diags
}
