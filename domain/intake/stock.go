package intake

import "strings"

// Count is what a row of a stock file says: how many units of a variant are on hand.
type Count struct {
	SKU     string
	Variant string // id; only of a variant without SKU
	OnHand  int64
}

// Count reads a row of a stock file; with problems it says nothing.
func (r Row) Count() (Count, []Problem) {
	given := r.values(Stock.of(whole))
	var c Count
	if id, is := strings.CutPrefix(r.Key(), byID); is {
		c.Variant = id
	} else {
		c.SKU = r.Key()
	}
	switch n, whole := readWhole(given["onHand"]); {
	case len(r.Problems) > 0:
	case given["onHand"] == nil:
		r.fail("onHand", CodeMissing, "The cell is empty. Write 0 for none.")
	case !whole || n < 0:
		r.fail("onHand", CodeNumber, "The cell is not a whole number from 0.")
	default:
		c.OnHand = n
	}
	return c, r.Problems
}
