package session_test

import (
	"flag"
	"fmt"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"arbiter/interp/build"
	"arbiter/interp/golden"
	"arbiter/interp/machine"
	"arbiter/interp/session"
	"arbiter/interp/view"
	"arbiter/rules"
	"arbiter/stdlib/modifier"
)

// This file checks that what is told of rolls is true, over many of them. It reads what a player reads, and computes
// the numbers a second time, in a slower way: naiveTotal does not share code with the core.

var (
	fightsFlag = flag.Int("fights", 4, "how many random fights of each system the rolls are checked in")
	everyFlag  = flag.Bool("every", false, "check the rolls of every example and test of the repository")
)

// auditor checks rolls, and counts them. Several fights may be checked at the same time.
type auditor struct {
	t    *testing.T
	mu   sync.Mutex
	laws map[string]modifier.Law

	rolls, checks, byFace, changed, faces, lines, marked, nested int
	signs                                                        map[string]map[string]bool // by ruleset and word: whether the margin is below 0
}

func newAuditor(t *testing.T) *auditor {
	return &auditor{t: t, signs: map[string]map[string]bool{}}
}

func (a *auditor) report(what string) {
	a.t.Logf("%s: %d rolls, of which %d checks, %d decided by a face, %d changed by rules; %d faces told; %d lines of stats added up and taken away, %d of them marked; %d stats below stats",
		what, a.rolls, a.checks, a.byFace, a.changed, a.faces, a.lines, a.marked, a.nested)
}

// audit checks all rolls of what was played.
func (a *auditor) audit(name string, s *build.Script, p *session.Played) {
	a.mu.Lock()
	defer a.mu.Unlock()
	pr := s.Rules.Program
	a.laws = map[string]modifier.Law{}
	for i, bonus := range pr.Bonuses {
		a.laws[bonus] = pr.Laws[i]
	}
	for i := range p.Events {
		e := &p.Events[i]
		if e.Roll == "" {
			continue
		}
		x, err := p.Explain(e.Roll, session.FullDepth)
		if err != nil {
			a.t.Errorf("%s, %s: %v", name, e.Roll, err)
			continue
		}
		if wrong := a.roll(s.Rules.Name, e, x); wrong != "" {
			a.t.Errorf("%s, %s: %s\n%s", name, e.Roll, wrong, x.Text())
		}
	}
	a.facesTold(name, p)
}

var (
	toldCheck   = regexp.MustCompile(`: (.*) = (-?\d+) against (.*?), ([^,]+)$`)
	toldTotal   = regexp.MustCompile(` = (-?\d+)$`)
	plainNumber = regexp.MustCompile(`^[+-]\d+$`)
	byMargin    = regexp.MustCompile(`^(.*) by (\d+)$`)
)

// roll checks one roll, and says what is wrong.
func (a *auditor) roll(ruleset string, e *view.Event, x *session.Explanation) string {
	a.rolls++
	if wrong := a.sections(x); wrong != "" {
		return wrong
	}
	sum, known := sumOf(x.Parts)
	m := toldCheck.FindStringSubmatch(e.Text)
	if m == nil { // dice, or a check without a difficulty
		if total := toldTotal.FindStringSubmatch(e.Text); total != nil && known && number(total[1]) != sum {
			return fmt.Sprintf("the parts add up to %d", sum)
		}
		return ""
	}
	a.checks++
	total := number(m[2])
	if !known || sum != total {
		return fmt.Sprintf("the parts add up to %d", sum)
	}
	words := strings.Fields(m[3])
	target := number(words[len(words)-1])
	if wrong := targetAddsUp(x, target); wrong != "" {
		return wrong
	}
	margin := total - target
	byFace := len(x.Notes) > 0 && strings.Contains(x.Notes[0], "whatever the total")
	if wrong := a.verdict(ruleset, m[4], margin, byFace); wrong != "" {
		return wrong
	}
	if byFace {
		a.byFace++
	}
	return a.marks(x, margin, byFace)
}

