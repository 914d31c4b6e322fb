package revisions

import (
	"context"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// expectation is what the caller of an operation expects of its record.
type expectation struct {
	schema   *collection.Schema
	id       string
	revision int64
	early    bool        // refused as soon as the record is read
	settled  atomic.Bool // nothing is compared any more
}

type expectationKey struct{}

func expecting(ctx context.Context, x *expectation) context.Context {
	return context.WithValue(ctx, expectationKey{}, x)
}

// WrapStore is a store whose transactions compare what the operation they belong to expects of its record.
func WrapStore(inner ports.Store) ports.Store { return store{inner} }

type store struct{ ports.Store }

// Atomically implements ports.Store. Errors: as ports.Store.Atomically, and collection.ErrChangedMeanwhile.
func (s store) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	x, _ := ctx.Value(expectationKey{}).(*expectation)
	if x == nil || x.settled.Load() {
		return s.Store.Atomically(ctx, scope, fn)
	}
	var last *comparison
	err := s.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		c := &comparison{Records: tx.Records, x: x} // of this attempt
		last = c
		tx.Records, tx.ProviderCalls = c, calls{tx.ProviderCalls, c}
		if err := fn(ctx, tx); err != nil {
			return err
		}
		return c.finish(ctx)
	})
	if err == nil && last.acted {
		x.settled.Store(true)
	}
	return err
}

// comparison compares the record in one transaction.
type comparison struct {
	ports.Records

	x       *expectation
	seen    bool  // the record was read
	present int64 // its revision then
	written bool  // by this transaction: its later revisions are our own
	acted   bool
}

// see notes the record as a transaction reads it. Errors: collection.ErrChangedMeanwhile.
func (c *comparison) see(r collection.Record) error {
	if r.ID() != c.x.id || c.written {
		return nil
	}
	c.seen, c.present = true, r.Revision()
	if !c.x.early {
		return nil
	}
	return collection.CheckRevision(c.present, c.x.revision)
}

// finish compares what was not compared so far. For others than staff, a transaction that did not read the record, such as the
// one that claims the receipt, tells nothing: nobody knows yet whether the caller may see the record. Errors: as Get,
// collection.ErrChangedMeanwhile.
func (c *comparison) finish(ctx context.Context) error {
	switch {
	case c.seen:
	case !c.x.early:
		return nil
	default:
		r, err := c.Records.Get(ctx, c.x.schema, c.x.id)
		if err != nil {
			return err
		}
		c.present = r.Revision()
	}
	return collection.CheckRevision(c.present, c.x.revision)
}

// Get implements ports.Reader.
func (c *comparison) Get(ctx context.Context, s *collection.Schema, id string) (collection.Record, error) {
	r, err := c.Records.Get(ctx, s, id)
	if err == nil {
		err = c.see(r)
	}
	return r, err
}

// Lock implements ports.Records.
func (c *comparison) Lock(ctx context.Context, s *collection.Schema, id string) (collection.Record, error) {
	r, err := c.Records.Lock(ctx, s, id)
	if err == nil {
		err = c.locked(r)
	}
	return r, err
}

// LockShared implements ports.Records.
func (c *comparison) LockShared(ctx context.Context, s *collection.Schema, id string) (collection.Record, error) {
	r, err := c.Records.LockShared(ctx, s, id)
	if err == nil {
		err = c.locked(r)
	}
	return r, err
}

// LockBy implements ports.Records.
func (c *comparison) LockBy(ctx context.Context, s *collection.Schema, field, value string) ([]collection.Record, error) {
	found, err := c.Records.LockBy(ctx, s, field, value)
	for _, r := range found {
		if err == nil {
			err = c.locked(r)
		}
	}
	return found, err
}

func (c *comparison) locked(r collection.Record) error {
	c.acted = c.acted || r.ID() == c.x.id
	return c.see(r)
}

// Write implements ports.Records.
func (c *comparison) Write(ctx context.Context, changes ...collection.Change) error {
	for _, change := range changes {
		if change.ID() != c.x.id {
			continue
		}
		if change.Before != nil {
			if err := c.locked(change.Before); err != nil {
				return err
			}
		}
		c.written = true
	}
	return c.Records.Write(ctx, changes...)
}

// calls notes that a provider is about to be called.
type calls struct {
	ports.ProviderCalls

	c *comparison
}

// Begin implements ports.ProviderCalls.
func (p calls) Begin(ctx context.Context, call ports.ProviderCall) (ports.ProviderCall, error) {
	p.c.acted = true
	return p.ProviderCalls.Begin(ctx, call)
}
