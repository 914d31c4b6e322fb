package jobs_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shopStore is a store in which nothing of one shop can be written.
type shopStore struct {
	ports.Store

	broken tenant.ID
}

var errBroken = errors.New("the rows of the shop are damaged")

// Atomically implements ports.Store.
func (s shopStore) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	if len(scope.Tenants) == 1 && scope.Tenants[0] == s.broken {
		return errBroken
	}
	return s.Store.Atomically(ctx, scope, fn)
}

// A job that cannot be claimed is told, and keeps no other from being done: not even from being done at once.
func TestJobThatCannotBeClaimedKeepsNoOtherFromIt(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		broken, whole := newShop(), newShop()
		b.ask(broken)
		b.pass(time.Second)
		id := b.ask(whole)
		r := b.runner(nil)
		r.Store = shopStore{b.store, broken}
		if found, err := r.RunNext(t.Context()); !found || !errors.Is(err, errBroken) {
			t.Errorf("found %t, %v", found, err)
		}
		if j := b.job(whole, id); j.Status != job.Done {
			t.Errorf("%+v", j)
		}
		b.wantTags(whole, rows)
	})
}