// verdict checks the words of a result against its margin.
func (a *auditor) verdict(ruleset, text string, margin int64, byFace bool) string {
	word := text
	switch m := byMargin.FindStringSubmatch(text); {
	case strings.HasPrefix(text, "natural "):
		if !byFace {
			return "a face is named, but did not decide"
		}
		return ""
	case m != nil:
		if number(m[2]) != max(margin, -margin) || margin == 0 {
			return fmt.Sprintf("the margin is %d", margin)
		}
		word = m[1]
	case margin != 0:
		return fmt.Sprintf("the margin is %d", margin)
	}
	if a.signs[ruleset] == nil {
		a.signs[ruleset] = map[string]bool{}
	}
	if negative, seen := a.signs[ruleset][word]; seen && negative != (margin < 0) {
		return fmt.Sprintf("%q is said of the margin %d", word, margin)
	}
	a.signs[ruleset][word] = margin < 0
	return ""
}

// marks takes away each part in turn: the marked ones change the result, the others do not.
func (a *auditor) marks(x *session.Explanation, margin int64, byFace bool) string {
	check := func(e *session.Explained, without int64) string {
		a.lines++
		if e.Decided {
			a.marked++
		}
		if flips := !byFace && (margin >= 0) != (without >= 0); flips != e.Decided {
			return fmt.Sprintf("without %s %s the margin is %d, but marked is %v", e.Value, e.Name, without, e.Decided)
		}
		return ""
	}
	parts := func(list []session.Explained, sign int64) string {
		for i := range list {
			e := &list[i]
			if strings.HasPrefix(e.Value, "=") {
				a.changed++ // what a rule did to the face: another face might decide, so it is tested by hand
			} else if e.Value[0] == '+' || e.Value[0] == '-' {
				if wrong := check(e, margin-sign*number(e.Value)); wrong != "" {
					return wrong
				}
			}
		}
		return ""
	}
	if wrong := parts(x.Parts, 1); wrong != "" {
		return wrong
	}
	var against []session.Explained
	for i := range x.More {
		y := &x.More[i]
		if strings.HasPrefix(y.Title, "against ") {
			if wrong := parts(y.Parts, -1); wrong != "" {
				return wrong
			}
			against = y.Parts
			for k := range y.More {
				if wrong := a.statMarks(&y.More[k], signIn(against, &y.More[k], -1), margin, check); wrong != "" {
					return wrong
				}
			}
			continue
		}
		sign := int64(-1)
		if isPart(x.Parts, y) {
			sign = signIn(x.Parts, y, 1)
		}
		if i > 0 && i == len(x.More)-1 && against == nil {
			sign = -1
		}
		if wrong := a.statMarks(y, sign, margin, check); wrong != "" {
			return wrong
		}
	}
	return ""
}

// statMarks takes away each line of a stat in turn.
func (a *auditor) statMarks(y *session.Explanation, sign, margin int64, check func(*session.Explained, int64) string) string {
	total := titleTotal(y)
	for i := range y.Parts {
		e := &y.Parts[i]
		if e.Value == "denies" || e.Why == "does not hold" {
			continue
		}
		rest := slices.Delete(slices.Clone(y.Parts), i, i+1)
		if wrong := check(e, margin-sign*(total-a.naiveTotal(rest))); wrong != "" {
			return wrong
		}
	}
	return ""
}

// isPart reports whether a stat is one of the numbers that are added up, and signIn whether it is subtracted.
func isPart(parts []session.Explained, y *session.Explanation) bool {
	return slices.ContainsFunc(parts, func(e session.Explained) bool { return e.Name == statName(y) })
}

func signIn(parts []session.Explained, y *session.Explanation, sign int64) int64 {
	for _, e := range parts {
		if e.Name == statName(y) && number(e.Value) != titleTotal(y) {
			return -sign
		}
	}
	return sign
}

func statName(y *session.Explanation) string {
	who, _, _ := strings.Cut(y.Title, " = ")
	_, name, _ := strings.Cut(who, ".")
	return name
}

// targetAddsUp checks the target number: its parts, or the stat that it is.
func targetAddsUp(x *session.Explanation, target int64) string {
	for i := range x.More {
		if y := &x.More[i]; strings.HasPrefix(y.Title, "against ") {
			if sum, _ := sumOf(y.Parts); sum != target {
				return fmt.Sprintf("the parts of the target number add up to %d", sum)
			}
			return ""
		}
	}
	if n := len(x.More); n == 0 || titleTotal(&x.More[n-1]) != target {
		return "the target number is not explained"
	}
	return ""
}

