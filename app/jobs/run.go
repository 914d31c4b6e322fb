package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Run is a job while it is held. Its methods are safe for concurrent use.
type Run struct {
	runner *Runner
	kind   *Kind
	claim  string

	mu      sync.Mutex
	record  collection.Record // as last stored
	written time.Time         // when the claim was last renewed
}

// Step is what a checkpoint stores. A transaction may run more than once, so that a step reads what it changes from here.
type Step struct {
	Tx     ports.Tx
	Job    *job.Job          // how far it is: Handled, Total, Job.MoveTo
	Record collection.Record // for the fields of its collection besides job.Fields
	Now    time.Time
}

// Record is the job's record, as last stored.
func (r *Run) Record() collection.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.record
}

// Job is the state of the job, as last stored.
func (r *Run) Job() job.Job { return job.FromRecord(r.Record()) }

// Principal is who asked for the job, with the rights of now. Errors: fault.ErrForbidden when they may not act for the tenant
// any more, tenant.ErrSuspended.
func (r *Run) Principal(ctx context.Context) (tenant.Principal, error) {
	j := r.Job()
	return r.runner.Principal(ctx, j.Tenant, j.Environment, j.RequestedBy)
}

// Checkpoint stores what step changes in one transaction with the progress of the job, while the job is held; step may be nil,
// and calls no methods of r.
// Errors: job.ErrCanceled when somebody canceled it, job.ErrClaimLost, both to be returned by Kind.Run; those of step.
func (r *Run) Checkpoint(ctx context.Context, step func(ctx context.Context, s Step) error) error {
	return r.store(ctx, func(ctx context.Context, s Step) error {
		if s.Job.CancelRequested {
			return job.ErrCanceled
		}
		*s.Job = s.Job.Renew(s.Now)
		if step == nil {
			return nil
		}
		return step(ctx, s)
	})
}

// Finish is a Checkpoint with which everything is done.
func (r *Run) Finish(ctx context.Context, step func(ctx context.Context, s Step) error) error {
	return r.Checkpoint(ctx, func(ctx context.Context, s Step) error {
		if step != nil {
			if err := step(ctx, s); err != nil {
				return err
			}
		}
		*s.Job = s.Job.Finish(s.Now)
		return nil
	})
}

// store is a transaction that changes the job while it is held. Errors: job.ErrClaimLost, those of step.
func (r *Run) store(ctx context.Context, step func(ctx context.Context, s Step) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var next collection.Record
	var now time.Time
	err := r.runner.Store.Atomically(ctx, scopeOf(r.record), func(ctx context.Context, tx ports.Tx) error {
		stored, err := tx.Records.Lock(ctx, r.kind.Schema, r.record.ID())
		if errors.Is(err, ports.ErrNotFound) {
			err = job.ErrClaimLost
		}
		if err != nil {
			return err
		}
		j := job.FromRecord(stored)
		if !j.HeldBy(r.claim) {
			return job.ErrClaimLost
		}
		next, now = stored.Clone(), r.runner.Now()
		if err := step(ctx, Step{tx, &j, next, now}); err != nil {
			return err
		}
		next, err = r.runner.write(ctx, tx, r.kind.Schema, stored, j, next)
		return err
	})
	if err == nil {
		r.record, r.written = next, now
	}
	return err
}

// do does a job that was taken, and says how it ended. Errors: those that say that something is wrong with the server.
func (r *Runner) do(ctx context.Context, run *Run) error {
	item := background.Item{Tenant: run.Job().Tenant, ID: run.Job().ID}
	return r.Task.Do(ctx, item, func(ctx context.Context) error {
		held, lose := context.WithCancelCause(ctx)
		beating := background.Group{Task: r.Task}
		beating.Start(func() { run.beat(held, lose) })
		err := r.Task.Call(func() error { return run.kind.Run(held, run) })
		if cause := context.Cause(held); err != nil && cause != nil && ctx.Err() == nil {
			err = cause
		}
		lose(nil)
		beating.Wait()
		return run.settle(ctx, err)
	})
}

// beat renews the claim where a chunk takes long, and ends the run when it is lost or the job is canceled.
func (r *Run) beat(ctx context.Context, lose context.CancelCauseFunc) {
	every := r.runner.Beat
	if every == 0 {
		every = job.Lease / 3 //nolint:mnd // so that two may be late
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.mu.Lock()
		fresh := r.runner.Now().Sub(r.written) < every
		r.mu.Unlock()
		if fresh {
			continue
		}
		if err := r.Checkpoint(ctx, nil); errors.Is(err, job.ErrClaimLost) || errors.Is(err, job.ErrCanceled) {
			lose(err)
			return
		}
	}
}

// settle stores how a run ended. Errors: err where it says that something is wrong with the server.
func (r *Run) settle(ctx context.Context, err error) error {
	stopped := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	refusal := fault.From(err)
	end := func(how func(j job.Job, now time.Time) job.Job) error {
		stored := r.store(ctx, func(_ context.Context, s Step) error {
			*s.Job = how(*s.Job, s.Now)
			return nil
		})
		if errors.Is(stored, job.ErrClaimLost) {
			return nil // it has ended, or another runner has it
		}
		return stored
	}
	switch {
	case errors.Is(err, job.ErrClaimLost):
		return nil
	case err == nil:
		return end(func(j job.Job, now time.Time) job.Job { return j.Finish(now) })
	case errors.Is(err, job.ErrCanceled):
		return end(func(j job.Job, now time.Time) job.Job { return j.Cancel(now) })
	case stopped:
		return end(func(j job.Job, now time.Time) job.Job { return j.Release(now, false) })
	case refusal.Kind == fault.Unavailable:
		return errors.Join(err, end(func(j job.Job, now time.Time) job.Job { return j.Release(now.Add(outagePause), false) }))
	case refusal.Kind != fault.Internal && !refusal.Retryable:
		return end(func(j job.Job, now time.Time) job.Job { return j.Fail(refusal.Message, now) })
	}
	if j := r.Job(); j.Attempts >= job.MaxAttempts {
		// No error: this ends it, so that it is not set aside to be tried again.
		r.runner.Log.Error("a job failed", "collection", r.kind.Schema.Slug, "tenant", string(j.Tenant), "job", j.ID, "error", err.Error())
		return end(func(j job.Job, now time.Time) job.Job { return j.Fail(problemInternal, now) })
	}
	return errors.Join(err, end(func(j job.Job, now time.Time) job.Job { return j.Release(now.Add(retryPause<<j.Attempts), true) }))
}

// How long a job waits before it is tried again.
const (
	outagePause = 5 * time.Second // when the database or the storage of files cannot be reached
	retryPause  = time.Second     // after its first failure; twice as long after each further one
)

// problemInternal is told of a job that failed for reasons that people of the shop cannot do anything about.
const problemInternal = "The server could not do this. Whoever runs it finds the reason in its log."
