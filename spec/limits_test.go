package spec

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/compile"
	"arbiter/interp/odds"
	"arbiter/interp/sandbox"
	"arbiter/interp/session"
	"arbiter/lang/diag"
	"arbiter/rules"
	"arbiter/stdlib/dice"
)

// A limitRow is a row of limits.md.
type limitRow struct {
	what, most string
	says       []string // what the error says, in one of these forms; none: what is beyond the limit is left out
	names      []string // of constants, with the paths of their packages
}

func limitRows(t *testing.T) []limitRow {
	t.Helper()
	text, err := os.ReadFile("limits.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []limitRow
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " |")
		if len(cells) != 5 || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what") || strings.HasPrefix(line, "| ---") {
			continue
		}
		r := limitRow{what: strings.TrimPrefix(cells[0], "| "), most: strings.TrimSpace(cells[1])}
		if says := strings.TrimSpace(cells[2]); says != "" {
			r.says = strings.Split(says, "; or: ")
		}
		for _, name := range strings.Split(cells[3], ",") {
			if name = strings.Trim(name, " `"); name != "" {
				r.names = append(r.names, name)
			}
		}
		rows = append(rows, r)
	}
	if len(rows) < 50 {
		t.Fatalf("limits.md has %d rows", len(rows))
	}
	return rows
}