// sections checks every stat in an explanation: its lines make its total.
func (a *auditor) sections(x *session.Explanation) string {
	for i := range x.More {
		y := &x.More[i]
		if !strings.HasPrefix(y.Title, "against ") {
			if wrong := a.stat(y); wrong != "" {
				return wrong
			}
		}
		if wrong := a.sections(y); wrong != "" {
			return wrong
		}
	}
	return ""
}

func (a *auditor) stat(y *session.Explanation) string {
	if strings.HasSuffix(y.Title, ", and more") {
		return ""
	}
	if got := a.naiveTotal(y.Parts); got != titleTotal(y) {
		return fmt.Sprintf("the lines of %s make %d", y.Title, got)
	}
	for i := range y.Parts {
		e := &y.Parts[i]
		for k := range e.Of {
			a.nested++
			if wrong := a.stat(&e.Of[k]); wrong != "" {
				return wrong
			}
		}
		if len(e.Of) == 1 && e.Expr == "" && e.Counted && plainNumber.MatchString(e.Value) && number(e.Value) != titleTotal(&e.Of[0]) {
			return fmt.Sprintf("%s %s is not %s", e.Value, e.Name, e.Of[0].Title)
		}
	}
	return ""
}

// sumOf adds up dice and what is added to them; a rule may have set the face.
func sumOf(parts []session.Explained) (sum int64, known bool) {
	for _, e := range parts {
		if e.Counted {
			sum += number(strings.TrimPrefix(e.Value, "= "))
		}
	}
	return sum, len(parts) > 0
}

func titleTotal(x *session.Explanation) int64 {
	_, text, _ := strings.Cut(x.Title, " = ")
	text, _, _ = strings.Cut(text, ",")
	return number(text)
}

func number(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "+"), 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// naiveTotal computes a stat from its lines, as section 5 of the language describes it.
func (a *auditor) naiveTotal(lines []session.Explained) int64 {
	var becomes, floors, ceilings []int64
	terms, sum := int64(0), int64(0)
	best, bySource := map[string]int64{}, map[string]int64{}
	excess, parts := big.NewRat(1, 1), big.NewRat(1, 1)
	for _, e := range lines {
		if e.Value == "denies" || strings.HasPrefix(e.Why, "lost") || strings.HasPrefix(e.Why, "left out") || e.Why == "does not hold" {
			continue
		}
		op, text, found := strings.Cut(e.Value, " ")
		switch {
		case !found:
			v, to := number(e.Value), &sum
			if e.Term {
				to = &terms
			}
			law, typed := a.laws[e.Type]
			switch key := fmt.Sprint(e.Type, e.Term); {
			case v <= 0 || !typed || law == modifier.Stacks:
				*to += v
			case law == modifier.Highest:
				best[key] = max(best[key], v)
			default:
				bySource[key+"\n"+e.Name] = max(bySource[key+"\n"+e.Name], v)
			}
		case op == "=":
			becomes = append(becomes, number(text))
		case op == ">=":
			floors = append(floors, number(text))
		case op == "<=":
			ceilings = append(ceilings, number(text))
		case op == "x":
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				panic(text)
			}
			if r.Cmp(big.NewRat(1, 1)) >= 0 {
				excess.Add(excess, new(big.Rat).Sub(r, big.NewRat(1, 1)))
			} else {
				parts.Mul(parts, r)
			}
		}
	}
	for bonus := range a.laws { // a term and a modifier of one type compete as well, unless the terms are replaced
		own, other := fmt.Sprint(bonus, true), fmt.Sprint(bonus, false)
		if len(becomes) > 0 {
			delete(best, own)
		}
		sum += max(best[own], best[other])
	}
	for key, v := range bySource {
		if len(becomes) == 0 || !strings.Contains(key, "true\n") {
			sum += v
		}
	}
	if len(becomes) > 0 {
		terms = slices.Min(becomes)
	}
	total := new(big.Rat).SetInt64(terms + sum)
	total.Mul(total, excess).Mul(total, parts)
	v := new(big.Int).Div(total.Num(), total.Denom()).Int64() // Euclid: down
	if len(floors) > 0 {
		v = max(v, slices.Max(floors))
	}
	if len(ceilings) > 0 {
		v = min(v, slices.Min(ceilings))
	}
	return v
}

