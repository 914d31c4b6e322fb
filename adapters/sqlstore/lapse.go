package sqlstore

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Fields that lapse are compiled with the time of the query as an argument, so that SQL never asks for the time itself.

// lapses reports whether f may read otherwise than it is stored.
func (c *compiler) lapses(f collection.Field) bool { return f.Lapses != nil && !c.now.IsZero() }

// due holds when the time of lapsing has come; it is null where there is no such time.
func (c *compiler) due(p place, l *collection.Lapse) string {
	at, _ := p.sh.schema.Field(l.At)
	expr, _ := c.scalar(p, at)
	return expr + " <= " + c.a.bind(collection.Instant(c.now))
}

// reading is the value that f reads as, for sorting.
func (c *compiler) reading(p place, f collection.Field, expr string) string {
	l := f.Lapses
	return "CASE WHEN " + expr + " = " + c.a.bind(l.From) + " AND " + c.due(p, l) + " THEN " + c.a.bind(l.To) + " ELSE " + expr + " END"
}

// lapsing tests f, stored in expr, as it reads. What may be stored goes first and plainly, so that an index serves it;
// the time then decides only among rows that hold what lapses.
func (c *compiler) lapsing(p place, f collection.Field, expr string, t collection.Test) string {
	l, meant := f.Lapses, c.meant(f, t)
	before, after := slices.Contains(meant, any(l.From)), slices.Contains(meant, any(l.To))
	if after && !before {
		meant = append(slices.Clone(meant), l.From)
	}
	var stored string
	if len(meant) == 1 {
		stored = expr + " = " + c.a.bind(meant[0])
	} else {
		stored = c.oneOf(expr, meant)
	}
	switch {
	case before == after:
		return stored
	case before:
		return "(" + stored + " AND (" + expr + " <> " + c.a.bind(l.From) + " OR " + not(c.due(p, l)) + "))"
	}
	return "(" + stored + " AND (" + expr + " <> " + c.a.bind(l.From) + " OR " + c.due(p, l) + "))"
}

// meant lists the options for which a positive test of a select holds.
func (c *compiler) meant(f collection.Field, t collection.Test) (fit []any) {
	switch t.Op {
	case collection.Equals, collection.In:
		return t.Values
	case collection.Like, collection.Contains:
		return c.choices(f, t.Values)
	default: // the rest is order
	}
	for _, o := range f.Options {
		order := strings.Compare(o, t.Values[0].(string))
		if map[collection.Op]bool{
			collection.GreaterThan: order > 0, collection.GreaterThanEqual: order >= 0, collection.LessThan: order < 0, collection.LessThanEqual: order <= 0,
		}[t.Op] {
			fit = append(fit, o)
		}
	}
	return fit
}
