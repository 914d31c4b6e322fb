package reports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/tenantrounds"
	"github.com/cartwright-dev/cartwright/app/timezone"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Maker adds up the days of all shops once they have ended. It is for one goroutine; other instances have their own.
type Maker struct {
	Store   ports.Store
	Reports ports.Reports
	Sums    ports.ReportSums
	Now     func() time.Time
	Task    *background.Task // may be nil

	rounds tenantrounds.Rounds
	behind []tenant.Settings // shops whose days were not all added up in their turn
}

// stepsPerTurn is how many days of a shop are added up before the next shop's turn. Each is a short transaction of its own.
const stepsPerTurn = 200

// RunRound continues with the shops that are behind, or else the round over all shops, and begins one when it is time; more
// reports whether there is more to do.
func (m *Maker) RunRound(ctx context.Context) (more bool, err error) {
	if n := len(m.behind); n > 0 {
		shop := m.behind[0]
		m.behind = m.behind[1:]
		err := m.Task.Do(ctx, background.Item{Tenant: shop.ID}, func(ctx context.Context) error { return m.turn(ctx, shop) })
		return len(m.behind) > 0, err
	}
	more, err = m.rounds.Run(ctx, m.Store, m.Now(), m.Task, m.turn)
	return more || len(m.behind) > 0, err
}

// turn is one turn of a shop.
func (m *Maker) turn(ctx context.Context, shop tenant.Settings) error {
	more, err := m.MakeTenant(ctx, shop)
	if more && err == nil {
		m.behind = append(m.behind, shop)
	}
	return err
}

// MakeTenant adds up the days of a shop that have ended, stepsPerTurn at most; more reports whether others are left. Where
// transactions are under way that may have to tell facts as late, what they keep from being added up waits for the next round.
func (m *Maker) MakeTenant(ctx context.Context, shop tenant.Settings) (more bool, err error) {
	zone, err := timezone.Load(shop.TimeZone)
	if err != nil {
		return false, err
	}
	const patience = 3 // one that sets the barrier, and two for those who make the same days
	refused := 0
	for range stepsPerTurn {
		done, ended, err := m.step(ctx, shop, zone)
		if err != nil {
			return false, err
		}
		if ended {
			return m.remake(ctx, shop, zone)
		}
		if !done {
			refused++
		}
		if refused == patience {
			return false, nil
		}
	}
	return true, nil
}

// step does the next thing that is to be done for a shop's days; ended says that there is nothing, and done that it was done.
func (m *Maker) step(ctx context.Context, shop tenant.Settings, zone *time.Location) (done, ended bool, err error) {
	s, err := m.Reports.State(ctx, shop.ID)
	if err != nil {
		return false, false, err
	}
	today := report.DayOf(m.Now(), zone)
	begins := today.Start(zone)
	switch {
	case s.Zone != zoneName(shop):
		return true, false, m.Sums.Reset(ctx, shop.ID, zoneName(shop))
	case s.Closed.Before(begins):
		return true, false, m.Sums.Close(ctx, shop.ID, begins)
	}
	next := today
	if !s.Next.IsZero() {
		next = min(today, report.DayOf(s.Next, zone))
	}
	step := report.Step{Made: next}
	if s.Made != nil {
		var ok bool
		if step, ok = report.Next(*s.Made, next, today); !ok {
			return false, true, nil
		}
	}
	done, err = m.Sums.Make(ctx, shop.ID, s.Made, step, report.BoundsOf(step.Day, zone), step.Made.Start(zone))
	return done, false, err
}

// remake adds up the days again to which facts were added.
func (m *Maker) remake(ctx context.Context, shop tenant.Settings, zone *time.Location) (more bool, err error) {
	late, err := m.Reports.LateFacts(ctx, shop.ID)
	if err != nil {
		return false, err
	}
	var days []report.Day
	byDay := map[report.Day][]ports.LateFact{}
	for _, l := range late {
		day := report.DayOf(l.At, zone)
		if byDay[day] == nil {
			days = append(days, day)
		}
		byDay[day] = append(byDay[day], l)
	}
	for _, day := range days {
		if err := m.Sums.Remake(ctx, shop.ID, report.BoundsOf(day, zone), []report.Day{day.Month()}, byDay[day]); err != nil {
			return false, err
		}
	}
	return len(late) == ports.MaxLateFacts, nil
}

// Reset forgets the sums of a shop. Until they are made again, reports read facts.
func (m *Maker) Reset(ctx context.Context, shop tenant.Settings) error {
	return m.Sums.Reset(ctx, shop.ID, zoneName(shop))
}

// MakeAll adds up the days of a shop that have ended; made says that all are, and not that some wait for transactions that are
// under way.
func (m *Maker) MakeAll(ctx context.Context, shop tenant.Settings) (made bool, err error) {
	for more := true; more; {
		if more, err = m.MakeTenant(ctx, shop); err != nil {
			return false, err
		}
	}
	zone, err := timezone.Load(shop.TimeZone)
	if err != nil {
		return false, err
	}
	s, err := m.Reports.State(ctx, shop.ID)
	return s.Late == 0 && s.Made != nil && *s.Made == report.DayOf(m.Now(), zone), err
}
