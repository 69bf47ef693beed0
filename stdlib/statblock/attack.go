package statblock

import (
	"regexp"
	"strconv"
	"strings"

	"arbiter/stdlib/pattern"
)

// Blow is one kind of attack in an attack line.
type Blow struct {
	Alternative int    // from 0: those with the same number belong together
	Count       int    // how many times, 1 if the line does not say
	Name        string // without the count
	Bonuses     []int  // the first, and those for each further attack; nil if the line has none
	Mode        string // the words between the bonus and the damage, such as how far it reaches and what it need not pierce
	Damage      string // in the brackets, or behind the bonus
	At          int    // offset in the line, in its usual form
}

// AttackLines reads attack lines whose bonuses certain words may follow.
type AttackLines struct {
	// afterBonus is what may follow a bonus. Without it, the number belongs to the name.
	afterBonus *regexp.Regexp
	// bareDamage is damage without brackets, behind the words that say how far the blow reaches.
	bareDamage *regexp.Regexp
}

// NewAttackLines returns a reader of attack lines. words are those that can stand between a bonus and its damage, such as
// how far the blow reaches: behind a number they tell that it is a bonus, and not a part of the name.
func NewAttackLines(words []string) *AttackLines {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	between := strings.Join(quoted, "|")
	after, behind := "", ""
	if between != "" {
		after, behind = `(?i:`+between+`)\b|`, between+`|`
	}
	return &AttackLines{
		afterBonus: regexp.MustCompile(`^\s*(?:` + after + `x\d|\(|,|;|\.|$|(?i:and|or|plus|vs)\b)`),
		bareDamage: regexp.MustCompile(`(?i)((?:[+-]\d+)(?:/[+-]?\d+)*(?:\s+(?:` + behind + `attacks?))+[:,]?)\s+((?:\d*d\d+|\d+ (?:damage|points?)\b)[^(),;]*?)(\s+(?:and|or)\s|[,;.(]|$)`),
	}
}

// Read takes an attack line apart. What it cannot read is in rest, part by part.
//
// A line has alternatives, separated by `or` or a semicolon, of blows, separated by `and`, a comma or `plus`. A blow is a
// number, a name that may have brackets, bonuses with slashes, words, and damage in brackets.
func (r *AttackLines) Read(line string) (blows []Blow, rest []string) {
	line = r.plainBlows(line)
	alternative, fresh := 0, true
	start := 0
	flush := func(text string) {
		if text = strings.Trim(text, " ,;.*"); Words(text) > 0 && !joiner().MatchString(text) {
			rest = append(rest, text)
		}
	}
	for start < len(line) {
		b, from, end, ok := r.nextBlow(line, start)
		if !ok {
			flush(line[start:])
			break
		}
		lead := line[start:from]
		m := leadIn().FindString(lead)
		switch word := strings.ToLower(m); {
		case fresh:
		case strings.Contains(word, "or"), strings.Contains(word, ";") && !strings.Contains(word, "and"), strings.Contains(word, "/"):
			alternative++
		}
		fresh = false
		name := strings.TrimSpace(lead[len(m):])
		if k := strings.LastIndex(name, ";"); k >= 0 { // something else before it
			flush(name[:k])
			name = strings.TrimSpace(name[k+1:])
		}
		b.Alternative = alternative
		behind := b.Count
		b.Count, b.Name = splitCount(name)
		if m := countInName().FindStringSubmatchIndex(b.Name); m != nil {
			if behind == 0 {
				behind, _ = strconv.Atoi(b.Name[m[2]:m[3]])
			}
			b.Name = b.Name[:m[0]] + b.Name[m[3]:]
		}
		if behind > 0 && b.Count == 1 {
			b.Count = behind
		}
		b.At = start + len(m)
		blows = append(blows, b)
		start = end
	}
	return blows, rest
}

