package parse

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"arbiter/lang/ast"
)

// dump prints a tree as compact s-expressions, without positions: (Type field:value ...). Empty fields are omitted;
// identifiers and numbers are printed as written.
func dump(n any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(n))
	return b.String()
}

var spanType = reflect.TypeFor[ast.Span]()

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case reflect.Struct:
		dumpStruct(b, v)
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpStruct(b *strings.Builder, v reflect.Value) {
	switch n := v.Interface().(type) {
	case ast.Ident:
		b.WriteString(n.Name)
		return
	case ast.Name:
		b.WriteString(n.Name)
		return
	case ast.Number:
		fmt.Fprint(b, n.Value)
		b.WriteString(n.Unit.Name)
		return
	case ast.Dice:
		b.WriteString(n.Notation)
		return
	case ast.Literal:
		b.WriteString(n.Word)
		return
	case ast.Text:
		b.WriteString(strconv.Quote(n.Value))
		return
	case ast.String:
		b.WriteString(strconv.Quote(n.Value))
		return
	case ast.Cite:
		b.WriteString(n.ID)
		if n.To != "" {
			b.WriteString("-" + n.To)
		}
		return
	}
	b.WriteByte('(')
	b.WriteString(v.Type().Name())
	dumpFields(b, v)
	b.WriteByte(')')
}

func dumpFields(b *strings.Builder, v reflect.Value) {
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Type == spanType || empty(f) {
			continue
		}
		if t.Anonymous {
			dumpFields(b, f)
			continue
		}
		fmt.Fprintf(b, " %s:", strings.ToLower(t.Name))
		dumpValue(b, f)
	}
}

func empty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}