// facesTold checks that every face of the journal is in a line of the transcript.
func (a *auditor) facesTold(name string, p *session.Played) {
	told := map[int32]string{}
	var checks []view.Event // in order
	for _, e := range p.Events {
		told[e.ID] = e.Text
		if e.Kind == "check" || e.Kind == "replaced" {
			checks = append(checks, e)
		}
	}
	var faces []int64
	for _, e := range p.Journal().Since(0) {
		switch e.Kind {
		case machine.DieRolled:
			faces = append(faces, e.A)
			continue
		case machine.DiceRolled, machine.PickRolled:
		default:
			continue
		}
		text := told[e.ID]
		if e.Kind == machine.DiceRolled && e.C == 1 {
			if i := slices.IndexFunc(checks, func(x view.Event) bool { return x.ID > e.ID }); i >= 0 {
				for _, x := range checks[i:] {
					text += "\n" + x.Text
				}
			}
		}
		for _, f := range faces {
			if a.faces++; !regexp.MustCompile(`\b` + strconv.FormatInt(f, 10) + `\b`).MatchString(text) {
				a.t.Errorf("%s: the face %d of event %d is not told: %q", name, f, e.ID, text)
			}
		}
		faces = nil
	}
	if len(faces) > 0 {
		a.t.Errorf("%s: %d faces belong to no roll", name, len(faces))
	}
}

// TestRollsOfFights checks the rolls of random fights of each system.
func TestRollsOfFights(t *testing.T) {
	for _, path := range []string{"ambush.encounter", "ambush/modern.encounter", "ambush/third.encounter", "ambush/starfinder.encounter", "ambush/true20.encounter"} {
		t.Run(path, func(t *testing.T) {
			s, diags, err := build.File(filepath.Join("../../examples", path), build.Options{Library: rules.FS})
			if err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			a := newAuditor(t)
			for n := range *fightsFlag {
				seed := uint64(n + 1)
				p := session.Play(s, s.File.Body, session.Options{Seed: &seed, Unchecked: true, Rounds: 4})
				a.audit(fmt.Sprintf("seed %d", seed), s, p)
			}
			a.report(fmt.Sprintf("%d fights", *fightsFlag))
		})
	}
}

// TestRollsOfScripts checks the rolls of examples and tests.
func TestRollsOfScripts(t *testing.T) {
	paths := []string{"testdata/rolls.tests"}
	for _, name := range []string{"action-points", "advantage", "bell-curve", "exploding-dice"} {
		paths = append(paths, "../../examples/house-rules/"+name+".tests")
	}
	if *everyFlag {
		paths = []string{"../../examples", "../../spec", "testdata/rolls.tests"}
	}
	a := newAuditor(t)
	o := golden.Options{Library: rules.FS, OnPlayed: func(s *build.Script, test *golden.Test, p *session.Played) {
		a.audit(fmt.Sprintf("%s:%d", test.File, test.Line), s, p)
	}}
	report, err := golden.Run(paths, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range report.Tests {
		if !test.Passed && !*everyFlag {
			t.Errorf("%s:%d fails: %v", test.File, test.Line, test.Failures)
		}
	}
	a.report(fmt.Sprintf("%d tests", len(report.Tests)))
}

// A number is what its parts make, also where the order matters.
func TestNaiveTotal(t *testing.T) {
	a := &auditor{laws: map[string]modifier.Law{"luck": modifier.Highest}}
	lines := []session.Explained{{Value: "+7", Term: true}, {Value: "+2", Type: "luck"}, {Value: "+3", Type: "luck"}, {Value: "x 1/2"}, {Value: "<= 4"}}
	if got := a.naiveTotal(lines); got != 4 {
		t.Error(got)
	}
	if got := a.naiveTotal(lines[:4]); got != 5 {
		t.Error(got)
	}
}
