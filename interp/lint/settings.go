package lint

import (
	"maps"
	"strconv"
	"strings"

	"arbiter/lang/ast"
	"arbiter/lang/diag"
	"arbiter/lang/words"
)

// settingsFile is the name of the file that sets severities for the scripts of its folder and of the folders in it.
const settingsFile = ".arbiter-lint"

// Off switches a rule off.
const Off = "off"

// Settings are what one file of settings says, or several of them, outermost first. The zero value leaves everything as
// the catalogue has it.
type Settings struct {
	levels  map[string]diag.Severity // by code; "" is off
	numbers map[string]int           // by code: a limit of the rule
	Root    bool                     // the folders further out are not asked
}

// numbered are the rules with a number, and its default.
var numbered = map[string]int{codeLongLine: 120, codeDeepNesting: 4, codeLongBody: 60, codeRepeatedNumber: 4, codeRepeatedCondition: 3}

// parseSettings reads a file of settings: lines of a code and a severity (error, warning, note, off), or of a code and
// a number for the rules that have a limit; `root`; and comments. It returns what it understood, and what is wrong.
func parseSettings(path string, text []byte) (*Settings, diag.List) {
	s := &Settings{levels: map[string]diag.Severity{}, numbers: map[string]int{}}
	var diags diag.List
	offset := 0
	line := 0
	for raw := range strings.Lines(string(text)) {
		line++
		content, _, _ := strings.Cut(raw, "#")
		fields := strings.Fields(content)
		report := func(message, hint string) {
			start := ast.Pos{Line: line, Column: 1, Offset: offset}
			end := ast.Pos{Line: line, Column: 1 + len(strings.TrimRight(content, " \t\r\n")), Offset: offset + len(strings.TrimRight(content, " \t\r\n"))}
			diags = append(diags, diag.Diagnostic{File: path, Span: ast.Span{Start: start, End: end}, Severity: diag.Error, Code: "lint-settings", Message: message, Hint: hint})
		}
		switch {
		case len(fields) == 0:
		case len(fields) == 1 && fields[0] == "root":
			s.Root = true
		case len(fields) != 2:
			report("this line is not of the form `CODE SEVERITY`", "write: long-line off")
		default:
			s.set(fields[0], fields[1], report)
		}
		offset += len(raw)
	}
	return s, diags
}

func (s *Settings) set(code, value string, report func(message, hint string)) {
	rule := Find(code)
	if rule == nil {
		hint := "`arbiter lint --rules` lists them"
		if near := words.Nearest(code, codes()); near != "" {
			hint = "did you mean `" + near + "`?"
		}
		report("there is no rule "+code, hint)
		return
	}
	switch value {
	case string(diag.Error), string(diag.Warning), string(diag.Note):
		s.levels[code] = diag.Severity(value)
		return
	case Off:
		s.levels[code] = ""
		return
	}
	n, err := strconv.Atoi(value)
	if _, has := numbered[code]; err == nil && has && n > 0 && n < 10000 {
		s.numbers[code] = n
		return
	}
	hint := "write error, warning, note or off"
	if _, has := numbered[code]; has {
		hint += ", or a number from 1 to 9999"
	}
	report(code+" cannot be "+value, hint)
}

// under returns these settings with others on top, those of a folder further in.
func (s *Settings) under(inner *Settings) *Settings {
	out := &Settings{levels: map[string]diag.Severity{}, numbers: map[string]int{}}
	for _, x := range []*Settings{s, inner} {
		maps.Copy(out.levels, x.levels)
		maps.Copy(out.numbers, x.numbers)
	}
	return out
}

func (s *Settings) severity(r *Rule) diag.Severity {
	if level, set := s.levels[r.Code]; set {
		return level
	}
	return r.Severity
}

// Only returns settings that switch off all rules but some, which are warnings at least.
func Only(list ...string) *Settings {
	s := &Settings{levels: map[string]diag.Severity{}}
	for _, r := range Rules() {
		s.levels[r.Code] = ""
	}
	for _, code := range list {
		s.levels[code] = diag.Warning
		if r := Find(code); r != nil && r.Severity != "" {
			s.levels[code] = r.Severity
		}
	}
	return s
}

// number is the limit of the rule of a pass.
func (p *pass) number() int {
	if n, ok := p.settings.numbers[p.rule.Code]; ok {
		return n
	}
	return numbered[p.rule.Code]
}

func codes() (list []string) {
	for _, r := range Rules() {
		list = append(list, r.Code)
	}
	return list
}
