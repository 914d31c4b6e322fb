package jobs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Kind is what is done with the jobs of one collection, whose fields include job.Fields.
type Kind struct {
	Schema *collection.Schema
	// Run does a job. nil finishes it, unless Run.Finish has. A fault says that it is impossible, in words for people; one
	// that is Retryable, and any other error, that it may be tried again.
	Run func(ctx context.Context, r *Run) error
	// Blobs are the keys of the files of a job, which are deleted with it; nil: it has none.
	Blobs func(r collection.Record) []string
	// Remove deletes the records that go with a job, in the transaction that removes it; nil: there are none.
	Remove func(ctx context.Context, tx ports.Tx, r collection.Record) error
}

// Runner takes the jobs of all tenants and does them. Its methods are safe for concurrent use.
type Runner struct {
	Store ports.Store
	Kinds []Kind
	// Principal is who asked for a job, with the rights of now. Errors: fault.ErrForbidden, those of the database.
	Principal func(ctx context.Context, t tenant.ID, env tenant.Environment, by tenant.Actor) (tenant.Principal, error)
	Now       func() time.Time
	NewID     func() string
	Log       *slog.Logger
	Task      *background.Task   // of jobs and of their removal; may be nil
	Asked     *background.Signal // sent when there is a new job; nil: they are found by polling
	Workers   int                // jobs that this process does at the same time; 0: defaultWorkers
	Beat      time.Duration      // between the renewals of a claim; 0: a third of job.Lease
}

const (
	defaultWorkers = 2
	candidates     = 200 // due jobs that are looked at for one that can be taken
	sweepBatch     = 100 // jobs that are removed together
	endTimeout     = 5 * time.Second
)

// pace is how often jobs are looked for that nobody of this process told of.
var pace = background.Pace{Gap: 50 * time.Millisecond, Rest: time.Second, Most: 5 * time.Second} //nolint:mnd // said above

// Run does jobs until ctx ends.
func (r *Runner) Run(ctx context.Context) error {
	workers := background.Group{Task: r.Task}
	for range cmp.Or(r.Workers, defaultWorkers) {
		var told <-chan struct{}
		if r.Asked != nil {
			told = r.Asked.Listen()
		}
		workers.Start(func() {
			background.Watch(ctx, pace, told, func(ctx context.Context, _ bool) background.Look {
				found, err := r.RunNext(ctx)
				if err != nil && ctx.Err() == nil {
					r.Log.Warn("a job could not be done; it will be tried again", "error", err.Error())
				}
				return background.Look{More: found && err == nil, Busy: found || err != nil}
			})
		})
	}
	workers.Wait()
	return nil
}

// RunNext takes one job that is due and does it to its end; found is false when there is none.
func (r *Runner) RunNext(ctx context.Context) (found bool, err error) {
	var errs []error
	for i := range r.Kinds {
		run, err := r.take(ctx, &r.Kinds[i])
		errs = append(errs, err)
		if run != nil { // it is claimed, whatever kept others from that
			return true, errors.Join(append(errs, r.do(ctx, run))...)
		}
	}
	return false, errors.Join(errs...)
}

// take claims the first job that is due and whose tenant has no other one running; nil: there is none. Errors: those of jobs that
// could not be claimed, also beside one that was.
func (r *Runner) take(ctx context.Context, k *Kind) (*Run, error) {
	s := k.Schema
	where := collection.And{job.Due(s, r.Now())}
	if failed := r.Task.Waiting(candidates); len(failed) > 0 {
		ids := make([]any, len(failed))
		for i, item := range failed {
			ids[i] = item.ID
		}
		where = append(where, s.Where("id", collection.NotIn, ids...))
	}
	page, err := r.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: where, Sort: s.SortBy("dueAt"), Limit: candidates, Page: 1,
		SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return nil, err
	}
	errs := []error{r.Task.FailDamaged(ctx, page)}
	busy := map[[2]string]bool{} // tenants and environments with a job that runs
	for _, found := range page.Docs {
		whose := [2]string{found.Text("tenant"), found.Text("environment")}
		if busy[whose] {
			continue
		}
		run, err := r.claim(ctx, k, found)
		switch {
		case errors.Is(err, ports.ErrDuplicate):
			busy[whose] = true
		case errors.Is(err, job.ErrClaimLost), errors.Is(err, ports.ErrNotFound), errors.Is(err, ports.ErrStale):
		case err != nil:
			errs = append(errs, err)
		case run != nil:
			return run, errors.Join(errs...)
		}
	}
	return nil, errors.Join(errs...)
}

