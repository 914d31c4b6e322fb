// Package timeline tells the changes of a record for people: which fields got which values, in words. Rule events-13.
//
//   - A group, such as an address, is told by its members that changed; a list as a whole.
//   - Of a new record those fields are told that somebody decided for it alone, such as the agreed price of a line.
//   - Labels and summaries are English. Consoles in other languages make their own from path, from and to.
//   - What only the server sees, and what it computes, is not told: events do not show it.
package timeline

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Change is the change of one field: from and to are its JSON values before and after, null for none.
type Change struct {
	Path     string // "status"; members of groups with a dot: "shippingAddress.city"
	Label    string // the path in words: "Shipping address: city"
	From, To any
}

// maxSummaryValue is how many characters a value in a summary has at most.
const maxSummaryValue = 60

// Between lists what differs between two states of a record of s, as its events show them, in the order of its fields. names
// are the fields that the event says have changed.
func Between(s *collection.Schema, names []string, before, after map[string]any) (list []Change) {
	for _, f := range s.AllFields() {
		if slices.Contains(names, f.Name) {
			list = append(list, differences(f, f.Name, Words(f.Name), before[f.Name], after[f.Name])...)
		}
	}
	return list
}

// Made lists what a record of s, just created, has in fields that are told with it (Field.ToldWhenCreated), in lists too.
func Made(s *collection.Schema, after map[string]any) []Change { return made(s.Fields, "", "", after) }

func made(fields []collection.Field, path, label string, values map[string]any) (list []Change) {
	for _, f := range fields {
		at, is := path+f.Name, values[f.Name]
		name := Words(f.Name)
		if label != "" {
			name = label + ": " + strings.ToLower(name)
		}
		if f.ToldWhenCreated {
			list = append(list, differences(f, at, name, nil, is)...)
			continue
		}
		rows, _ := is.([]any)
		for i, row := range rows {
			if in, isGroup := row.(map[string]any); isGroup && f.Kind == collection.Array {
				at := at + "." + strconv.Itoa(i)
				list = append(list, made(f.Fields, at+".", fmt.Sprintf("%s %d", name, i+1), in)...)
			}
		}
	}
	return list
}

// differences are the changes of a field, or of the members of a group.
func differences(f collection.Field, path, label string, before, after any) (list []Change) {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	was, _ := before.(map[string]any)
	is, _ := after.(map[string]any)
	if f.Kind != collection.Group || was == nil && is == nil {
		return []Change{{path, label, before, after}}
	}
	for _, m := range f.Fields {
		list = append(list, differences(m, path+"."+m.Name, label+": "+strings.ToLower(Words(m.Name)), was[m.Name], is[m.Name])...)
	}
	return list
}

// Summary is a sentence about what happened to a record of s: "Order created", "Status changed from open to paid".
func Summary(s *collection.Schema, op collection.Operation, changes []Change) string {
	switch {
	case op == collection.Created:
		return Words(s.Singular) + " created"
	case op == collection.Deleted:
		return Words(s.Singular) + " deleted"
	case len(changes) == 0:
		return Words(s.Singular) + " changed"
	}
	first := changes[0]
	if i := slices.IndexFunc(changes, func(c Change) bool { return c.Path == "status" }); i >= 0 {
		first = changes[i]
	}
	text := first.Label + " changed"
	from, short := brief(first.From)
	to, alsoShort := brief(first.To)
	if short && alsoShort {
		text += " from " + from + " to " + to
	}
	switch others := len(changes) - 1; others {
	case 0:
		return text
	case 1:
		return text + ", and one more field"
	default:
		return fmt.Sprintf("%s, and %d more fields", text, others)
	}
}

// brief is a value in a sentence; ok is false for one that is long or has parts.
func brief(v any) (text string, ok bool) {
	switch x := v.(type) {
	case nil:
		return "nothing", true
	case string:
		text = x
	case bool:
		text = map[bool]string{true: "yes", false: "no"}[x]
	case collection.JSONNumber:
		text = string(x)
	case map[string]any: // money: {amount, currency}
		amount, isMoney := x["amount"].(collection.JSONNumber)
		currency, hasCurrency := x["currency"].(string)
		if !isMoney || !hasCurrency {
			return "", false
		}
		text = string(amount) + " " + currency
	default:
		return "", false
	}
	return text, text != "" && len([]rune(text)) <= maxSummaryValue && !strings.ContainsAny(text, "\n\r")
}

// Words is a name in words: "shippingAddress" is "Shipping address", "ProductVariant" is "Product variant".
func Words(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			b.WriteRune(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
