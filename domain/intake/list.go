package intake

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// Pair is an item of a list that has a name.
type Pair struct{ Name, Value string }

// splitPairs reads a list of pairs. ok is false if an item has no name or no equals sign.
func splitPairs(cell string) (pairs []Pair, ok bool) {
	for _, it := range splitList(cell) {
		name, value, paired := transfer.SplitOption(it)
		if !paired || name == "" {
			return nil, false
		}
		pairs = append(pairs, Pair{name, value})
	}
	return pairs, true
}

// splitList reads a list. Empty items are left out.
func splitList(cell string) []string {
	items := []string{}
	for _, it := range transfer.SplitList(cell) {
		if it = strings.TrimSpace(it); it != "" {
			items = append(items, it)
		}
	}
	return items
}
