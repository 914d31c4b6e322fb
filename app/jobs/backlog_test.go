package jobs_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// How many jobs wait and run is counted over all shops, and what the server failed at is found.
func TestJobsThatWaitAndRunAreCounted(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		b.ask(shop)
		asked := b.now()
		b.pass(time.Minute)
		b.ask(shop)
		b.ask(newShop())
		var during []jobs.Backlog
		var r *jobs.Runner
		r = b.runner(func(ctx context.Context, _ int) (err error) {
			during, err = r.Backlog(ctx)
			return err
		})
		before, err := r.Backlog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b.next(r)
		b.next(b.runner(nil))
		b.next(b.runner(nil))
		after, err := r.Backlog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range []struct{ got, want []jobs.Backlog }{
			{before, []jobs.Backlog{{Collection: "exports", Waiting: 3, Since: asked}}},
			{during, []jobs.Backlog{{Collection: "exports", Waiting: 2, Running: 1, Since: asked.Add(time.Minute)}}},
			{after, []jobs.Backlog{{Collection: "exports"}}},
		} {
			if !slices.EqualFunc(c.got, c.want, func(a, b jobs.Backlog) bool {
				return a.Since.Equal(b.Since) && a.Waiting == b.Waiting && a.Running == b.Running && a.Collection == b.Collection
			}) {
				t.Errorf("%d: %+v, want %+v", i, c.got, c.want)
			}
		}
		refused, broken := b.ask(shop), ""
		b.change(shop, refused, func(j job.Job) job.Job { return j.Fail("There are too many of them.", b.now()) })
		broken = b.ask(shop)
		failing := b.runner(func(context.Context, int) error { return errors.New("the disk is full") })
		for range job.MaxAttempts {
			_, _ = failing.RunNext(t.Context()) // its errors are told of in other tests
			b.pass(time.Minute)
		}
		found, total, err := jobs.Failed(t.Context(), b.store, transfer.Exports, 5)
		if err != nil || total != 1 || len(found) != 1 || found[0].ID() != broken {
			t.Errorf("failed are %v, %d, %v", found, total, err)
		}
	})
}
