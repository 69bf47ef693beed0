package words

import (
	"maps"
	"slices"
	"strconv"
)

// This file is the table of units: what may follow a number, and how quantities are written.

// Unit is what a number counts: Size base units of its dimension.
type Unit struct {
	Dimension string
	Size      int64
}

// Units by name. The base units are foot, second, pound, copper piece, mile per hour, degree and percent.
var Units = map[string]Unit{
	"ft": {"distance", 1}, "foot": {"distance", 1}, "feet": {"distance", 1}, "square": {"distance", 5}, "squares": {"distance", 5},
	"mile": {"distance", 5280}, "miles": {"distance", 5280},
	"second": {"duration", 1}, "seconds": {"duration", 1}, "round": {"duration", 6}, "rounds": {"duration", 6},
	"minute": {"duration", 60}, "minutes": {"duration", 60}, "hour": {"duration", 3600}, "hours": {"duration", 3600},
	"day": {"duration", 86400}, "days": {"duration", 86400}, "week": {"duration", 604800}, "weeks": {"duration", 604800},
	"lb": {"weight", 1}, "gp": {"money", 100}, "sp": {"money", 10}, "cp": {"money", 1}, "credit": {"money", 100}, "credits": {"money", 100},
	"mph": {"speed", 1}, "F": {"temperature", 1}, "%": {"chance", 1},
}

// displayUnits are the units in which quantities of a dimension are written, largest first, each with its singular.
var displayUnits = map[string][][2]string{
	"distance": {{"ft", "ft"}},
	"duration": {{"days", "day"}, {"hours", "hour"}, {"minutes", "minute"}, {"rounds", "round"}, {"seconds", "second"}},
	"weight":   {{"lb", "lb"}}, "money": {{"gp", "gp"}, {"sp", "sp"}, {"cp", "cp"}}, "speed": {{"mph", "mph"}},
	"temperature": {{"F", "F"}}, "chance": {{"%", "%"}},
}

// IsUnit reports whether w may follow a number as its unit.
func IsUnit(w string) bool { return Units[w].Size != 0 }

// NearestUnit returns the unit that a misspelled word most likely means, or "".
func NearestUnit(w string) string { return Nearest(w, slices.Sorted(maps.Keys(Units))) }

// IsDimension reports whether name is a dimension.
func IsDimension(name string) bool { return displayUnits[name] != nil }

// Dimensions lists the dimensions, in no particular order.
func Dimensions() []string {
	var names []string
	for name := range displayUnits {
		names = append(names, name)
	}
	return names
}

// Quantity writes n base units of a dimension in the largest unit that divides n.
func Quantity(dimension string, n int64) string {
	for _, names := range displayUnits[dimension] {
		size := Units[names[0]].Size
		if size > 1 && (n == 0 || n%size != 0) {
			continue
		}
		name := names[0]
		if n/size == 1 {
			name = names[1]
		}
		if name == "%" {
			return strconv.FormatInt(n/size, 10) + name
		}
		return strconv.FormatInt(n/size, 10) + " " + name
	}
	return strconv.FormatInt(n, 10)
}