// goFiles calls do for each Go file that is not a test.
func goFiles(t *testing.T, do func(path string, f *ast.File)) {
	t.Helper()
	set := token.NewFileSet()
	for _, top := range []string{"cmd", "interp", "lang", "stdlib"} {
		err := filepath.WalkDir("../"+top, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") || strings.Contains(p, "node_modules") {
				return err
			}
			f, err := parser.ParseFile(set, p, nil, 0)
			if err == nil {
				do(strings.TrimPrefix(filepath.ToSlash(p), "../"), f)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// namedLikeALimit matches the names of constants that may be limits.
var namedLikeALimit = regexp.MustCompile(`^(max|Max|most|Most|limit|Limit)([A-Z]|$)|Limit$|(PerCreature|OfOne|WithoutChoice|Repeats)$`)

// noLimits are constants that are named like limits but bound nothing that a user gives: what is shown, cached,
// optimized or tried, and forms of numbers.
var noLimits = strings.Fields(`
cmd/arbiter.maxAdviceTime interp/session.maxOfAction interp/session.maxPerArgument interp/session.maxTurnsAhead
cmd/arbiter.maxFixRounds interp/lint.maxAround interp/lint.maxCommented interp/lint.maxDepth
cmd/arbiter.mostSearched cmd/arbiter.mostSuggested stdlib/statblock.mostAbove stdlib/statblock.maxWrapped
cmd/arbiter.maxNameWidth cmd/arbiter.maxRulesWidth cmd/arbiter.maxRestWidth cmd/arbiter.maxPaired cmd/arbiter.maxListedChapters cmd/arbiter.maxShown cmd/arbiter.maxSingleRows
cmd/arbiter.maxGroupedRows cmd/arbiter.maxTitleLines cmd/arbiter.maxSeed cmd/arbiter.maxListedRules cmd/arbiter.maxTextLines
cmd/arbiter.maxCauses cmd/arbiter.maxValueWidth cmd/arbiter.maxFound cmd/arbiter.maxTakes cmd/arbiter.maxLabelWidth
cmd/arbiter/internal/board.maxPartyInStatus cmd/arbiter/internal/board.maxMapRows cmd/arbiter/internal/board.maxNameWidth
cmd/arbiter/internal/board.maxBarWidth cmd/arbiter/internal/board.maxUnmentioned cmd/arbiter/internal/handbook.maxColumns
cmd/arbiter/internal/langserver.maxCandidates cmd/arbiter/internal/langserver.maxHeaderLine cmd/arbiter/internal/langserver.maxHoverLines
cmd/arbiter/internal/langserver.maxSymbols cmd/arbiter/internal/langserver.maxHints cmd/arbiter/internal/langserver.maxHintStats
cmd/arbiter/internal/langserver.maxHintCreatures cmd/arbiter/internal/langserver.maxHintCommands cmd/arbiter/internal/langserver.maxHintDiceLength
cmd/arbiter/internal/langserver.maxLenses cmd/arbiter/internal/langserver.maxCites cmd/arbiter/internal/langserver.maxImplementers
cmd/arbiter/internal/langserver.maxChecks cmd/arbiter/internal/langserver.maxPlayed cmd/arbiter/internal/langserver.maxFalls
cmd/arbiter/internal/prompt.maxEntry cmd/arbiter/internal/prompt.maxSequence
cmd/arbiter/internal/repl.maxValueLength cmd/arbiter/internal/repl.maxHintNames cmd/arbiter/internal/repl.mostTargets
cmd/arbiter/internal/repl.maxRewordedWords cmd/arbiter/internal/show.maxExcerptWidth cmd/arbiter/internal/show.maxInFull
cmd/arbiter/internal/storymap.maxNodeWidth cmd/arbiter/internal/storymap.maxLabel cmd/arbiter/internal/studio.maxFound
cmd/arbiter/internal/studio.maxCompletions cmd/arbiter/internal/table.maxChanged
interp/build.maxTrials interp/build.maxRelated interp/build.maxHeadlessErrors interp/build.maxTried interp/build.maxNamedResources interp/build.maxShared interp/build.maxOwn interp/sim.maxChunk
interp/session.maxAnswers stdlib/statblock.maxSheets stdlib/statblock.maxEntry stdlib/statblock.maxLine stdlib/statblock.maxAbove stdlib/statblock.maxColumns stdlib/statblock.maxPage stdlib/statblock.maxGutters stdlib/statblock.maxOthers
interp/reading.maxPatterns interp/reading.maxLeaves interp/reading.maxValueDepth interp/reading.maxTrials interp/reading.maxName interp/reading.maxVariants
interp/build.maxVariants interp/build.maxStored interp/build.maxUnshared interp/build.maxWritten stdlib/snapshot.maxArray
interp/check.maxHintFields interp/check.maxHintVars interp/check.MaxHintedMistakes interp/check.maxHintAlternatives interp/check.maxListed interp/check.maxAbout
interp/compile.maxGuardedCosts interp/compile.maxAddends interp/compile.maxPasses interp/compile.maxOptimized interp/compile.maxValues
interp/ir.MaxSmall interp/compile.maxInlineSize interp/compile.maxInlineSizeMany interp/compile.maxInlineDepth interp/compile.maxInlineInto interp/compile.maxInvariants
interp/compile.maxLoopExprs interp/compile.maxFacts interp/compile.maxSumFactor interp/compile.maxSumParts
interp/ground.maxSoftGrounds interp/ground.maxStepFactor interp/ground.maxAreaSquares interp/ground.maxColumns interp/ground.maxSearches interp/machine.maxListedKeys stdlib/grid.maxCorners stdlib/grid.maxFlood
interp/link.maxNamesakes interp/machine.maxInsertionSort interp/machine.maxLiveParts interp/machine.mostThingsListed interp/machine.maxCodeReads
interp/machine.maxSituation interp/machine.maxKept interp/machine.maxReads interp/machine.maxTraceSteps
interp/odds.StepLimit interp/odds.WorkLimit interp/odds.MemoryLimit interp/odds.maxTotals interp/odds.maxProducts interp/program.MaxCachedParams
interp/sandbox.maxSize interp/sandbox.maxShortText interp/sandbox.maxMessageLength interp/sandbox.maxFreeFrame interp/sandbox.maxSmallDict interp/sandbox.maxRead
interp/session.maxEnumerated interp/session.maxMissing interp/session.maxExplained interp/session.maxActions interp/session.maxAddedInstructions
interp/session.maxChanges interp/session.maxFaces interp/session.maxRelated interp/session.maxTurns interp/session.maxPossibleValues interp/session.maxRuleLines
interp/session.maxRuleText interp/session.maxReplaySize interp/session.maxNames interp/session.maxRemovals
interp/sim.maxNamed interp/sim.maxDigits interp/sim.maxExactPairs interp/walk.maxRepeats interp/walk.maxIdleBatches interp/walk.maxGuidedBatches
interp/check.maxFieldsHinted interp/check.maxOfferWords interp/session.maxAreas stdlib/dice.mostRolls lang/words.maxWordLength lang/words.maxEndingLength stdlib/dice.maxChain
stdlib/grid.MaxFactor stdlib/grid.MaxPrice stdlib/grid.maxNodes stdlib/grid.maxLabels stdlib/grid.maxCost stdlib/grid.maxAhead stdlib/grid.maxTurns
stdlib/grid.MaxSide stdlib/grid.MaxMap stdlib/grid.MaxLevel
cmd/arbiter.mostSampled interp/piece.maxMeasures cmd/arbiter/internal/cluster.maxName cmd/arbiter/internal/cluster.mostWaiting
cmd/arbiter/internal/cluster.maxWaiting cmd/arbiter/internal/cluster.maxUnfinished cmd/arbiter/internal/cluster.maxMessage
cmd/arbiter/internal/cluster.maxStore
`)

// Every constant of the code that is named like a limit stands on the page, with its value, or is known to be none; and
// the page names no others.
func TestLimitsOfTheCode(t *testing.T) {
	values := map[string]constant.Value{}
	limits := map[string]bool{}
	goFiles(t, func(file string, f *ast.File) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST && g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				if x, isType := s.(*ast.TypeSpec); isType {
					values[path.Dir(file)+"."+x.Name.Name] = nil // a struct of limits
				}
				x, isConst := s.(*ast.ValueSpec)
				if !isConst {
					continue
				}
				for i, n := range x.Names {
					name := path.Dir(file) + "." + n.Name
					values[name] = nil
					if i < len(x.Values) {
						if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(x.Values[i])); err == nil {
							values[name] = v.Value
						}
					}
					if namedLikeALimit.MatchString(n.Name) {
						limits[name] = true
					}
				}
			}
		}
	})
	onPage := map[string]bool{}
	for _, r := range limitRows(t) {
		for _, name := range r.names {
			onPage[name] = true
			v, known := values[name]
			if !known {
				t.Errorf("%s: there is no %s", r.what, name)
			}
			n, exact := constant.Int64Val(constant.ToInt(orZero(v)))
			if v != nil && exact && !strings.Contains(r.most, grouped(n)) && !(n%(1<<20) == 0 && r.most == grouped(n>>20)) {
				t.Errorf("%s: at most %s, but %s is %s", r.what, r.most, name, grouped(n))
			}
		}
	}
	for name := range limits {
		if !onPage[name] && !slices.Contains(noLimits, name) {
			t.Errorf("limits.md has no row for %s, and noLimits does not list it", name)
		}
	}
	for _, name := range noLimits {
		if !limits[name] || onPage[name] {
			t.Errorf("noLimits lists %s, which is not in the code or on the page", name)
		}
	}
}

