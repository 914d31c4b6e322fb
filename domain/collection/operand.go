package collection

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Why an operator does not accept a value; the caller adds the path.
var (
	errNotApplicable = errors.New("cannot be used on this field.")
	errNull          = errors.New("cannot compare with null.")
)

// operands parses the value of op into the form of Comparison.Values.
func (p *QueryParser) operands(leaf Field, op Op, tree JSONValue) ([]any, error) {
	switch op {
	case Exists:
		switch tree {
		case true, "true":
			return []any{true}, nil
		case false, "false":
			return []any{false}, nil
		}
		return nil, errors.New("takes true or false.")
	case Like, Contains:
		return p.textOperands(leaf, op, tree)
	default: // the other operators compare
	}
	return p.comparisonOperands(leaf, op, tree)
}

// textOperands parses the text of like and contains.
func (p *QueryParser) textOperands(leaf Field, op Op, tree JSONValue) ([]any, error) {
	text, ok := scalarText(tree)
	switch {
	case !ok:
		return nil, errors.New("takes text.")
	case leaf.Labels && op == Contains:
		return []any{label(text)}, nil
	case leaf.Kind.Many() && leaf.Kind != Array && op == Contains:
		return []any{text}, nil
	case !leaf.Kind.Textual() || leaf.Kind.Related():
		return nil, errNotApplicable
	case utf8.RuneCountInString(text) > maxSearched:
		return nil, fmt.Errorf("takes at most %d characters.", maxSearched)
	}
	folded := p.Fold(text)
	var words []any
	for w := range strings.FieldsSeq(folded) {
		words = append(words, w)
	}
	switch {
	case len(words) > maxWords:
		return nil, fmt.Errorf("takes at most %d words.", maxWords)
	case op == Contains:
		return []any{folded}, nil
	}
	return words, nil
}

// comparisonOperands parses the values of equality, membership and order.
func (p *QueryParser) comparisonOperands(leaf Field, op Op, tree JSONValue) ([]any, error) {
	member := op == In || op == NotIn
	ordered := !member && op != Equals && op != NotEquals
	switch {
	case leaf.Kind == Group || leaf.Kind == Array || leaf.Kind == JSON || leaf.Kind == RichText:
		return nil, errors.New("can only be asked whether it exists.")
	case leaf.Kind == Boolean && ordered:
		return nil, errNotApplicable
	}
	items := []any{tree}
	if member {
		var err error
		if items, err = members(tree); err != nil {
			return nil, err
		}
		if p.inValues += len(items); p.inValues > maxInValues {
			return nil, fmt.Errorf("has more than %d values, with those of the other conditions.", maxInValues)
		}
	}
	var values []any
	for _, it := range items {
		v, err := operand(leaf, it)
		if err != nil {
			return nil, err
		}
		if v == nil && ordered {
			return nil, errNull
		}
		values = append(values, v)
	}
	return values, nil
}

// members parses a list, or a text with commas.
func members(tree JSONValue) ([]any, error) {
	switch v := tree.(type) {
	case []any:
		return v, nil
	case string:
		return splitComma(v), nil
	case JSONNumber:
		return []any{v}, nil
	}
	return nil, errors.New("takes a list.")
}

func splitComma(s string) []any {
	if s == "" {
		return nil
	}
	var out []any
	for part := range strings.SplitSeq(s, ",") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

func scalarText(tree JSONValue) (string, bool) {
	switch v := tree.(type) {
	case string:
		return v, true
	case JSONNumber:
		return string(v), true
	}
	return "", false
}

// operand parses one value into the column form of f. Values in query strings are always text.
func operand(f Field, tree JSONValue) (any, error) {
	if b, ok := tree.(bool); ok {
		if f.Kind != Boolean {
			return nil, fmt.Errorf("%s is no %s.", AppendJSONValue(nil, tree), f.Kind)
		}
		return b, nil
	}
	if tree == nil {
		return nil, nil
	}
	text, ok := scalarText(tree)
	if !ok {
		return nil, errors.New("takes a single value.")
	}
	if (text == "null" || text == "") && f.Kind != Text && f.Kind != Textarea && f.Kind != Texts {
		return nil, nil // null in a query string; no such field has this value
	}
	switch f.Kind {
	case Money:
		return number(money.ParseColumn(text))
	case Number:
		d, err := money.ParseDecimal(text)
		return number(d.E8(), err)
	case Integer:
		d, err := money.ParseDecimal(text)
		if err == nil && d.E8()%100_000_000 != 0 {
			err = money.ErrTooManyDigits
		}
		return number(d.E8()/100_000_000, err)
	case Boolean:
		if text != "true" && text != "false" {
			return nil, errors.New("takes true or false.")
		}
		return text == "true", nil
	case Date:
		t, ok := ParseTime(text)
		if !ok {
			return nil, fmt.Errorf("%q is no date.", text)
		}
		return t, nil
	case Select, Selects:
		if to, ok := f.Aliases[text]; ok {
			return to, nil
		}
	case Texts:
		if f.Labels {
			return label(text), nil
		}
	default: // the other kinds are text
	}
	return text, nil
}

func number(n int64, err error) (any, error) {
	if err != nil {
		return nil, fmt.Errorf("%s", fault.From(err).Message)
	}
	return n, nil
}

// ParseTime parses RFC 3339, or a bare date as UTC midnight.
func ParseTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 0 && t.Year() <= 9999 {
			return TruncateTime(t), true
		}
	}
	return time.Time{}, false
}