// claim takes a job; nil: it has ended instead. Errors: job.ErrClaimLost, ports.ErrDuplicate while another one of the tenant
// runs, ports.ErrNotFound.
func (r *Runner) claim(ctx context.Context, k *Kind, found collection.Record) (*Run, error) {
	run := &Run{runner: r, kind: k, claim: r.NewID()}
	err := r.Store.Atomically(ctx, scopeOf(found), func(ctx context.Context, tx ports.Tx) error {
		stored, err := tx.Records.Lock(ctx, k.Schema, found.ID())
		if err != nil {
			return err
		}
		now := r.Now()
		taken, err := job.FromRecord(stored).Take(run.claim, now)
		if err != nil {
			return err
		}
		run.record, err = r.write(ctx, tx, k.Schema, stored, taken, stored.Clone())
		run.written = now
		return err
	})
	if err != nil || run.Job().Ended() {
		return nil, err
	}
	return run, nil
}

// write stores a state of a job, which the server changes by itself.
func (r *Runner) write(
	ctx context.Context, tx ports.Tx, s *collection.Schema, before collection.Record, j job.Job, after collection.Record,
) (collection.Record, error) {
	j.Put(after)
	change := collection.NewChange(s, before, after, r.NewID(), r.Now())
	change.Actor = tenant.Server
	return after, tx.Records.Write(ctx, change)
}

func scopeOf(r collection.Record) ports.Scope {
	scope := ports.ForTenant(tenant.ID(r.Text("tenant")))
	scope.Environment = tenant.Environment(r.Text("environment"))
	return scope
}

// Sweep removes jobs whose time is over, with their files; more reports whether others may be left.
func (r *Runner) Sweep(ctx context.Context) (more bool, err error) {
	var errs []error
	for i := range r.Kinds {
		k := &r.Kinds[i]
		page, err := r.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
			Schema: k.Schema, Where: job.Expired(k.Schema, r.Now()), Limit: sweepBatch, Page: 1, SkipCount: true, LeaveOutDamaged: true,
		})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		removed := 0
		for _, found := range page.Docs {
			item := background.Item{Tenant: tenant.ID(found.Text("tenant")), ID: found.ID()}
			errs = append(errs, r.Task.Do(ctx, item, func(ctx context.Context) error {
				removed++
				return r.remove(ctx, k, found)
			}))
		}
		more = more || removed == sweepBatch
	}
	return more, errors.Join(errs...)
}

// remove deletes a job, and lists its files for deletion.
func (r *Runner) remove(ctx context.Context, k *Kind, found collection.Record) error {
	err := r.Store.Atomically(ctx, scopeOf(found), func(ctx context.Context, tx ports.Tx) error {
		stored, err := tx.Records.Lock(ctx, k.Schema, found.ID())
		if err != nil {
			return err
		}
		if k.Blobs != nil {
			for _, key := range k.Blobs(stored) {
				if err := tx.PendingBlobs.Add(ctx, tenant.ID(stored.Text("tenant")), key, r.Now()); err != nil {
					return err
				}
			}
		}
		if k.Remove != nil {
			if err := k.Remove(ctx, tx, stored); err != nil {
				return err
			}
		}
		change := collection.NewChange(k.Schema, stored, nil, r.NewID(), r.Now())
		change.Actor = tenant.Server
		return tx.Records.Write(ctx, change)
	})
	if errors.Is(err, ports.ErrNotFound) || errors.Is(err, ports.ErrStale) {
		return nil // another instance was faster
	}
	return err
}
