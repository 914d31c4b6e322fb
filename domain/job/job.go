// Package job holds the rules of work that takes longer than a request: exports and imports. A job is a record of its
// tenant. One runner at a time holds it, by a claim with a lease that it renews; when the lease of a runner that died ends,
// another one takes the job over. Rules transfers-1, transfers-2, Decision 51.
package job

import (
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Status is how far a job is.
type Status string

// The statuses. The last three are final.
const (
	Queued   Status = "queued"
	Running  Status = "running"
	Done     Status = "done"
	Failed   Status = "failed"
	Canceled Status = "canceled"
)

// Statuses lists all statuses.
var Statuses = []Status{Queued, Running, Done, Failed, Canceled}

// Limits of jobs. Rules transfers-1, transfers-2, transfers-4.
const (
	Lease       = 30 * time.Second   // how long a claim lasts unless it is renewed
	MaxAttempts = 5                  // claims in a row after which nothing was accomplished
	MaxOpen     = 10                 // of a tenant, environment and collection that are queued or running
	KeepFor     = 7 * 24 * time.Hour // that a job and its file are kept after its end
)

// The refusals of jobs.
var (
	ErrEnded   = fault.New(fault.Conflict, "job_ended", "This job has ended already.")
	ErrTooMany = fault.New(fault.Limited, "job_limit",
		"Ten of these are waiting or running already. Wait until one has ended, or cancel one.").WithRetry(time.Minute)
)

// What a runner meets; nobody else sees these.
var (
	ErrClaimLost = errors.New("the claim of the job was lost")
	ErrCanceled  = errors.New("the job is to be canceled")
)

// ProblemAttempts is the Problem of a job that ended the process again and again.
const ProblemAttempts = "It was begun several times and never got to its end. Try it again with less at once."

// Job is the state of a job. Times are UTC.
type Job struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Status      Status
	RequestedBy tenant.Actor
	// CancelRequested: somebody wants a running job to end before its next chunk.
	CancelRequested bool
	Handled         int64  // records of an export, or rows of an import, so far
	Total           *int64 // of these; nil: not known yet
	Attempts        int64  // claims since the last one that accomplished something
	Position        string // where it goes on after an interruption, in words of its kind; "": at the beginning
	Problem         string // why it failed, for people
	Claim           string // id of the claim that holds it; "": nobody does
	DueAt           time.Time
	StartedAt       time.Time // zero: never
	EndedAt         time.Time
	ExpiresAt       time.Time // when it is removed with its file; zero until it has ended
}

// New is a job that waits for a runner.
func New(id string, t tenant.ID, env tenant.Environment, by tenant.Actor, now time.Time) Job {
	return Job{ID: id, Tenant: t, Environment: env, Status: Queued, RequestedBy: by, DueAt: now}
}

// Ended reports whether nothing happens to j any more.
func (j Job) Ended() bool { return j.Status == Done || j.Status == Failed || j.Status == Canceled }

// Due reports whether a runner may take j: it is queued, or the lease of its runner has ended.
func (j Job) Due(now time.Time) bool { return !j.Ended() && !now.Before(j.DueAt) }

// Expired reports whether j is about to be removed: it ended long ago.
func (j Job) Expired(now time.Time) bool { return !j.ExpiresAt.IsZero() && !now.Before(j.ExpiresAt) }

// HeldBy reports whether the claim with this id still holds j.
func (j Job) HeldBy(claim string) bool { return j.Status == Running && j.Claim == claim }

// Take claims a job that is due. What was to be canceled, and what failed too often, has ended instead. Errors:
// ErrClaimLost when j is not due.
func (j Job) Take(claim string, now time.Time) (Job, error) {
	switch {
	case !j.Due(now):
		return j, ErrClaimLost
	case j.CancelRequested:
		return j.Cancel(now), nil
	case j.Attempts >= MaxAttempts:
		return j.Fail(ProblemAttempts, now), nil
	}
	j.Status, j.Claim, j.Attempts = Running, claim, j.Attempts+1
	if j.StartedAt.IsZero() {
		j.StartedAt = now
	}
	return j.Renew(now), nil
}

// Renew is j with a lease that begins now.
func (j Job) Renew(now time.Time) Job {
	j.DueAt = now.Add(Lease)
	return j
}

// MoveTo is j after a chunk: it goes on at position, so that what happened before counts as accomplished.
func (j Job) MoveTo(position string) Job {
	j.Position, j.Attempts = position, 1
	return j
}

// Release is j given back, to be taken again from a time on. Counted says that the claim counts as an attempt, which one
// that ended with its process in good order does not.
func (j Job) Release(at time.Time, counted bool) Job {
	j.Status, j.Claim, j.DueAt = Queued, "", at
	if !counted {
		j.Attempts--
	}
	return j
}

// Finish is j after everything was done.
func (j Job) Finish(now time.Time) Job { return j.end(Done, now) }

// Fail is j after it turned out to be impossible, with the reason for people.
func (j Job) Fail(problem string, now time.Time) Job {
	j.Problem = problem
	return j.end(Failed, now)
}

// Cancel is j after it was canceled.
func (j Job) Cancel(now time.Time) Job {
	j.CancelRequested = true
	return j.end(Canceled, now)
}

// RequestCancel is j after somebody wanted it to end: at once if it waits, or else before its next chunk. To want it twice
// changes nothing. Errors: ErrEnded.
func (j Job) RequestCancel(now time.Time) (Job, error) {
	switch j.Status {
	case Queued:
		return j.Cancel(now), nil
	case Running:
		j.CancelRequested = true
		return j, nil
	case Canceled:
		return j, nil
	case Done, Failed:
	}
	return j, ErrEnded
}

func (j Job) end(as Status, now time.Time) Job {
	j.Status, j.Claim, j.DueAt, j.EndedAt, j.ExpiresAt = as, "", time.Time{}, now, now.Add(KeepFor)
	return j
}
