package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// backlogTenants is how many shops the unnumbered events are of.
const backlogTenants = 100

// playBacklog leaves many events without numbers, as an outage of all sequencers would, and kills a server while they are
// numbered. A neighbor goes on shopping. On SQLite events have numbers when they are written.
func playBacklog(ctx context.Context, s stage) (string, error) {
	a, closeDB, err := s.auditor(ctx)
	if err != nil {
		return "", err
	}
	defer closeDB()
	alone, err := s.shopUntil(ctx, time.After(s.quiet()))
	if err != nil {
		return "", err
	}
	if _, err := a.db.ExecContext(ctx, `INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)
		SELECT 'backlog-' || n % $1, 'products', ARRAY['r' || n], ARRAY[1] FROM generate_series(1, $2) n`, backlogTenants, s.size); err != nil {
		return "", err
	}
	began := time.Now()
	numbered := make(chan time.Time)
	var beside figures
	both, working := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		beside, err = s.shopUntil(working, numbered)
		return err
	})
	both.Go(func() error {
		defer close(numbered)
		if err := s.killAtHalf(working, a); err != nil {
			return err
		}
		return a.waitForZero(working, backlogLeft)
	})
	if err := both.Wait(); err != nil {
		return "", err
	}
	took := time.Since(began)
	if err := s.checkBacklog(ctx, a); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d events of %d shops numbered in %.1f s, a server was killed meanwhile; a neighbor's carts %s, before %s",
		s.size, backlogTenants, took.Seconds(), beside, alone), a.events(ctx)
}

const backlogLeft = `SELECT count(*) FROM unnumbered_events WHERE tenant LIKE 'backlog-%'`

// quiet is how long a neighbor is measured alone.
func (s stage) quiet() time.Duration { return time.Duration(min(s.size, 10_000)) * time.Millisecond }

// killAtHalf kills a server when half of the backlog is left, and starts it again.
func (s stage) killAtHalf(ctx context.Context, a *auditor) error {
	if err := a.waitForZero(ctx, fmt.Sprintf("SELECT count(*) FROM (%s) x(n) WHERE n > %d", backlogLeft, s.size/2)); err != nil {
		return err
	}
	s.servers[0].Kill()
	return within(ctx, s.servers[0].Start)
}

// waitForZero waits until a query counts nothing.
func (a *auditor) waitForZero(ctx context.Context, query string) (err error) {
	var left string
	if waited := waitFor(ctx, func() bool {
		left, err = a.scalar(ctx, query)
		return err != nil || left == "0"
	}); err == nil {
		err = waited
	}
	if err != nil {
		err = fmt.Errorf("%s are left: %w", left, err)
	}
	return err
}

// checkBacklog checks that the planted events have the numbers 1, 2, 3… in each shop, each event one of them.
func (s stage) checkBacklog(ctx context.Context, a *auditor) error {
	const log = ` FROM event_log WHERE tenant LIKE 'backlog-%'`
	if err := a.requireZero(ctx, map[string]string{
		"shops whose events have gaps or are numbered twice": `SELECT count(*) FROM (SELECT 1` + log +
			` GROUP BY tenant HAVING sum(cardinality(records)) <> max(sequence)) x`,
		"ranges of numbers that overlap": `SELECT count(*) FROM (SELECT sequence - cardinality(records) AS before, lag(sequence, 1, 0::bigint)
			OVER (PARTITION BY tenant ORDER BY sequence) AS last` + log + `) x WHERE before <> last`,
	}); err != nil {
		return err
	}
	for what, query := range map[string]string{
		"numbers": `SELECT sum(cardinality(records))` + log, "events": `SELECT count(DISTINCT r) FROM (SELECT unnest(records) AS r` + log + `) x`,
	} {
		if n, err := a.scalar(ctx, query); err != nil || n != strconv.Itoa(s.size) {
			return fmt.Errorf("%s %s of %d events: %w", n, what, s.size, err)
		}
	}
	return s.eventIsVisible(ctx)
}

// eventIsVisible waits until a change made now is in the event log.
func (s stage) eventIsVisible(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var latest struct{ NextAfter int64 }
	if _, err := s.caller.must(ctx, request{"GET", "/api/events?after=latest&limit=0", "", nil}, &latest); err != nil {
		return err
	}
	var cart cartBody
	if _, err := s.caller.must(ctx, request{"POST", cartPath, newKey(), map[string]any{}}, &cart); err != nil {
		return err
	}
	var err error
	if waited := waitFor(ctx, func() bool {
		var a answer
		a, err = s.caller.must(ctx, request{"GET", fmt.Sprintf("/api/events?after=%d&limit=500", latest.NextAfter), "", nil}, nil)
		return err != nil || strings.Contains(string(a.body), cart.Cart.ID)
	}); err == nil {
		err = waited
	}
	return err
}

// figures are the times of a neighbor's calls.
type figures []time.Duration

func (f figures) String() string {
	slices.Sort(f)
	at := func(share float64) float64 { return float64(f[int(share*float64(len(f)-1))].Microseconds()) / 1000 }
	if len(f) == 0 {
		return "none"
	}
	return fmt.Sprintf("p50 %.1f p99 %.1f ms", at(0.5), at(0.99))
}

// shopUntil creates carts, one after the other, until end. A server that is down or was just killed is not measured.
func (s stage) shopUntil(ctx context.Context, end <-chan time.Time) (f figures, err error) {
	pause := time.NewTicker(20 * time.Millisecond)
	defer pause.Stop()
	for {
		select {
		case <-end:
			return f, nil
		case <-ctx.Done():
			return f, ctx.Err()
		case <-pause.C:
		}
		began := time.Now()
		a, err := s.caller.sendTo(ctx, len(s.servers)-1, request{"POST", cartPath, newKey(), map[string]any{}}, []byte("{}"))
		if err != nil {
			return f, err
		}
		if a.status != http.StatusCreated {
			return f, fmt.Errorf("a neighbor's cart: %d %s", a.status, a.body)
		}
		f = append(f, time.Since(began))
	}
}