func orZero(v constant.Value) constant.Value {
	if v == nil {
		return constant.MakeInt64(0)
	}
	return v
}

// saysALimit matches the texts of errors about limits.
var saysALimit = regexp.MustCompile(`at most|more than [%\d]|(nested|nests) (more|deeper) than|longer than|larger than|too (many|much|large|long|deep)`)

// noErrors are texts that read like an error about a limit.
var noErrors = []string{
	"with --odds: add the chance of at most each total", "%s mean %s, half of the fights", "%s: got %d arguments, want at most 1", "ctx.%s takes at most %d values",
	"tests that X is at most D", "stopped after %d steps from die to die, of at most %d", "at least %d and at most %d", "has at most two variants", "at most ", "STAT at most EXPR", "at most",
	"{%s: ...} has at most two variants, not %d", // the form has two
	"at most %d",                                                     // a hint of the error about nested braces
	"views of views more than 16 deep",                               // the checker refuses views of views
	"a loop runs too long", "a string, list or dict grows too large", // hints
	"an array of more than %d elements: %s", // in the types of the program itself
	"too long",                              // of a writer; whoever writes says what
	"at most 2,147,483,647",                 // a hint of the error about a number added to dice
	"(or than the settings say)",            // of the linter
}

// Every text of an error about a limit begins as a row of the page says.
func TestErrorsOfLimits(t *testing.T) {
	numbers := regexp.MustCompile(`%[a-z]|[\d,]*\d|\.`)
	form := func(s string) string { return strings.Join(strings.Fields(numbers.ReplaceAllString(s, "#")), " ") }
	var forms []string
	for _, r := range limitRows(t) {
		for _, says := range r.says {
			forms = append(forms, form(says))
		}
	}
	goFiles(t, func(file string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING || !saysALimit.MatchString(lit.Value) {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			listed := slices.ContainsFunc(noErrors, func(x string) bool { return strings.Contains(text, x) && (len(x) > 10 || text == x) })
			if !listed && !slices.ContainsFunc(forms, func(x string) bool { return strings.Contains(form(text), x) || strings.Contains(x, form(text)) }) {
				t.Errorf("%s: limits.md has no row for the error %q", file, text)
			}
			return true
		})
	})
}

