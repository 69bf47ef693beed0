package statblock

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// This file finds the keys of named values: members of JSON, columns of a table, elements of XML.

// leastColumns is how many columns of a table, or members of an object, must be known for it to be one of blocks.
const leastColumns = 3

// columns returns the keys by the plain form of their labels and of the names of columns, and of themselves.
func (v *Vocabulary) columns() map[string]string {
	keys := map[string]string{Name: Name}
	for _, key := range slices.Sorted(maps.Keys(v.Labels)) {
		keys[plainName(key)] = key
	}
	for _, f := range v.prepare().forms {
		if keys[plainName(f.text)] == "" {
			keys[plainName(f.text)] = f.key
		}
	}
	for _, key := range slices.Sorted(maps.Keys(v.Columns)) {
		for _, name := range append([]string{key}, v.Columns[key]...) {
			if keys[plainName(name)] == "" {
				keys[plainName(name)] = key
			}
		}
	}
	return keys
}

// knows reports whether a key is one of the vocabulary.
func (v *Vocabulary) knows(key string) bool {
	_, label := v.Labels[key]
	_, column := v.Columns[key]
	return key != Name && (label || column)
}

// plainName is a name without what stands between its words.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// keyOf returns the key of a named value: as it is written, or without what stands in brackets, as in Armor Class (AC).
func keyOf(name string, keys map[string]string) (key string, known bool) {
	if key, known = keys[plainName(name)]; !known {
		before, _, brackets := strings.Cut(name, "(")
		if key, known = keys[plainName(before)]; !known || !brackets {
			return "", false
		}
	}
	return key, true
}

// member makes an entry of a named value.
func member(name string, value any, line int, keys map[string]string) Entry {
	key, known := keyOf(name, keys)
	switch {
	case key == Name && isString(value):
		return Entry{Key: Name, Text: Flat(value), At: Place{line, 1}, Value: value}
	case plainName(name) == Heading && isString(value):
		key = Heading
	case !known || key == Name:
		key = Prose
	}
	return Entry{Key: key, Label: oneWord(name), Text: Flat(value), At: Place{line, 1}, Value: value}
}

// maxWrapped is how deep the objects may lie that are blocks.
const maxWrapped = 4

// within returns the blocks that lie in an object which is none itself, in a list or each under its name, and what else
// it has. There are no blocks if it has none, or is one.
func within(s Sheet, line int, keys map[string]string) (sheets []Sheet, rest []Entry) {
	if s.Get(Name) != nil {
		return nil, nil
	}
	known := 0
	x := map[string]any{}
	for _, e := range s.Entries {
		if e.Key != Prose {
			known++
		}
		x[e.Label] = e.Value
	}
	if _, list := listed(x, keys); list == nil && known >= leastColumns {
		return nil, nil
	}
	return inner(x, line, keys, 0)
}

// listed returns the first member that is a list of objects with names, and these.
func listed(x map[string]any, keys map[string]string) (in string, list []map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(x)) {
		list, _ := x[name].([]any)
		var found []map[string]any
		for _, e := range list {
			if m, ok := e.(map[string]any); ok && isNamed(m, keys) {
				found = append(found, m)
			}
		}
		if len(found) > 0 && len(found) == len(list) {
			return name, found
		}
	}
	return "", nil
}

// isNamed reports whether an object says what it is called.
func isNamed(m map[string]any, keys map[string]string) bool {
	for name, v := range m {
		if keys[plainName(name)] == Name && isString(v) {
			return true
		}
	}
	return false
}

// inner looks for blocks in the members of an object: a list of them, or objects with members enough that are known, of
// which one without a name is called as the member. What holds none is the rest.
func inner(x map[string]any, line int, keys map[string]string, depth int) (sheets []Sheet, rest []Entry) {
	in, list := listed(x, keys)
	for _, m := range list {
		sheets = append(sheets, objectSheet(m, line, keys))
	}
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if list != nil && name == in {
			continue
		}
		whole := member(name, x[name], line, keys)
		m, ok := x[name].(map[string]any)
		if !ok || list != nil {
			rest = append(rest, whole)
			continue
		}
		s := objectSheet(m, line, keys)
		known := 0
		for _, e := range s.Entries {
			if e.Key != Prose && e.Key != Name {
				known++
			}
		}
		if known >= leastColumns {
			if s.Get(Name) == nil {
				s.Entries = slices.Insert(s.Entries, 0, member(Name, name, line, keys))
			}
			sheets = append(sheets, s)
			continue
		}
		var deeper []Sheet
		others := []Entry{whole}
		if depth < maxWrapped {
			if list, left := inner(m, line, keys, depth+1); len(list) > 0 {
				deeper, others = list, left
			}
		}
		sheets, rest = append(sheets, deeper...), append(rest, others...)
	}
	return sheets, rest
}
