package dice

import (
	"fmt"
	"slices"
	"strings"
)

// This file parses dice: how many of which kind, and what is done with them.

func (p *parser) pool(count int64, at int) (node, error) {
	p.at++ // the d
	n := &pool{column: column(at), count: int32(min(count, maxDice+1))}
	if p.dice += count; count < 1 {
		return nil, p.fail(at, "no dice to roll", "")
	} else if p.dice > maxDice {
		return nil, p.fail(at, fmt.Sprintf("more than %d dice", maxDice), "")
	}
	c, from := p.peek(), p.at
	switch {
	case c == '%':
		p.at++
		n.sides = 100
	case c == 'f':
		p.at++
		n.sides, n.offset = 3, -2
	case digit(c):
		sides, err := p.number()
		switch {
		case err != nil:
			return nil, err
		case sides < 1:
			return nil, p.fail(from, "a die without sides", "")
		case sides > maxSides:
			return nil, p.fail(from, fmt.Sprintf("more than %d sides", maxSides), "")
		}
		n.sides = int32(sides)
	default:
		hint, known := foreignSides[c]
		if !known {
			hint = "d20, d% or dF"
		}
		return nil, p.unexpected("the sides of a die", hint)
	}
	for {
		found, err := p.modifier(n)
		if err == nil && !found {
			most := int(n.count)
			if len(n.explode) > 0 && !n.compound {
				most *= maxChain
			}
			found, err = p.scoring(&n.scoring, most)
		}
		if err != nil {
			return nil, err
		}
		if !found {
			return n, p.checkRests(n)
		}
	}
}

// checkRests refuses dice that would hardly ever come to rest, so that MaxChain is not reached in practice: with one
// face in MinRest the probability is below 10^-22.
func (p *parser) checkRests(n *pool) error {
	fail := func(message, hint string) error { return p.fail(int(n.column)-1, message, hint) }
	if n.unique && len(n.explode) > 0 {
		return fail("dice cannot be unique and explode", "roll some of them by themselves: {3d6u, 2d6!}")
	}
	if n.unique && !n.uniqueOnce && n.count > n.sides {
		return fail(fmt.Sprintf("%d dice of %d sides cannot all show something else", n.count, n.sides), "uo rerolls each of them once only")
	}
	rest := countResting(n)
	if n.unique && !n.uniqueOnce {
		rest = max(rest-int64(n.count)+1, 0) // the faces left for the last die
	}
	if rest*minRest < int64(n.sides) {
		few := fmt.Sprintf("only %d of %d faces end the roll", rest, n.sides)
		if rest == 0 {
			few = "no face ends the roll"
		}
		return fail(few, fmt.Sprintf("at least one face in %d must neither be rerolled nor explode", minRest))
	}
	return nil
}

// modifier parses one modifier of a pool, if one is next.
func (p *parser) modifier(n *pool) (found bool, err error) {
	low, high := 1+int64(n.offset), int64(n.sides)+int64(n.offset)
	if c := p.peek(); c != '!' && (c < 'a' || c > 'z') {
		return false, nil
	}
	at, twice := p.at, false
	switch {
	case p.apart() && strings.HasPrefix(p.text[p.at:], "!="):
		return false, nil // the total is compared
	case p.word("!"):
		before := n.explosion()
		n.compound, n.penetrate = p.word("!"), p.word("p")
		if len(n.explode) > 0 && n.explosion() != before {
			return true, p.fail(at, fmt.Sprintf("dice explode by %s or by %s, not by both", before, n.explosion()), "roll some of them by themselves: {2d6!, 2d6!!}")
		}
		twice, n.highest, err = p.point(&n.explode, high)
	case p.word("r"):
		once := p.word("o")
		if len(n.reroll) > 0 && once != n.once {
			return true, p.fail(at, "dice are rerolled by r or by ro, not by both", "r rerolls until none is left, ro once")
		}
		n.once = once
		twice, _, err = p.point(&n.reroll, low)
	case p.word("cs"):
		twice, _, err = p.point(&n.critical, high)
	case p.word("cf"):
		twice, _, err = p.point(&n.fumble, low)
	case p.word("sa"):
		twice, n.order = n.order != asRolled, ascending
	case p.word("sd"):
		twice, n.order = n.order != asRolled, descending
	case p.word("s"):
		twice, n.order = n.order != asRolled, ascending
	case p.word("u"):
		twice = n.unique
		n.unique, n.uniqueOnce = true, p.word("o")
	case p.word("min"), p.word("mi"):
		twice = n.floor.set
		n.floor.set = true
		n.floor.value, err = p.integer()
	case p.word("max"), p.word("ma"):
		twice = n.ceiling.set
		n.ceiling.set = true
		n.ceiling.value, err = p.integer()
	default:
		return false, nil
	}
	if err == nil && twice {
		err = p.fail(at, fmt.Sprintf("%q is given twice", p.text[at:p.at]), "once is enough")
	}
	if err == nil && n.floor.set && n.ceiling.set && n.floor.value > n.ceiling.value {
		err = p.fail(at, fmt.Sprintf("at least %d and at most %d", n.floor.value, n.ceiling.value), "")
	}
	return true, err
}

