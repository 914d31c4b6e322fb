package collection

import (
	"fmt"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

func splitComma(s string) []any {
	if s == "" {
		return nil
	}
	var out []any
	for _, part := range strings.Split(s, ",") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

func scalarText(tree Tree) (string, bool) {
	switch v := tree.(type) {
	case string:
		return v, true
	case Numeral:
		return string(v), true
	}
	return "", false
}

// operand reads one value into the column form of f. Query strings give everything as text.
func operand(f Field, tree Tree) (any, error) {
	if b, ok := tree.(bool); ok {
		if f.Kind != Boolean {
			return nil, fmt.Errorf("%s is no %s.", AppendTree(nil, tree), f.Kind)
		}
		return b, nil
	}
	if tree == nil {
		return nil, nil
	}
	text, ok := scalarText(tree)
	if !ok {
		return nil, fmt.Errorf("takes a single value.")
	}
	if text == "null" && !(f.Kind == Text || f.Kind == Textarea || f.Kind == Texts) {
		return nil, nil
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
			return nil, fmt.Errorf("takes true or false.")
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
	}
	return text, nil
}

func number(n int64, err error) (any, error) {
	if err != nil {
		return nil, fmt.Errorf("%s", fault.From(err).Message)
	}
	return n, nil
}

// ParseTime reads RFC 3339, or a bare date as UTC midnight.
func ParseTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 0 && t.Year() <= 9999 {
			return Instant(t), true
		}
	}
	return time.Time{}, false
}
