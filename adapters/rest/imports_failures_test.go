package rest_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// slowStore is a store in which so many look-ups of variants take too long.
type slowStore struct {
	ports.Store

	left *atomic.Int64
}

// Atomically implements ports.Store.
func (s slowStore) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.Records = slowRecords{tx.Records, s.left}
		return fn(ctx, tx)
	})
}

type slowRecords struct {
	ports.Records

	left *atomic.Int64
}

// Find implements ports.Reader.
func (r slowRecords) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	if q.Schema.Slug == catalog.Variants.Slug && r.left.Add(-1) >= 0 {
		return collection.Page{}, ports.ErrQueryTooSlow
	}
	return r.Records.Find(ctx, q)
}

// Rule transfers-10: a query of the server that takes too long is no problem of the rows it was made for. It is made again, and if
// it is never fast enough, nothing is told that people could not do anything about.
func TestSlowQueriesAreNoProblemOfRows(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.variant("tea", "T-1", 5)
		file := rowsOf("sku,onHand", "T-1,7", "X-9,1")
		do := func(slow int64) imported {
			id := b.begin("stock", file)
			runner := b.instance()
			left := &atomic.Int64{}
			left.Store(slow)
			runner.Store = slowStore{b.store, left}
			for range 10 {
				if _, err := runner.RunNext(context.Background()); err != nil && !errors.Is(err, ports.ErrQueryTooSlow) {
					t.Error(err)
				}
				b.advance(time.Minute)
			}
			return b.importNow(id)
		}
		do(3).want("done 1 0 1", "3 rejected sku:record_not_found")
		never := do(1000)
		never.want("failed 0 0 0")
		if text, _ := never.job["problem"].(string); text != "The server could not do this. Whoever runs it finds the reason in its log." {
			t.Errorf("it says %q", text)
		}
	})
}