// point parses the comparison of an explosion or a reroll, of which there may be several; without one it is the given
// face. twice reports whether this one was there before.
func (p *parser) point(m *match, face int64) (twice, implied bool, err error) {
	var c comparison
	if digit(p.peek()) {
		c.op = equal
		c.value, err = p.number()
	} else if c, err = p.comparison(); c.op == never {
		c, implied = comparison{equal, face}, len(*m) == 0
	}
	if twice = slices.Contains(*m, c); !twice {
		*m = append(*m, c)
	}
	return twice, implied, err
}

// comparison parses a comparison of single dice or parts, if one is next. After a blank it is one of totals.
func (p *parser) comparison() (c comparison, err error) {
	if p.apart() || strings.HasPrefix(p.text[p.at:], "!=") {
		return c, nil
	}
	if c.op = p.relation(); c.op != never {
		c.value, err = p.integer()
	}
	return c, err
}

// apart reports whether there is a blank before what is next.
func (p *parser) apart() bool {
	from := p.at
	p.peek()
	return p.at > from || p.at > 0 && (p.text[p.at-1] == ' ' || p.text[p.at-1] == '\t')
}

// scoring parses one selection or the count, if one is next; most is the maximum number of values to choose from.
func (p *parser) scoring(s *scoring, most int) (found bool, err error) {
	c := p.peek()
	if (c < 'a' || c > 'z') && (c < '<' || c > '>') {
		return false, nil
	}
	at := p.at
	var sel selection
	switch {
	case p.word("kh"):
		sel = selection{keep: true, highest: true}
	case p.word("kl"):
		sel = selection{keep: true}
	case p.word("dh"):
		sel = selection{highest: true}
	case p.word("dl"):
		sel = selection{}
	case p.word("k"):
		sel = selection{keep: true, highest: true}
	case p.word("d"):
		sel = selection{}
	case p.word("f"):
		switch {
		case s.counts.op == never:
			return true, p.fail(at, "f says what fails, but nothing says what succeeds", "write that first: 6d10>=8f1")
		case s.fails.op != never:
			return true, p.fail(at, "\"f\" is given twice", "one comparison may hold for several faces: f<3")
		case digit(p.peek()):
			s.fails.op = equal
			s.fails.value, err = p.number()
			return true, err
		}
		if s.fails, err = p.comparison(); s.fails.op == never && err == nil {
			err = p.unexpected("what fails", "for example f1, or f<3")
		}
		return true, err
	default:
		c, err := p.comparison()
		if c.op == never || err != nil {
			return false, err
		}
		if s.counts.op != never {
			return true, p.fail(at, "counted twice", "one comparison says which count, and f which of them are taken off: 6d10>=8f1")
		}
		s.counts = c
		return true, nil
	}
	n := int64(1)
	if digit(p.peek()) {
		if n, err = p.number(); err != nil {
			return true, err
		}
	}
	sel.n = int32(n)
	for _, other := range s.selects {
		if other.word() == sel.word() {
			return true, p.fail(at, fmt.Sprintf("%q is given twice", sel.word()), fmt.Sprintf("%s%d says how many at once", sel.word(), max(sel.n, other.n, 2)))
		}
		most -= other.dropped(most)
	}
	switch {
	case sel.keep && n == 0:
		return true, p.fail(at, "none is kept", "")
	case !sel.keep && n >= int64(most):
		return true, p.fail(at, fmt.Sprintf("%d of %d dropped: none is left", n, most), "to roll other dice too, add them with +")
	}
	s.selects = append(s.selects, sel)
	return true, nil
}
