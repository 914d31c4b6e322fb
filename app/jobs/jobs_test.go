package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/jobs"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

// bed is a database with jobs that create a tag for each of their rows, three rows to a chunk.
type bed struct {
	t     *testing.T
	store *sqlstore.Store

	mu    sync.Mutex
	clock time.Time
}

func onBoth(t *testing.T, test func(t *testing.T, b *bed)) {
	t.Helper()
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, _ testservers.Inspector) {
		test(t, &bed{t: t, store: store, clock: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)})
	})
}

func (b *bed) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clock
}

func (b *bed) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clock = b.clock.Add(d)
}

// runner is one of an instance. between is called before every chunk.
func (b *bed) runner(between func(ctx context.Context, row int) error) *jobs.Runner {
	return &jobs.Runner{
		Store: b.store, Now: b.now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler), Beat: time.Hour,
		Kinds: []jobs.Kind{{
			Schema: transfer.Exports, Run: func(ctx context.Context, r *jobs.Run) error { return b.addTags(ctx, r, between) },
			Blobs: func(r collection.Record) []string { return []string{"files/" + r.ID()} },
		}},
	}
}

const (
	rows      = 9
	chunkRows = 3
)

// addTags is the work of a job: row n becomes the tag n of its tenant.
func (b *bed) addTags(ctx context.Context, r *jobs.Run, between func(ctx context.Context, row int) error) error {
	for {
		at, _ := strconv.Atoi(r.Job().Position)
		if at == rows {
			return nil
		}
		if between != nil {
			if err := between(ctx, at); err != nil {
				return err
			}
		}
		err := r.Checkpoint(ctx, func(ctx context.Context, s jobs.Step) error {
			for n := at; n < at+chunkRows; n++ {
				tag := collection.Record{"id": shops.NewID(), "tenant": string(s.Job.Tenant), "name": "row", "slug": fmt.Sprint("row-", n)}
				if err := s.Tx.Records.Write(ctx, collection.NewChange(catalog.Tags, nil, tag, shops.NewID(), s.Now)); err != nil {
					return err
				}
			}
			*s.Job = s.Job.MoveTo(strconv.Itoa(at + chunkRows))
			s.Job.Handled += chunkRows
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// ask stores a new job of a shop.
func (b *bed) ask(shop tenant.ID) (id string) {
	b.t.Helper()
	record := collection.Record{}
	job.New(shops.NewID(), shop, tenant.Live, tenant.Actor{Kind: tenant.User, ID: "u"}, b.now()).Put(record)
	transfer.Request{Kind: "orders", Format: "csv", Locale: transfer.English}.Put(record, transfer.Orders)
	shops.NewView(b.t, b.store, shop).Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(transfer.Exports, nil, record.Clone(), shops.NewID(), b.now()))
	})
	return record.ID()
}

func (b *bed) job(shop tenant.ID, id string) job.Job {
	b.t.Helper()
	return job.FromRecord(shops.NewView(b.t, b.store, shop).Get(transfer.Exports, id))
}

// change stores another state of a job.
func (b *bed) change(shop tenant.ID, id string, to func(j job.Job) job.Job) {
	b.t.Helper()
	shops.NewView(b.t, b.store, shop).Atomically(func(ctx context.Context, tx ports.Tx) error {
		stored, err := tx.Records.Lock(ctx, transfer.Exports, id)
		if err != nil {
			return err
		}
		next := stored.Clone()
		to(job.FromRecord(stored)).Put(next)
		return tx.Records.Write(ctx, collection.NewChange(transfer.Exports, stored, next, shops.NewID(), b.now()))
	})
}

func (b *bed) wantTags(shop tenant.ID, n int) {
	b.t.Helper()
	if found := len(shops.NewView(b.t, b.store, shop).All(catalog.Tags)); found != n {
		b.t.Errorf("%d rows are there, want %d", found, n)
	}
}

func (b *bed) next(r *jobs.Runner) bool {
	b.t.Helper()
	found, err := r.RunNext(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return found
}

func newShop() tenant.ID { return tenant.ID(shops.NewID()) }

func TestJobIsDoneOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		r := b.runner(nil)
		if !b.next(r) || b.next(r) {
			t.Error("the job was not taken exactly once")
		}
		j := b.job(shop, id)
		if j.Status != job.Done || j.Handled != rows || !j.EndedAt.Equal(b.now()) || !j.ExpiresAt.Equal(b.now().Add(job.KeepFor)) {
			t.Errorf("it is %+v", j)
		}
		b.wantTags(shop, rows)
	})
}

// A runner stands still in the middle, as if its process were killed; another one takes over, and the first finds at its next
// chunk that it lost the job.
func TestJobOfADeadRunnerIsTakenOver(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		stands, wakes, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		first := b.runner(func(_ context.Context, row int) error {
			if row == chunkRows {
				close(stands)
				<-wakes
			}
			return nil
		})
		go func() {
			_, err := first.RunNext(t.Context())
			ended <- err
		}()
		<-stands
		second := b.runner(nil)
		if b.next(second) {
			t.Error("the job was taken while its claim lasted")
		}
		b.pass(job.Lease)
		if !b.next(second) {
			t.Error("the job was not taken over")
		}
		b.wantTags(shop, rows)
		done := b.job(shop, id)
		close(wakes)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		b.wantTags(shop, rows)
		if j := b.job(shop, id); j.Status != job.Done || j.Handled != rows || !j.EndedAt.Equal(done.EndedAt) {
			t.Errorf("it is %+v", j)
		}
	})
}