func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// --- what happens at the limits -------------------------------------------------------------------------

// first returns the messages of the mistakes of a script, or of what fails when it runs.
func first(script string, with ...string) string {
	s, diags, err := build.Source("limits.encounter", []byte(script), build.Options{Library: rules.FS, With: with, Compile: compile.Options{Unoptimized: true}})
	if err != nil {
		return err.Error()
	}
	if diags.HasErrors() {
		var all []string
		for _, d := range diags {
			all = append(all, d.Message+" "+d.Hint)
		}
		return strings.Join(all, "\n")
	}
	r := session.Run(s, session.Options{})
	for _, d := range r.Failures {
		return d.Message
	}
	return ""
}

// many returns the texts for 1 to n, joined.
func many(n int64, separator string, text func(i int64) string) string {
	var list []string
	for i := range n {
		list = append(list, text(i+1))
	}
	return strings.Join(list, separator)
}

func sprint(form string) func(int64) string {
	return func(i int64) string { return strings.ReplaceAll(form, "#", strconv.FormatInt(i, 10)) }
}

// declares makes a script of declarations, and acts one in which Alia does an action.
func declares(text func(n int64) string) func(int64) string {
	return func(n int64) string { return "encounter \"limits\" with d20\n" + text(n) + "\n" }
}

func acts(text func(n int64) string) func(int64) string {
	return func(n int64) string {
		return "encounter \"limits\" with d20\nresource mana from 0 to 1000000 starts 9\n" + text(n) + "\ncreature man { level: 1 }\nside us { man Alia }\nside them { man Bron }\nAlia: try\n"
	}
}

// A limitTrial tries a row of the page: with the largest that is allowed and one less nothing is said about the limit,
// with one more it is.
type limitTrial struct {
	at     int64 // the largest that is allowed, if it is not the number of the row: what else counts
	slack  int64 // how far from the limit it is tried, for what is not counted one by one
	broken bool  // it has other mistakes, too
	try    func(n int64) string
	kind   trialKind
}

// trialKind is what the text of a trial is.
type trialKind uint8

const (
	aScript   trialKind = iota // an encounter, or an adventure
	aNotation                  // of dice
	aStarlark                  // a file of functions that is loaded
	someHooks                  // such a file, for rules in which Alia does the action `try`
	manyFiles                  // an adventure that includes so many files
)

