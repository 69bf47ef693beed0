package main

import (
	"cmp"
	"os"

	"github.com/parquet-go/parquet-go"
)

// This file writes the numbers of a sweep in the format Parquet, for programs that read tables in columns.

// newParquet begins a file with a column for each thing that is varied.
func newParquet(path string, tries []string) (write func(rows []sweepRow) error, end func() error, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, nil, err
	}
	text, number, count, flag := parquet.String(), parquet.Leaf(parquet.DoubleType), parquet.Uint(64), parquet.Leaf(parquet.BooleanType)
	group := parquet.Group{
		"encounter": text, "rules": text, "fights": count, "of": text, "what": text, "value": number, "low": number, "high": number,
		"change": parquet.Optional(number), "change_low": parquet.Optional(number), "change_high": parquet.Optional(number), "different": parquet.Optional(count),
		"p_value": parquet.Optional(number), "significant": parquet.Optional(flag),
	}
	for _, name := range tries {
		group[name] = parquet.Optional(text)
	}
	schema := parquet.NewSchema("sweep", group)
	w := parquet.NewWriter(f, schema, parquet.Compression(&parquet.Zstd))
	write = func(rows []sweepRow) error {
		var list []parquet.Row
		for i := range rows {
			list = append(list, rows[i].parquet(schema))
		}
		if len(list) == 0 {
			return nil
		}
		_, err := w.WriteRows(list)
		return err
	}
	return write, func() error { return cmp.Or(w.Close(), f.Close()) }, nil
}

// parquet is the row in the columns of a schema.
func (r *sweepRow) parquet(schema *parquet.Schema) parquet.Row {
	var row parquet.Row
	for i, path := range schema.Columns() {
		value, there := r.column(path[0])
		switch leaf, _ := schema.Lookup(path...); {
		case !leaf.Node.Optional():
			row = append(row, parquet.ValueOf(value).Level(0, 0, i))
		case there:
			row = append(row, parquet.ValueOf(value).Level(0, 1, i))
		default:
			row = append(row, parquet.ValueOf(nil).Level(0, 0, i))
		}
	}
	return row
}

// column is the value in a column, and whether there is one.
func (r *sweepRow) column(name string) (value any, there bool) {
	switch name {
	case "encounter":
		return r.Encounter, true
	case "rules":
		return r.Rules, true
	case "fights":
		return r.Fights, true
	case "of":
		return r.Of, true
	case "what":
		return r.What, true
	case "value":
		return r.Value, true
	case "low":
		return r.Low, true
	case "high":
		return r.High, true
	}
	text, varied := r.Values[name]
	if r.Change == nil || varied {
		return text, varied
	}
	switch name {
	case "change":
		return *r.Change, true
	case "change_low":
		return *r.ChangeLow, true
	case "change_high":
		return *r.ChangeHigh, true
	case "different":
		return *r.Different, true
	case "p_value":
		return *r.PValue, true
	case "significant":
		return *r.Significant, true
	}
	return nil, false
}
