package records

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errNeedsTransaction: a hook that ran before the transaction used something that only its own transaction
// provides.
var errNeedsTransaction = errors.New("this write needs a transaction of its own")

// commitShared commits a new record together with the writes of others: it is decided before the transaction
// on committed data, and then submitted as one step. Concurrent changes can make that data stale just as
// beside an open transaction; unique values are enforced by the database. A generated slug is not looked up:
// if it turns out to be taken, the write is retried in its own transaction. Errors: errNeedsTransaction, and
// as Create.
func (c *Service) commitShared(
	ctx context.Context, call idempotency.Call, w Write, j writeRequest, hooks Hooks,
) (response idempotency.Response, err error) {
	r := c.Store.Read(ports.ForPrincipal(w.Principal))
	w.Input, w.optimistic = maps.Clone(w.Input), true
	if err := c.accept(ctx, r, &w); err != nil {
		return response, err
	}
	units := &stockRecorder{}
	tx := ports.Tx{Records: readOnlyRecords{r}, Stock: units}
	if hooks.BeforeWrite != nil {
		if err := hooks.BeforeWrite(ctx, tx, &w); err != nil {
			return response, err
		}
	}
	for _, also := range w.RelatedChanges {
		if also.Operation != collection.Created {
			return response, errNeedsTransaction
		}
	}
	w.EventID = w.NewID()
	change := collection.NewChange(w.Schema, nil, w.After, w.EventID, w.Now)
	if hooks.AfterWrite != nil {
		if err := hooks.AfterWrite(ctx, tx, &w); err != nil {
			return response, err
		}
	}
	body, err := c.writeBody(ctx, readSource{Reader: assumedLinks{r, w.Schema.Links(w.After)}, room: newRoom()}, &w, j, units.withStock(&w))
	if err != nil {
		return response, err
	}
	response = newAnswer(call, &w, body)
	step := ports.CommitRequest{
		Tenant: w.Principal.Tenant.ID, Changes: []collection.Change{change}, InitialStock: units.units,
		Creates: append(w.RelatedChanges, stock.Changes(ctx, units.movements(&w), w.Now, w.NewID)...),
	}
	if call.Key != "" {
		step.Receipts = []ports.Receipt{newReceipt(call, response, &w)}
	}
	return response, c.Committer.Commit(ctx, step)
}

// assumedLinks is a reader that assumes that recently read records still exist.
type assumedLinks struct {
	ports.Reader

	links []collection.Link
}

// Deleted implements ports.Reader.
func (s assumedLinks) Deleted(ctx context.Context, ids []string) (map[string]int64, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(s.links, func(l collection.Link) bool { return l.ID == id })
	})
	if len(ids) == 0 {
		return nil, nil
	}
	return s.Reader.Deleted(ctx, ids)
}

// readOnlyRecords reads committed records, and refuses locks and writes.
type readOnlyRecords struct{ ports.Reader }

// Lock implements ports.Records.
func (readOnlyRecords) Lock(context.Context, *collection.Schema, string) (collection.Record, error) {
	return nil, errNeedsTransaction
}

// LockShared implements ports.Records.
func (readOnlyRecords) LockShared(context.Context, *collection.Schema, string) (collection.Record, error) {
	return nil, errNeedsTransaction
}

// LockBy implements ports.Records.
func (readOnlyRecords) LockBy(context.Context, *collection.Schema, string, string) ([]collection.Record, error) {
	return nil, errNeedsTransaction
}

// Write implements ports.Records.
func (readOnlyRecords) Write(context.Context, ...collection.Change) error { return errNeedsTransaction }

// stockRecorder records the initial stock of new variants.
type stockRecorder struct{ units []ports.InitialStock }

// Set implements ports.Stock.
func (s *stockRecorder) Set(
	_ context.Context, _ tenant.ID, _ tenant.Environment, product, variant string, level ports.StockLevel, _ ports.StockCause,
) error {
	s.units = append(s.units, ports.InitialStock{Product: product, Variant: variant, Level: level})
	return nil
}

// Levels implements ports.Stock.
func (*stockRecorder) Levels(context.Context, tenant.Environment, []string) (map[string]ports.StockLevel, error) {
	return nil, errNeedsTransaction
}

// Available implements ports.Stock.
func (*stockRecorder) Available(context.Context, tenant.Environment, []string) (map[string]ports.StockLevel, error) {
	return nil, errNeedsTransaction
}

// Reserve implements ports.Stock.
func (*stockRecorder) Reserve(context.Context, tenant.ID, tenant.Environment, string, []ports.Demand, time.Time) error {
	return errNeedsTransaction
}

// Release implements ports.Stock.
func (*stockRecorder) Release(context.Context, tenant.ID, string) error { return errNeedsTransaction }

// Take implements ports.Stock.
func (*stockRecorder) Take(
	context.Context, tenant.ID, tenant.Environment, string, []ports.Demand, ports.StockCause,
) ([]ports.Demand, error) {
	return nil, errNeedsTransaction
}

// Restock implements ports.Stock.
func (*stockRecorder) Restock(context.Context, tenant.ID, tenant.Environment, []ports.Demand, ports.StockCause) error {
	return errNeedsTransaction
}

// movements are the movements of the initial stock of w.
func (s *stockRecorder) movements(w *Write) (moved []ports.StockMovement) {
	for _, u := range s.units {
		moved = append(moved, stock.InitialMovements(w.Principal.Tenant.ID, u, w.stockCause())...)
	}
	return moved
}

// withStock is the new record of w with its computed fields as they will be read: its own units on hand,
// nothing reserved, no discount used. Without an environment they are unknown.
func (s *stockRecorder) withStock(w *Write) collection.Record {
	if !hasComputedFields(w.Schema) {
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
		case ports.SourceOnHand, ports.SourceTotalOnHand:
			for _, u := range s.units {
				r[f.Name] = r.Int(f.Name) + u.Level.OnHand
			}
		case ports.SourceReserved:
			if len(s.units) > 0 {
				r[f.Name] = int64(0)
			}
		case ports.SourceLow:
			r[f.Name] = catalog.LowStock(w.After, w.Principal.Environment)
		case ports.SourceDiscountCount:
			r[f.Name] = int64(0)
		}
	}
	return r
}