// run makes the trial and returns what is said about it.
func (x *limitTrial) run(t *testing.T, n int64) string {
	text := x.try(n)
	switch dir := t.TempDir(); x.kind {
	case aNotation:
		if _, err := dice.Parse(text); err != nil {
			return err.Error()
		}
		return ""
	case aStarlark:
		write(t, dir, "limits.star", text)
		if _, err := sandbox.Load(sandbox.Folder(dir), "limits.star", sandbox.Env{}, sandbox.Limits{}); err != nil {
			return err.Error()
		}
		return ""
	case someHooks:
		write(t, dir, "house.star", text)
		write(t, dir, "house.rules", "ruleset house extends d20\nresource mana from 0 to 1000000 starts 9\ncondition dazed\nstat might = 1\naction try { cost none; let x = self.might; note \"{x}\" }\nuse hooks \"house.star\"\n")
		return first("encounter \"limits\" with d20\ncreature man { level: 1 }\nside us { man Alia }\nside them { man Bron }\nAlia: try\n", filepath.Join(dir, "house.rules"))
	case manyFiles:
		for i := range n - 1 {
			write(t, dir, fmt.Sprintf("part%d.adventure", i+1), fmt.Sprintf("adventure \"part\"\nscene s%d { finish }\n", i+1))
		}
		write(t, dir, "limits.adventure", text)
		_, diags, err := build.File(filepath.Join(dir, "limits.adventure"), build.Options{Library: rules.FS, Compile: compile.Options{Unoptimized: true}})
		if err != nil {
			return err.Error()
		}
		for _, d := range diags {
			if d.Severity == diag.Error {
				return d.Message
			}
		}
		return ""
	}
	return first(text)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var limitTrials = map[string]limitTrial{
	"bytes of a script": {try: func(n int64) string {
		const head = "encounter \"limits\" with d20\n# "
		return head + strings.Repeat("x", int(n)-len(head))
	}},
	"mistakes that are listed of a file": {broken: true, try: declares(func(n int64) string { return strings.Repeat("option a\n", int(n)) })},
	"nested brackets, `if`, `not`, quantifiers": {try: declares(func(n int64) string {
		return "define a = " + strings.Repeat("(", int(n)) + "1" + strings.Repeat(")", int(n))
	})},
	"operators in a row": {broken: true, try: declares(func(n int64) string { return "define a = 1" + strings.Repeat(" + 1", int(n)) })},
	"values of an enum":  {try: declares(func(n int64) string { return "enum e: " + many(n, ", ", sprint("v#")) })},
	"fields of a kind":   {try: declares(func(n int64) string { return "kind k {\n" + many(n, "\n", sprint("f#: number = 0")) + "\n}" })},
	"steps of a procedure": {try: declares(func(n int64) string {
		return "procedure p {\n" + many(n, "\n", sprint("step s# { note \"x\" }")) + "\n}"
	})},
	"terms of a stat":                      {try: declares(func(n int64) string { return "stat s {\n" + many(n, "\n", sprint("t#: 1")) + "\n}" })},
	"bonus types of a ruleset":             {try: declares(func(n int64) string { return "bonus " + many(n, ", ", sprint("b#")) + ": highest" })},
	"parameters and memories of an effect": {try: declares(func(n int64) string { return "condition c {\n" + many(n, "\n", sprint("keep m# = 0")) + "\n}" })},
	"numbers of a place in the turn order": {try: acts(func(n int64) string {
		return "action try { cost none; self acts at " + many(n, ", ", sprint("#")) + " }"
	})},
	"options of a `choose`": {try: acts(func(n int64) string {
		return "action try {\ncost none\nchoose {\n" + many(n, "\n", sprint("\"w#\" { note \"x\" }")) + "\n}\n}"
	})},
	"a number added to dice": {try: acts(func(n int64) string {
		return fmt.Sprintf("action try { cost none; let x = roll (if self.level > 0 then d6 else %d) }", n)
	})},
	"alternatives of a `shuffle`": {try: func(n int64) string {
		return "adventure \"limits\" with d20\ncreature man { level: 1 }\nside party { man Alia }\nscene a { \"{shuffle: " + many(n, "|", sprint("w#")) + "}\"\n finish }\n"
	}},
	"definitions that depend on one another, while checking": {slack: 10, try: declares(func(n int64) string {
		return many(n, "\n", func(i int64) string { return fmt.Sprintf("define s%d = s%d", i, i+1) }) + fmt.Sprintf("\ndefine s%d = 1", n+1)
	})},
	"squares on a side of a map": {try: declares(func(n int64) string {
		return "map \"\"\"\n  " + strings.Repeat(".", int(n)) + "\n  \"\"\"\ncreature man { level: 1 }\nside us { man Alia at (1, 0) }"
	})},

	"bytes of a notation":                        {kind: aNotation, try: func(n int64) string { return strings.Repeat(" ", int(n)-2) + "d6" }},
	"dice of a notation":                         {kind: aNotation, try: sprint("#d6")},
	"sides of a die of a notation":               {kind: aNotation, try: sprint("d#")},
	"nested parentheses and signs of a notation": {at: 31, kind: aNotation, try: func(n int64) string { return strings.Repeat("(", int(n)) + "d6" + strings.Repeat(")", int(n)) }},
	"digits of a decimal number of a notation":   {kind: aNotation, try: func(n int64) string { return "d6*0." + strings.Repeat("1", int(n)) }},
	"a number of a notation":                     {kind: aNotation, try: sprint("d6+#")},
	"the total of a notation":                    {kind: aNotation, try: func(n int64) string { return fmt.Sprintf("1000000*%d+%d+d1", (n-1)/1000000, (n-1)%1000000) }},

	"machine steps, including those of functions in Starlark": {slack: 9_000_000, try: acts(func(n int64) string {
		return fmt.Sprintf("action try { cost none; let x = 0; repeat %d times { set x to x + 1 } }", n/3)
	})},
	"nested rules": {try: acts(func(n int64) string {
		return fmt.Sprintf("procedure down with k: number { note \"x\" }\nrule again after down when k > 1 { down with (k - 1) }\naction try { cost none; down with (%d) }", n+1)
	})},
	"rules": {try: acts(func(n int64) string {
		return fmt.Sprintf("procedure ping { note \"x\" }\nrule pong after ping { self gains 1 mana }\naction try { cost none; repeat %d times { ping } }", n)
	})},
	"nested procedures, rules and interruptions": {at: 511, try: acts(func(n int64) string {
		return fmt.Sprintf("procedure down with k: number { if k > 1 { down with (k - 1) } }\naction try { cost none; down with (%d) }", n-1)
	})},
	"nested stats and defines; a stat counts twice, with the part that reads another": {at: 50, try: acts(func(n int64) string {
		return fmt.Sprintf("%s\nstat s%d = 1\naction try { cost none; let x = self.s1 }", many(n-1, "\n", func(i int64) string { return fmt.Sprintf("stat s%d = s%d", i, i+1) }), n)
	})},
	"machine words of lists and records": {slack: 40_000, try: acts(func(n int64) string {
		return fmt.Sprintf("action try { cost none; repeat %d times { let x = range(1, 9999) } }", n/10_000)
	})},
	"events": {at: 249_998, try: acts(func(n int64) string {
		return fmt.Sprintf("action try { cost none; repeat %d times { note \"x\" } }", n)
	})},
	"bytes of notes and other texts": {try: acts(func(n int64) string {
		return fmt.Sprintf("action try { cost none; repeat %d times { note \"%s\" }; note \"%s\" }", n/1000-1, strings.Repeat("x", 1000), strings.Repeat("x", 1000+int(n%1000)))
	})},
	"numbers of a `range`":     {try: acts(func(n int64) string { return fmt.Sprintf("action try { cost none; let x = range(1, %d).length }", n) })},
	"a coordinate of a square": {try: acts(func(n int64) string { return fmt.Sprintf("action try { cost none; let x = (%d, 0) }", n) })},
	"a modifier of a stat": {try: acts(func(n int64) string {
		return fmt.Sprintf("stat might = 1\neveryone m { +%d to might }\naction try { cost none; let x = self.might }", n)
	})},
	"repetitions by a script": {try: func(n int64) string {
		return acts(func(int64) string { return "action try { cost none }" })(n) + fmt.Sprintf("repeat %d times { expect yes }\n", n)
	}},
	"names and intermediate values of a body": {slack: 130, try: acts(func(n int64) string {
		return "action try {\ncost none\n" + many(n, "\n", sprint("let x# = roll d6")) + "\nnote \"" + many(n, " ", sprint("{x#}")) + "\"\n}"
	})},
	"dice of different notation": {at: 32_766, slack: 3, try: acts(func(n int64) string {
		return "action try {\ncost none\nlet x = 0\n" + many(n, "\n", sprint("set x to roll 1d#")) + "\n}"
	})},
	"files of an adventure": {kind: manyFiles, try: func(n int64) string {
		return "adventure \"limits\" with d20\n" + many(n-1, "\n", sprint("include \"part#.adventure\"")) + "\ncreature man { level: 1 }\nside party { man Alia }\nscene a { finish }\n"
	}},
	"signs of a legend": {try: declares(func(n int64) string {
		return "map \"\"\"\n  ...\n  \"\"\" { " + many(n, "; ", func(i int64) string { return fmt.Sprintf("\"%c\": wall", rune(0x4e00+i)) }) + " }"
	})},
	"squares of one movement": {try: func(n int64) string {
		return "encounter \"limits\" with d20\naction try { cost none; let a = each k in range(1, 5000) of (1 + k - 2 * (k / 2), 1)\nlet b = each k in range(1, " + strconv.FormatInt(n-5000, 10) + ") of (1 + k - 2 * (k / 2), 1)\nself moves along (a + b) }\ncreature man { level: 1; speed: 1000000 ft }\nside us { man Alia at (1, 1) }\nAlia: try\n"
	}},
	"times that `DICE * N` rolls": {try: acts(func(n int64) string {
		return fmt.Sprintf("action try { cost none; let x = roll (1d6 * (self.level * %d)) }", n)
	})},
	"sides of a die that rules roll": {slack: 300_000, try: acts(func(n int64) string {
		doublings := 6 // of 9,999 numbers
		if n > 1<<20 {
			doublings = 7
		}
		return fmt.Sprintf("action try { cost none; let m = range(1, 9999); repeat %d times { set m to m + m }; let x = pick y in m by chance }", doublings)
	})},
	"a number": {try: acts(func(n int64) string {
		if n < 0 { // one more than the largest
			return "action try { cost none; let x = 9223372036854775807; set x to x + 1 }"
		}
		return fmt.Sprintf("action try { cost none; let x = %d; set x to x + 1 }", n-1)
	})},
	"bytes of a file": {kind: aStarlark, try: func(n int64) string { return "#" + strings.Repeat("x", int(n)-1) }},
	"nested calls": {kind: aStarlark, slack: 60, try: func(n int64) string {
		return many(n, "\n", func(i int64) string {
			return fmt.Sprintf("def f%d():\n    return %s", i, map[bool]string{true: "0", false: fmt.Sprintf("f%d()", i-1)}[i == 1])
		}) + fmt.Sprintf("\nx = f%d()\n", n)
	}},
	"nesting of the text": {kind: aStarlark, slack: 210, try: func(n int64) string {
		return "x = 1" + strings.Repeat(" + 1", int(n)) + "\n"
	}},
	"parts of a global value":  {kind: aStarlark, slack: 10, try: func(n int64) string { return fmt.Sprintf("x = [0] * %d\n", n) }},
	"bytes of a name":          {kind: aStarlark, try: func(n int64) string { return strings.Repeat("x", int(n)) + " = 1\n" }},
	"parameters of a function": {kind: aStarlark, try: func(n int64) string { return "def f(" + many(n, ", ", sprint("p#")) + "):\n    return 1\n" }},
	"steps":                    {kind: aStarlark, slack: 900_000, try: func(n int64) string { return fmt.Sprintf("x = max([k for k in range(%d)])\n", n/10) }},
	"registrations of a file": {kind: someHooks, try: func(n int64) string {
		return fmt.Sprintf("def f(ctx):\n    ctx.add(1)\n[modify(\"might\", f, name = \"n%%d\" %% i) for i in range(%d)]\n", n)
	}},
	"things that one call does": {kind: someHooks, try: func(n int64) string {
		return fmt.Sprintf("def f(ctx):\n    for k in range(%d):\n        ctx.gain(ctx.self, \"mana\", 1)\nbefore(\"try\", f)\n", n)
	}},
	"rounds or seconds of an effect": {kind: someHooks, try: func(n int64) string {
		return fmt.Sprintf("def f(ctx):\n    ctx.gain(ctx.self, \"dazed\", rounds = %d)\nbefore(\"try\", f)\n", n)
	}},
	"ways of `ctx.ask`": {kind: someHooks, try: func(n int64) string {
		return "def f(ctx):\n    ctx.ask(\"which\", [" + many(n, ", ", sprint("\"w#\"")) + "])\nbefore(\"try\", f)\n"
	}},
	"bytes of a note": {kind: someHooks, try: func(n int64) string {
		return "def f(ctx):\n    ctx.note(\"" + strings.Repeat("x", int(n)) + "\")\nbefore(\"try\", f)\n"
	}},
	"characters of the name of a die": {kind: someHooks, try: func(n int64) string {
		return "def f(ctx):\n    ctx.roll(\"d6\", \"" + strings.Repeat("x", int(n)) + "\")\nbefore(\"try\", f)\n"
	}},
}

// triedElsewhere names the tests of rows that are tried where more can be reached: with lower limits, with files or with
// other programs.
var triedElsewhere = map[string]string{
	"squares and corners of an area that spreads":                 "TestSpreadWork",
	"rulesets that extend one another":                            "TestLongChain",
	"MiB of a session, a log of play":                             "TestPlaces",
	"bytes of a part of a simulation":                             "TestReadShard",
	"sides of a die of exact odds":                                "TestLimitsOfOdds",
	"totals of exact odds":                                        "TestLimitsOfOdds",
	"bits of exact odds":                                          "TestLimitsOfOdds",
	"work of exact odds":                                          "TestLimitsOfOdds",
	"rounds of a fight that nobody wins":                          "TestNobodyWins",
	"events of a run that lists them":                             "TestRunBounds",
	"bytes of the transcript of a run that keeps it":              "TestRunBounds",
	"steps of a story without a choice":                           "TestCircles",
	"nested visits of scenes":                                     "TestCircles",
	"choices of a story that is told unattended":                  "TestCircles",
	"fights without a choice":                                     "TestEndlessStories",
	"times that a scene is entered without a choice":              "TestEndlessStories",
	"bytes of memory":                                             "TestHostilePrograms",
	"nesting of a value":                                          "TestHostilePrograms",
	"files of one load":                                           "TestTooManyFiles",
	"functions that call one another through rules":               "TestHostile",
	"steps of `odds` unless `--steps` says otherwise":             "TestLimitsOfOdds",
	"MiB of memory of `odds`":                                     "TestCountlessOutcomes",
	"bytes of a message of an editor":                             "TestBadFrames",
	"lines of its header":                                         "TestBadFrames",
	"bytes of a text at the prompt":                               "TestPlain",
	"bytes of the history of the prompt":                          "TestHistoryBroken",
	"events of a replay":                                          "TestReplayIsCut",
	"bytes of each of the temporary files of interactive play":    "TestMaxFile",
	"files of a folder in `studio`":                               "TestMaxFiles",
	"bytes of the texts of a folder that is exported":             "TestMaxTexts",
	"unused parts of rules that `compare` prints":                 "TestUnusedLines",
	"bytes of a message of its page":                              "TestMaxMessage",
	"fights of its comparisons":                                   "TestMaxTrials",
	"steps of its odds":                                           "TestMaxOddsSteps",
	"bytes of a plan":                                             "TestPlanLimits",
	"things that a plan varies":                                   "TestPlanLimits",
	"fights of a plan, of each encounter under each set of rules": "TestPlanMistakes",
	"encounters of a plan":                                        "TestLimitsOfPlans",
	"sets of rules and values of a plan":                          "TestLimitsOfPlans",
	"files that are carried to other machines":                    "TestLimitsOfPlans",
	"bytes of these files":                                        "TestLimitsOfPlans",
	"bytes of a job":                                              "TestHostileJobs",
	"sets of rules and values of a piece":                         "TestHostileJobs",
	"fights of a piece":                                           "TestHostileJobs",
	"house rules of a set":                                        "TestHostileJobs",
	"bytes of the result of a piece":                              "TestForged",
	"bytes of what the server keeps as one":                       "TestLargeObjects",
}

// Each row of the page is tried at its limit, here or where its error stands in another test.
func TestAtTheLimits(t *testing.T) {
	elsewhere := testTexts(t)
	var tried []string
	for _, r := range limitRows(t) {
		x, here := limitTrials[r.what]
		if !here {
			if test := triedElsewhere[r.what]; test != "" && !strings.Contains(elsewhere, "func "+test+"(t *testing.T)") {
				t.Errorf("there is no %s, which is to try: %s", test, r.what)
			} else if test == "" && len(r.says) > 0 && !slices.ContainsFunc(r.says, func(says string) bool { return strings.Contains(elsewhere, says) }) {
				t.Errorf("no test has an error %q of: %s", r.says, r.what)
			}
			continue
		}
		tried = append(tried, r.what)
		t.Run(r.what, func(t *testing.T) {
			at := x.at
			if at == 0 {
				number, _, _ := strings.Cut(r.most, ", or")
				n, err := strconv.ParseInt(strings.ReplaceAll(number, ",", ""), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				at = n
			}
			near := max(1, x.slack)
			for n, wanted := range map[int64]bool{at - near: false, at: x.slack > 0, at + near: true} {
				if n == at && x.slack > 0 {
					continue
				}
				got := x.run(t, n)
				says := slices.ContainsFunc(r.says, func(says string) bool { return strings.Contains(got, says) })
				if says != wanted || !wanted && got != "" && !x.broken {
					t.Errorf("with %d: %.300q, want %q: %v", n, got, r.says, wanted)
				}
			}
		})
	}
	for what := range limitTrials {
		if !slices.Contains(tried, what) {
			t.Errorf("limits.md has no row %q", what)
		}
	}
	for what := range triedElsewhere {
		if _, here := limitTrials[what]; here || !slices.ContainsFunc(limitRows(t), func(r limitRow) bool { return r.what == what }) {
			t.Errorf("%q is tried here, too, or limits.md has no such row", what)
		}
	}
}

// testTexts returns the texts of all other tests.
func testTexts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, top := range []string{"../cmd", "../interp", "../lang", "../stdlib"} {
		err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, "_test.go") && !strings.Contains(p, "testdata") {
				return err
			}
			text, err := os.ReadFile(p)
			b.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// The page about numbers states the limit on the memory of odds.
func TestMemoryOfOdds(t *testing.T) {
	text, err := os.ReadFile("numbers.md")
	if want := fmt.Sprintf("at most %d MiB of memory", odds.DefaultMemory>>20); err != nil || !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("numbers.md does not say: %s", want)
	}
}
