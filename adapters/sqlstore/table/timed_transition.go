package table

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Fields with timed transitions are compiled with the time of the query as an argument, so that SQL never reads the clock
// itself.

// hasTransition reports whether f may read otherwise than it is stored.
func (c *Compiler) hasTransition(f collection.Field) bool {
	return f.Transition != nil && !c.Now.IsZero()
}

// transitionDue holds when the time of lapsing has come; it is null where there is no such time.
func (c *Compiler) transitionDue(p pathScope, l *collection.TimedTransition) string {
	at, _ := p.sh.Schema.Field(l.At)
	expr, _ := c.scalar(p, at)
	return expr + " <= " + c.Args.Bind(collection.TruncateTime(c.Now))
}

// effectiveExpr is the value that f reads as, for sorting.
func (c *Compiler) effectiveExpr(p pathScope, f collection.Field, expr string) string {
	l := f.Transition
	return "CASE WHEN " + expr + " = " + c.Args.Bind(l.From) + " AND " + c.transitionDue(p, l) + " THEN " + c.Args.Bind(l.To) + " ELSE " +
		expr + " END"
}

// testEffective tests f, stored in expr, as it reads. What may be stored goes first and plainly, so that an
// index serves it; the time then decides only among rows that hold what lapses.
func (c *Compiler) testEffective(p pathScope, f collection.Field, expr string, t collection.Comparison) string {
	l, meant := f.Transition, optionsMatching(f, t, c.Fold)
	before, after := slices.Contains(meant, any(l.From)), slices.Contains(meant, any(l.To))
	if after && !before {
		meant = append(slices.Clone(meant), l.From)
	}
	var stored string
	if len(meant) == 1 {
		stored = expr + " = " + c.Args.Bind(meant[0])
	} else {
		stored = c.inValues(expr, meant)
	}
	switch {
	case before == after:
		return stored
	case before:
		return "(" + stored + " AND (" + expr + " <> " + c.Args.Bind(l.From) + " OR " + not(c.transitionDue(p, l)) + "))"
	}
	return "(" + stored + " AND (" + expr + " <> " + c.Args.Bind(l.From) + " OR " + c.transitionDue(p, l) + "))"
}

// optionsMatching lists the options for which a positive test of a select holds.
func optionsMatching(f collection.Field, t collection.Comparison, fold func(string) string) (fit []any) {
	switch t.Op {
	case collection.Equals, collection.In:
		return t.Values
	case collection.Like, collection.Contains:
		return optionsContaining(f, t.Values, fold)
	default: // the rest is order
	}
	for _, o := range f.Options {
		order := strings.Compare(o, t.Values[0].(string))
		if map[collection.Op]bool{
			collection.GreaterThan: order > 0, collection.GreaterThanEqual: order >= 0, collection.LessThan: order < 0,
			collection.LessThanEqual: order <= 0,
		}[t.Op] {
			fit = append(fit, o)
		}
	}
	return fit
}