func TestClaimIsRenewedDuringALongChunk(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		r := b.runner(func(ctx context.Context, row int) error {
			if row == 0 {
				before := b.job(shop, id)
				b.pass(job.Lease - time.Second)
				for !b.job(shop, id).DueAt.After(before.DueAt) {
					if ctx.Err() != nil {
						return ctx.Err()
					}
				}
				b.pass(2 * time.Second)
				if b.next(b.runner(nil)) {
					t.Error("another runner took the job")
				}
			}
			return nil
		})
		r.Beat = 5 * time.Millisecond
		b.next(r)
		b.wantTags(shop, rows)
	})
}

func TestCanceledJobEndsBeforeItsNextChunk(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		b.next(b.runner(func(_ context.Context, row int) error {
			if row == chunkRows {
				b.change(shop, id, func(j job.Job) job.Job { j, _ = j.RequestCancel(b.now()); return j })
			}
			return nil
		}))
		if j := b.job(shop, id); j.Status != job.Canceled || j.Handled != chunkRows {
			t.Errorf("it is %+v", j)
		}
		b.wantTags(shop, chunkRows)
	})
}

func TestOneJobOfATenantRunsAtATime(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop, other := newShop(), newShop()
		b.ask(shop)
		b.ask(shop)
		b.ask(other)
		ran := 0
		b.next(b.runner(func(_ context.Context, row int) error {
			if row == 0 {
				more := b.runner(nil)
				for b.next(more) {
					ran++
				}
			}
			return nil
		}))
		if ran != 1 {
			t.Errorf("%d other jobs ran meanwhile, want that of the other shop", ran)
		}
		b.wantTags(other, rows)
	})
}

func TestJobIsTriedAgainAndFailsInTheEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		broken := b.runner(func(context.Context, int) error { return errors.New("no paper") })
		for n := 1; ; n++ {
			_, err := broken.RunNext(t.Context())
			ended := b.job(shop, id).Ended()
			if (err == nil) != ended {
				t.Fatalf("attempt %d ended it: %v, and told of %v", n, ended, err)
			}
			if ended {
				if n != job.MaxAttempts {
					t.Errorf("it was tried %d times", n)
				}
				break
			}
			if b.next(broken) {
				t.Error("it was tried again at once")
			}
			b.pass(time.Hour)
		}
		if j := b.job(shop, id); j.Status != job.Failed || j.Problem == "" {
			t.Errorf("it is %+v", j)
		}
	})
}

func TestRefusalFailsAJobAndAnOutageDoesNot(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		for range 2 * job.MaxAttempts {
			if _, err := b.runner(func(context.Context, int) error { return fault.ErrUnavailable }).RunNext(t.Context()); err == nil {
				t.Error("an outage is not told")
			}
			b.pass(time.Minute)
		}
		if j := b.job(shop, id); j.Status != job.Queued {
			t.Errorf("after outages it is %+v", j)
		}
		b.next(b.runner(func(context.Context, int) error { return fault.ErrForbidden.WithMessage("Not you.") }))
		if j := b.job(shop, id); j.Status != job.Failed || j.Problem != "Not you." {
			t.Errorf("after a refusal it is %+v", j)
		}
	})
}

func TestJobIsGivenBackWhenItsProcessStops(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		ctx, stop := context.WithCancel(t.Context())
		_, _ = b.runner(func(_ context.Context, row int) error {
			if row == chunkRows {
				stop()
			}
			return nil
		}).RunNext(ctx)
		if j := b.job(shop, id); j.Status != job.Queued || j.Position != strconv.Itoa(chunkRows) || j.Attempts != 0 {
			t.Errorf("it is %+v", j)
		}
		b.next(b.runner(nil))
		b.wantTags(shop, rows)
	})
}

func TestEndedJobsAreRemovedWithTheirFiles(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		shop := newShop()
		id := b.ask(shop)
		r := b.runner(nil)
		b.next(r)
		b.pass(job.KeepFor - time.Second)
		if _, err := r.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.job(shop, id)
		b.pass(time.Second)
		if _, err := r.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := b.store.Read(ports.ForTenant(shop)).Get(t.Context(), transfer.Exports, id); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("the job is still there: %v", err)
		}
		gone, err := b.store.BlobSweep().ClaimExpired(t.Context(), b.now(), b.now().Add(time.Minute), 10)
		if err != nil || len(gone) != 1 || gone[0] != (ports.ExpiredBlob{Tenant: shop, Key: "files/" + id}) {
			t.Errorf("to be deleted: %v, %v", gone, err)
		}
	})
}