var (
	joiner = pattern.New(`^(?i:and|or|plus|,|;|and/or|either|with|\s)+$`)
	leadIn = pattern.New(`^(?i:[\s,;.*/]|(?:and/or|and|or|plus|either)\b)*`)
	// bonus is what follows the name: one number or several, with slashes.
	bonus = pattern.New(`^([+-]\s?\d+)((?:\s?/\s?[+-]?\d+)*)[*†‡]?`)
	// mode is what stands between the bonus and the brackets: words only.
	mode        = pattern.New(`^\s*((?:[\pL'-]+\s*){0,4})`)
	countBehind = pattern.New(`^\s?x(\d{1,2})\b`)
	countInName = pattern.New(`\s+x(\d{1,2})\b`)
	critical    = pattern.New(`^\s*/\s*(?:\d{2}\s?-\s?20|x\d)(?:\s*/\s*x\d)?`)
	diceStart   = pattern.New(`^\(\s*\d*[dD]\d`)
	// insideBonus is a blow whose bonus stands within the brackets, in front of its damage.
	insideBonus = pattern.New(`\(\s*([+-]\d+(?:/[+-]?\d+)*(?:\s+[\pL' -]+?)?)\s*[,;:]\s*(\d*[dD]?\d[^()]*)\)`)
)

// plainBlows puts damage into the brackets in which it usually stands.
func (r *AttackLines) plainBlows(line string) string {
	if insideBonus().MatchString(line) {
		line = insideBonus().ReplaceAllString(line, "$1 ($2)")
	}
	if r.bareDamage.MatchString(line) {
		line = r.bareDamage.ReplaceAllString(line, "$1 ($2)$3")
	}
	return line
}

// nextBlow finds the next bonus with its damage, or damage without a bonus. from is where the bonus begins, end where
// the blow ends.
func (r *AttackLines) nextBlow(line string, start int) (b Blow, from, end int, ok bool) {
	for i := start; i < len(line); i++ {
		c := line[i]
		if c == '(' {
			if diceStart().MatchString(line[i:]) && Words(line[start:i]) > 0 && !r.followsOpening(line, start, i) {
				end := closing(line, i)
				b.Damage = inside(line, i, end)
				return b, i, end, true
			}
			i = closing(line, i) - 1
			continue
		}
		if c != '+' && c != '-' || i > start && line[i-1] != ' ' && line[i-1] != ')' {
			continue
		}
		m := bonus().FindStringSubmatchIndex(line[i:])
		if m == nil || !r.afterBonus.MatchString(line[i+m[1]:]) {
			continue
		}
		if first, err := strconv.Atoi(strings.ReplaceAll(line[i+m[2]:i+m[3]], " ", "")); err == nil {
			b.Bonuses = append(b.Bonuses, first)
		}
		for part := range strings.SplitSeq(line[i+m[4]:i+m[5]], "/") {
			if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil && len(b.Bonuses) < 20 {
				b.Bonuses = append(b.Bonuses, n)
			}
		}
		end = i + m[1]
		if times := countBehind().FindStringSubmatch(line[end:]); times != nil {
			b.Count, _ = strconv.Atoi(times[1])
			end += len(times[0])
		}
		if words := mode().FindStringSubmatch(line[end:]); words != nil {
			text := words[1]
			if k := conjunction().FindStringIndex(text); k != nil {
				text = text[:k[0]]
			}
			b.Mode = strings.TrimSpace(text)
			end += strings.Index(line[end:], text) + len(text)
		}
		if k := len(line[end:]) - len(strings.TrimLeft(line[end:], " ")); end+k < len(line) && line[end+k] == '(' {
			open := end + k
			end = closing(line, open)
			b.Damage = inside(line, open, end)
		}
		if m := critical().FindString(line[end:]); m != "" { // outside of the brackets by mistake
			b.Damage += strings.ReplaceAll(m, " ", "")
			end += len(m)
		}
		for end < len(line) && line[end] == ')' {
			end++
		}
		return b, i, end, true
	}
	return b, 0, 0, false
}

var conjunction = pattern.New(`(?i)\b(?:and|or|plus)\b`)

// followsOpening reports whether the bracket at i belongs to a name, in front of a bonus.
func (r *AttackLines) followsOpening(line string, start, i int) bool {
	end := closing(line, i)
	rest := strings.TrimLeft(line[end:], " ")
	m := bonus().FindStringIndex(rest)
	return m != nil && r.afterBonus.MatchString(rest[m[1]:])
}

