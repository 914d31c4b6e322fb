package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ReportState is how far the figures of a shop were added up. The zero value is of a shop where nothing was.
type ReportState struct {
	Version int64     // grows with every change of what was added up
	Zone    string    // IANA name of the time zone whose days were added up; "": none yet
	Closed  time.Time // facts that are earlier and come after it was set are told as late; zero: none are
	Made    *report.Day
	Next    time.Time // the first fact of all environments, from the start of Made on; zero: none
	Late    int       // how many late facts there are
}

// LateFact is a fact that came after its day may have been added up.
type LateFact struct {
	Environment tenant.Environment
	ID          string
	At          time.Time
}

// ReportQuery asks for the figures of some days, which a state was read for.
type ReportQuery struct {
	Version  int64 // ReportState.Version and Late, by which the days were divided into parts
	Late     int
	Parts    []report.Part // but those of Facts
	Live     []report.Bounds
	Grouping report.Grouping
}

// MaxLateFacts is how many late facts are read at once.
const MaxLateFacts = 2000

// Reports are figures of what was ordered and paid, and the sums that are kept of them (see package report). The sums of a day
// are those of its facts whenever they are shown: a fact that comes later is told as late by the transaction that records it,
// whoever writes it. The methods of one shop may be called by any number of processes at once. Suite: portstest.Reports.
type Reports interface {
	// State returns how far the figures were added up.
	State(ctx context.Context, t tenant.ID) (ReportState, error)
	// LateFacts returns late facts, the earliest first, MaxLateFacts at most.
	LateFacts(ctx context.Context, t tenant.ID) ([]LateFact, error)
	// FirstFact returns the time of the first fact of an environment; zero: there is none.
	FirstFact(ctx context.Context, t tenant.ID, env tenant.Environment) (time.Time, error)
	// Sum adds up what q asks for, as of one moment; ok is false when the state of the shop is not q's any more. Rows of days,
	// weeks and months come by day.
	Sum(ctx context.Context, t tenant.ID, env tenant.Environment, q ReportQuery) (rows []report.Row, ok bool, err error)
	// Tasks counts these tasks, each up to limit.
	Tasks(ctx context.Context, t tenant.ID, env tenant.Environment, tasks []report.Task, limit int) (map[report.Task]int, error)
}

// ReportSums keeps sums of days and months that have ended. Suite: portstest.Reports.
type ReportSums interface {
	// Reset forgets all sums of a shop, whose days are those of zone from now on.
	Reset(ctx context.Context, t tenant.ID, zone string) error
	// Close has facts before until told as late from now on.
	Close(ctx context.Context, t tenant.ID, until time.Time) error
	// Make adds up the next day of a shop, and months from their days. was is the state's Made, nil before the first step; day
	// has the bounds of s.Day, and made is when s.Made begins, at most ReportState.Closed. done is false, and nothing changed,
	// while transactions that may not tell their facts as late are under way, or when the state differs: read it again.
	Make(ctx context.Context, t tenant.ID, was *report.Day, s report.Step, day report.Bounds, made time.Time) (done bool, err error)
	// Remake adds up a day, and its month if months has it, again, and forgets these late facts of it.
	Remake(ctx context.Context, t tenant.ID, day report.Bounds, months []report.Day, late []LateFact) error
}
