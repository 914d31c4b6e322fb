package content

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errOwnTransaction: a hook that runs ahead of the transaction asked for what only its own transaction gives.
var errOwnTransaction = errors.New("this write takes a transaction of its own")

// commitShared makes a new record durable together with the writes of others: everything is decided before, from what is
// committed by then, and handed over as one step. What others may have changed meanwhile is what they may change beside
// an open transaction too; values that must be unique are settled by the database. A made slug is not looked up: whoever
// finds it taken starts again in a transaction. Errors: errOwnTransaction, and as Create.
func (c *Content) commitShared(ctx context.Context, call once.Call, w Write, j job, hooks Hooks) (answer once.Answer, err error) {
	r := c.Store.Read(ports.For(w.Principal))
	w.Input, w.ahead = maps.Clone(w.Input), true
	if err := c.accept(ctx, r, &w); err != nil {
		return answer, err
	}
	stock := &stockAhead{}
	tx := ports.Tx{Records: recordsAhead{r}, Stock: stock}
	if hooks.Within != nil {
		if err := hooks.Within(ctx, tx, &w); err != nil {
			return answer, err
		}
	}
	for _, also := range w.Also {
		if also.Operation != collection.Created {
			return answer, errOwnTransaction
		}
	}
	w.EventID = w.NewID()
	change := collection.NewChange(w.Schema, nil, w.After, w.EventID, w.Now)
	if hooks.Then != nil {
		if err := hooks.Then(ctx, tx, &w); err != nil {
			return answer, err
		}
	}
	body, err := c.written(ctx, source{Reader: standingLinks{r, w.Schema.Links(w.After)}}, &w, j, stock.on(&w))
	if err != nil {
		return answer, err
	}
	answer = answerTo(call, &w, body)
	step := ports.Step{Tenant: w.Principal.Tenant.ID, Changes: []collection.Change{change}, Also: w.Also, Stock: stock.units}
	if call.Key != "" {
		step.Receipts = []ports.Receipt{receipt(call, answer, &w)}
	}
	return answer, c.Committer.Commit(ctx, step)
}

// standingLinks reads, and knows of records that were there a moment ago.
type standingLinks struct {
	ports.Reader

	links []collection.Link
}

// Gone implements ports.Reader.
func (s standingLinks) Gone(ctx context.Context, ids []string) (map[string]int64, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(s.links, func(l collection.Link) bool { return l.ID == id })
	})
	if len(ids) == 0 {
		return nil, nil
	}
	return s.Reader.Gone(ctx, ids)
}

// recordsAhead reads what is committed, and writes nothing.
type recordsAhead struct{ ports.Reader }

// Lock implements ports.Records.
func (recordsAhead) Lock(context.Context, *collection.Schema, string) (collection.Record, error) {
	return nil, errOwnTransaction
}

// Hold implements ports.Records.
func (recordsAhead) Hold(context.Context, *collection.Schema, string) (collection.Record, error) {
	return nil, errOwnTransaction
}

// Write implements ports.Records.
func (recordsAhead) Write(context.Context, ...collection.Change) error { return errOwnTransaction }

// stockAhead notes the units of new variants.
type stockAhead struct{ units []ports.Units }

// Set implements ports.Stock.
func (s *stockAhead) Set(_ context.Context, _ tenant.ID, _ tenant.Environment, product, variant string, level ports.Level) error {
	s.units = append(s.units, ports.Units{Product: product, Variant: variant, Level: level})
	return nil
}

// Levels implements ports.Stock.
func (*stockAhead) Levels(context.Context, tenant.Environment, []string) (map[string]ports.Level, error) {
	return nil, errOwnTransaction
}

// Reserve implements ports.Stock.
func (*stockAhead) Reserve(context.Context, tenant.ID, tenant.Environment, string, []ports.Demand, time.Time) error {
	return errOwnTransaction
}

// Release implements ports.Stock.
func (*stockAhead) Release(context.Context, tenant.ID, string) error { return errOwnTransaction }

// Take implements ports.Stock.
func (*stockAhead) Take(context.Context, tenant.ID, tenant.Environment, string, []ports.Demand) ([]ports.Demand, error) {
	return nil, errOwnTransaction
}

// Restock implements ports.Stock.
func (*stockAhead) Restock(context.Context, tenant.ID, tenant.Environment, []ports.Demand) error {
	return errOwnTransaction
}

// on is the new record of w with its computed fields as they will read: its own units on hand, nothing promised, no
// discount used. Without an environment nobody can tell.
func (s *stockAhead) on(w *Write) collection.Record {
	if !computed(w.Schema) {
		return w.After
	}
	r := w.After.Clone()
	for i := range w.Schema.Fields {
		f := &w.Schema.Fields[i]
		if f.Source == "" {
			continue
		}
		delete(r, f.Name)
		if w.Principal.Environment == "" {
			continue
		}
		switch f.Source {
		case ports.SourceOnHand:
			for _, u := range s.units {
				r[f.Name] = r.Int(f.Name) + u.Level.OnHand
			}
		case ports.SourceReserved:
			if len(s.units) > 0 {
				r[f.Name] = int64(0)
			}
		case ports.SourceLow:
			r[f.Name] = catalog.Low(w.After, w.Principal.Environment)
		case ports.SourceDiscountCount:
			r[f.Name] = int64(0)
		}
	}
	return r
}
