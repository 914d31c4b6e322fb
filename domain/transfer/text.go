package transfer

import (
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// timeLayout is how times stand in cells: in UTC, to the millisecond.
const timeLayout = "2006-01-02T15:04:05.000Z"

// listSeparator stands between the items of a list in one cell. In an item a backslash stands before it.
const listSeparator = '|'

// Text is a value of a record as the text of a cell: amounts as decimals with the digits of their currency, times in UTC,
// lists with bars between, and "" for null.
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		if v.IsZero() {
			return ""
		}
		return v.UTC().Format(timeLayout)
	case money.Money:
		return amount(v)
	case money.Decimal:
		return v.String()
	case []string:
		return JoinList(v)
	}
	return ""
}

// amount is an amount with all decimals of its currency: "9.90".
func amount(m money.Money) string {
	text, decimals := m.Major(), 0
	if _, fraction, ok := strings.Cut(text, "."); ok {
		decimals = len(fraction)
	} else if m.Currency.Exponent() > 0 {
		text += "."
	}
	return text + strings.Repeat("0", max(0, m.Currency.Exponent()-decimals))
}

// JoinList is the cell of a list.
func JoinList(items []string) string {
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			b.WriteRune(listSeparator)
		}
		for _, r := range item {
			if r == listSeparator || r == '\\' {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// SplitList reads what JoinList wrote: the items without blanks around them; nil for an empty cell.
func SplitList(cell string) (items []string) {
	if strings.TrimSpace(cell) == "" {
		return nil
	}
	var item strings.Builder
	escaped := false
	for _, r := range cell {
		switch {
		case escaped:
			item.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == listSeparator:
			items = append(items, strings.TrimSpace(item.String()))
			item.Reset()
		default:
			item.WriteRune(r)
		}
	}
	return append(items, strings.TrimSpace(item.String()))
}

// Input is a cell as the JSON value of a field of this kind in the body of a request, whose rules decide whether it is good;
// nil for an empty cell. What is no such value stays text, which those rules refuse by name.
func Input(kind collection.Kind, cell string) collection.JSONValue {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return nil
	}
	switch kind {
	case collection.Integer, collection.Number, collection.Money:
		if _, err := money.ParseDecimal(cell); err == nil {
			return collection.JSONNumber(cell)
		}
	case collection.Boolean:
		switch strings.ToLower(cell) {
		case "true", "yes", "1", "예":
			return true
		case "false", "no", "0", "아니오", "아니요":
			return false
		}
	case collection.Texts, collection.Selects, collection.RelationMany, collection.UploadMany:
		items := SplitList(cell)
		list := make([]any, len(items))
		for i, item := range items {
			list[i] = item
		}
		return list
	default: // the others are texts
	}
	return cell
}
