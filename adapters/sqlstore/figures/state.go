package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Figures is a ports.Reports and a ports.ReportSums.
type Figures struct{ db *db.DB }

var (
	_ ports.Reports    = Figures{}
	_ ports.ReportSums = Figures{}
)

// New is the figures of a database.
func New(d *db.DB) Figures { return Figures{d} }

func (f Figures) session(t tenant.ID) db.Session { return f.db.Reader(ports.ForTenant(t)) }

// environments are both.
var environments = []tenant.Environment{tenant.Live, tenant.Test}

// state is a row of report_states.
type state struct {
	ports.ReportState

	barrier int64
	madeAt  time.Time
}

// readState reads the row of a tenant; there is none before the first Reset or Close.
func (f Figures) readState(ctx context.Context, on db.Session, t tenant.ID, lock string) (s state, err error) {
	var closed, madeAt db.NullTime
	var made string
	found, err := db.QueryRow(ctx, on, []any{&s.Version, &s.Zone, &closed, &s.barrier, &made, &madeAt},
		"SELECT version, CASE WHEN EXISTS (SELECT 1 FROM report_figures WHERE tenant = $1 AND movements < 0) THEN '' ELSE zone END, "+
			"closed, barrier, COALESCE(made, ''), made_at FROM report_states WHERE tenant = $1"+lock, string(t))
	if err != nil || !found {
		return state{}, err
	}
	s.Closed, s.madeAt = closed.Time, madeAt.Time
	if made != "" {
		day, err := report.ParseDay("made", made)
		if err != nil {
			return state{}, fmt.Errorf("the state of reports has the day %q", made)
		}
		s.Made = &day
	}
	return s, nil
}

// State implements ports.Reports.
func (f Figures) State(ctx context.Context, t tenant.ID) (ports.ReportState, error) {
	on := f.session(t)
	s, err := f.readState(ctx, on, t, "")
	if err == nil {
		_, err = db.QueryRow(ctx, on, []any{&s.Late}, "SELECT count(*) FROM report_late WHERE tenant = $1", string(t))
	}
	for _, env := range environments {
		var first time.Time
		if err == nil {
			first, err = f.firstFact(ctx, on, t, env, s.madeAt)
		}
		if !first.IsZero() && (s.Next.IsZero() || first.Before(s.Next)) {
			s.Next = first
		}
	}
	if err != nil {
		return ports.ReportState{}, fmt.Errorf("read the state of reports: %w", err)
	}
	return s.ReportState, nil
}

// The first facts of a tenant and environment from a moment on, by index.
const (
	firstOrder = "SELECT placed_at FROM orders WHERE tenant = $1 AND environment = $2 AND placed_at >= $3 ORDER BY placed_at NULLS FIRST LIMIT 1"
	firstMoney = "SELECT at FROM ledger_entries WHERE tenant = $1 AND environment = $2 AND at >= $3 ORDER BY at LIMIT 1"
)

func (f Figures) firstFact(ctx context.Context, on db.Session, t tenant.ID, env tenant.Environment, from time.Time) (first time.Time, err error) {
	if from.IsZero() {
		from = time.Unix(0, 0)
	}
	for _, text := range []string{firstOrder, firstMoney} {
		var at db.NullTime
		if _, err := db.QueryRow(ctx, on, []any{&at}, text, string(t), string(env), from); err != nil {
			return time.Time{}, err
		}
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at.Time
		}
	}
	return first, nil
}

// FirstFact implements ports.Reports.
func (f Figures) FirstFact(ctx context.Context, t tenant.ID, env tenant.Environment) (time.Time, error) {
	first, err := f.firstFact(ctx, f.session(t), t, env, time.Time{})
	if err != nil {
		return time.Time{}, fmt.Errorf("find the first fact of reports: %w", err)
	}
	return first, nil
}

// LateFacts implements ports.Reports.
func (f Figures) LateFacts(ctx context.Context, t tenant.ID) (all []ports.LateFact, err error) {
	err = db.Query(ctx, f.session(t), func(r db.Row) error {
		var l ports.LateFact
		var at db.NullTime
		err := r.Scan(&l.Environment, &l.ID, &at)
		l.At = at.Time
		all = append(all, l)
		return err
	}, "SELECT environment, fact, at FROM report_late WHERE tenant = $1 ORDER BY at LIMIT $2", string(t), int64(ports.MaxLateFacts))
	if err != nil {
		return nil, fmt.Errorf("read late facts: %w", err)
	}
	return all, nil
}
