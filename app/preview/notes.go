package preview

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// notes is what a transaction wrote.
type notes struct {
	changes []collection.Change // one for each record, from what it was to what it is, in the order of the first writes
	moved   map[string]int64    // units on hand more than before, by variant
	freed   bool                // uses of discount codes were given back
}

func newNotes() *notes { return &notes{moved: map[string]int64{}} }

// watch is tx, which notes what is written.
func (n *notes) watch(tx ports.Tx) ports.Tx {
	tx.Records, tx.Stock, tx.DiscountUses = records{tx.Records, n}, stock{tx.Stock, n}, uses{tx.DiscountUses, n}
	return tx
}

// add notes a change, as a part of an earlier one of the same record.
func (n *notes) add(c collection.Change) {
	i := slices.IndexFunc(n.changes, func(other collection.Change) bool { return other.Schema == c.Schema && other.ID() == c.ID() })
	if i < 0 {
		n.changes = append(n.changes, c)
		return
	}
	first := &n.changes[i]
	first.After = c.After
	switch {
	case c.After == nil:
		first.Operation = collection.Deleted
	case first.Before == nil:
		first.Operation = collection.Created
	default:
		first.Operation = collection.Updated
	}
}

type records struct {
	ports.Records

	to *notes
}

// Write implements ports.Records.
func (r records) Write(ctx context.Context, changes ...collection.Change) error {
	err := r.Records.Write(ctx, changes...)
	for _, c := range changes {
		r.to.add(c)
	}
	return err
}

type stock struct {
	ports.Stock

	to *notes
}

// Take implements ports.Stock.
func (s stock) Take(
	ctx context.Context, t tenant.ID, env tenant.Environment, holder string, demands []ports.Demand, cause ports.StockCause,
) ([]ports.Demand, error) {
	taken, err := s.Stock.Take(ctx, t, env, holder, demands, cause)
	s.to.move(taken, -1)
	return taken, err
}

// Restock implements ports.Stock.
func (s stock) Restock(ctx context.Context, t tenant.ID, env tenant.Environment, demands []ports.Demand, cause ports.StockCause) error {
	s.to.move(demands, 1)
	return s.Stock.Restock(ctx, t, env, demands, cause)
}

func (n *notes) move(units []inventory.Demand, sign int64) {
	for _, d := range units {
		n.moved[d.Variant] += sign * d.Quantity
	}
}

type uses struct {
	ports.DiscountUses

	to *notes
}

// ReleaseAll implements ports.DiscountUses.
func (u uses) ReleaseAll(ctx context.Context, t tenant.ID, holder string) (bool, error) {
	had, err := u.DiscountUses.ReleaseAll(ctx, t, holder)
	u.to.freed = u.to.freed || had
	return had, err
}