// closing returns the offset behind the bracket that closes the one at i, or the end of the line.
func closing(line string, i int) int {
	depth := 0
	for ; i < len(line); i++ {
		switch line[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(line)
}

func inside(line string, open, end int) string {
	return strings.TrimSpace(strings.TrimSuffix(line[open+1:end], ")"))
}

var numberWords = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// splitCount splits a number, in digits or as a word, from the name that follows it.
func splitCount(name string) (int, string) {
	word, rest, ok := strings.Cut(name, " ")
	if !ok {
		return 1, name
	}
	if n, err := strconv.Atoi(word); err == nil && n > 0 && n < 1000 && !strings.HasPrefix(word, "+") {
		return n, strings.TrimSpace(rest)
	}
	for i, w := range numberWords {
		if strings.EqualFold(w, word) {
			return i + 1, strings.TrimSpace(rest)
		}
	}
	return 1, name
}

// Damage is what stands in the brackets of a blow.
type Damage struct {
	Dice       string // 2d6, or a plain number; "" if there is none
	Bonus      int
	Threat     int      // the lowest number that threatens a critical hit, 0 if it is not stated
	Multiplier int      // 0 if it is not stated
	Unit       string   // what the number counts, if not points of damage
	Riders     []string // what comes on top
}

var (
	diceAndBonus = pattern.New(`^(\d*[dD]\d+|\d+)\s*([+-]\s*\d+)?`)
	secondDice   = pattern.New(`^\s*[dD]\d`)
	threatRange  = pattern.New(`^\s*[/,]?\s*(\d{2})\s*-\s*20`)
	plainThreat  = pattern.New(`^\s*/\s*20\s*(?:/|$)`) // only the highest number, which goes without saying
	times        = pattern.New(`^\s*[/,]?\s*[xX]\s?(\d)\b`)
	extraStart   = pattern.New(`^(?i)\s*(?:plus\b|and\b|,|\+|;|/|or\b)\s*`)
	extraSplit   = pattern.New(`(?i)\s*(?:\bplus\b|,|;|\band\b)\s*`)
)

// ParseDamage takes apart what stands in the brackets of a blow.
func ParseDamage(text string) Damage {
	var d Damage
	text = strings.TrimSpace(strings.TrimRight(text, "* †‡"))
	if text == "—" || text == "" {
		return d
	}
	if m := diceAndBonus().FindStringSubmatch(text); m != nil {
		d.Dice = strings.ToLower(m[1])
		if strings.HasPrefix(d.Dice, "d") {
			d.Dice = "1" + d.Dice
		}
		rest := text[len(m[0]):]
		if m[2] != "" && secondDice().MatchString(rest) { // 1d6+1d6: the second is not a bonus
			rest = text[len(m[0])-len(m[2]):]
		} else if m[2] != "" {
			d.Bonus, _ = strconv.Atoi(strings.ReplaceAll(m[2], " ", ""))
		}
		text = rest
		for {
			if m := threatRange().FindStringSubmatch(text); m != nil && d.Threat == 0 {
				d.Threat, _ = strconv.Atoi(m[1])
				text = text[len(m[0]):]
			} else if m := times().FindStringSubmatch(text); m != nil && d.Multiplier == 0 {
				d.Multiplier, _ = strconv.Atoi(m[1])
				text = text[len(m[0]):]
			} else if m := plainThreat().FindString(text); m != "" {
				text = strings.TrimRight(text[len(strings.TrimRight(m, "/")):], " ")
			} else {
				break
			}
		}
	}
	if m := extraStart().FindString(text); m != "" {
		text = text[len(m):]
	} else if unit := strings.TrimSpace(text); d.Dice != "" && unit != "" {
		d.Unit = unit
		if m := extraSplit().FindStringIndex(unit); m != nil {
			d.Unit, text = strings.TrimSpace(unit[:m[0]]), unit[m[1]:]
		} else {
			text = ""
		}
	}
	for _, r := range extraSplit().Split(text, 20) {
		if r = strings.TrimSpace(r); r != "" {
			d.Riders = append(d.Riders, r)
		}
	}
	return d
}
