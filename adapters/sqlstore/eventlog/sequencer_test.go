package eventlog_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// queue is the queue of events of a migrated Postgres, as its owner sees it, and a sequencer.
type queue struct {
	*sql.DB

	t         testing.TB
	url       string
	clock     time.Time
	sequencer *eventlog.Sequencer
	task      *background.Task
}

func openQueue(t testing.TB) *queue {
	t.Helper()
	url := testservers.Postgres(t)
	stores.Open(t, sqlstore.Options{URL: url}, portstest.EventSchemas()...)
	owner, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	d, err := db.Open(t.Context(), db.Options{URL: url, Connections: 2, Deadline: 10 * time.Second, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(d.Close(), owner.Close()); err != nil {
			t.Error(err)
		}
	})
	q := &queue{DB: owner, t: t, url: url, clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	runner := background.New(background.Options{Log: log, Now: func() time.Time { return q.clock }})
	q.task = runner.Task("sequencer")
	q.sequencer = eventlog.NewSequencer(d, log, q.task)
	return q
}

func (q *queue) exec(on interface {
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
}, text string, args ...any,
) {
	q.t.Helper()
	if _, err := on.ExecContext(q.t.Context(), text, args...); err != nil {
		q.t.Fatal(err)
	}
}

const appendEvents = "INSERT INTO unnumbered_events (tenant, collection, records, record_sequences) "

// round runs one round.
func (q *queue) round() (numbered int64, more bool) {
	q.t.Helper()
	numbered, more, err := q.sequencer.Round(q.t.Context())
	if err != nil {
		q.t.Fatal(err)
	}
	return numbered, more
}

// numbered are the numbered events of a tenant, "record/recordSequence", in order; it fails when their numbers have a gap.
func (q *queue) numbered(tenant string) (all []string) {
	q.t.Helper()
	rows, err := q.QueryContext(q.t.Context(), "SELECT l.sequence - cardinality(l.records) + x.place, x.record || '/' || x.n FROM event_log l, "+
		"unnest(l.records, l.record_sequences) WITH ORDINALITY AS x(record, n, place) WHERE l.tenant = $1 ORDER BY 1", tenant)
	if err != nil {
		q.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var number int
		var event string
		if err := rows.Scan(&number, &event); err != nil {
			q.t.Fatal(err)
		}
		if all = append(all, event); number != len(all) {
			q.t.Fatalf("event %d has the number %d", len(all), number)
		}
	}
	if err := rows.Err(); err != nil {
		q.t.Fatal(err)
	}
	return all
}

func TestEventsWaitWhileAnotherSequencerIsAtWork(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	q.exec(q, appendEvents+"VALUES ('a', 'notes', '{r}', '{1}')")
	other, err := q.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	q.exec(other, "SELECT pg_advisory_lock(7227002)")
	if n, more := q.round(); n != 0 || more {
		t.Errorf("%d events were numbered beside another sequencer", n)
	}
	q.exec(other, "SELECT pg_advisory_unlock(7227002)")
	if n, _ := q.round(); n != 1 {
		t.Errorf("%d events were numbered, want 1", n)
	}
}

// A database that gives up every round of more than some events stands for one whose backlog takes longer than a
// deadline.
func TestBacklogBeyondADeadlineIsNumberedInParts(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	q.exec(q, appendEvents+"SELECT 'a', 'notes', ARRAY['r' || n], ARRAY[1] FROM generate_series(1, 3000) n")
	q.exec(q, `CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF (SELECT count(*) FROM gone) > 100 THEN RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END IF; RETURN NULL; END $$`)
	q.exec(q, "CREATE TRIGGER too_slow AFTER DELETE ON unnumbered_events REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION too_slow()")
	total, failures := int64(0), 0
	for more := true; more; {
		n, left, err := q.sequencer.Round(t.Context())
		switch {
		case errors.Is(err, fault.ErrUnavailable):
			failures++
		case err != nil:
			t.Fatal(err)
		default:
			total, more = total+n, left
		}
		if failures > 100 {
			t.Fatalf("%d events were numbered before 100 rounds failed", total)
		}
	}
	if got := q.numbered("a"); total != 3000 || len(got) != 3000 {
		t.Errorf("%d events were numbered, %d are in the log", total, len(got))
	}
}

func TestRoundIsBounded(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	q.sequencer.SetSize(10)
	q.exec(q, appendEvents+"SELECT 'a', 'notes', ARRAY['r' || n, 's' || n, 't' || n], ARRAY[1, 1, 1] FROM generate_series(1, 10) n")
	want := []int64{12, 18} // whole rows of three; then twice as many
	for _, most := range want {
		if n, _ := q.round(); n != most {
			t.Errorf("%d events were numbered, want %d", n, most)
		}
	}
}

// The event of a transaction that commits late has a low position, and the next event of its record may be behind many
// others: it must not overtake.
func TestLateEventIsNumberedBeforeTheNextOneOfItsRecord(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	late, err := q.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	q.exec(late, appendEvents+"VALUES ('a', 'notes', '{r}', '{1}')")
	q.exec(q, appendEvents+"SELECT 'a', 'notes', ARRAY['x' || n], ARRAY[1] FROM generate_series(1, 3) n")
	q.sequencer.SetSize(1)
	q.round()
	if err := late.Commit(); err != nil {
		t.Fatal(err)
	}
	q.exec(q, appendEvents+"VALUES ('a', 'notes', '{r}', '{2}')")
	for more := true; more; {
		q.sequencer.SetSize(1)
		_, more = q.round()
	}
	for range 2 {
		q.round()
	}
	got := q.numbered("a")
	if want := []string{"x1/1", "x2/1", "x3/1", "r/1", "r/2"}; !slices.Equal(got, want) {
		t.Errorf("the log is %v, want %v", got, want)
	}
}

// A constraint stands for whatever makes the database refuse the events of one tenant.
func TestTenantThatCannotBeNumberedKeepsNoOtherFromIt(t *testing.T) {
	t.Parallel()
	q := openQueue(t)
	appendRound := func(round int) {
		for _, tenant := range []string{"a", "broken", "z"} {
			q.exec(q, appendEvents+"VALUES ($1, 'notes', '{r}', ARRAY[$2::bigint])", tenant, round)
		}
	}
	appendRound(1)
	q.round()
	q.exec(q, "ALTER TABLE event_log ADD CONSTRAINT refused CHECK (tenant <> 'broken') NOT VALID")
	for round := range 8 {
		appendRound(2 + round)
		_, _, _ = q.sequencer.Round(t.Context()) // its error is that of the broken tenant
		q.clock = q.clock.Add(time.Second)
	}
	if waiting, _ := q.task.Failing(10); len(waiting) != 1 || waiting[0].Tenant != "broken" {
		t.Errorf("%v wait", waiting)
	}
	for _, tenant := range []string{"a", "z"} {
		if got := q.numbered(tenant); len(got) != 9 {
			t.Errorf("the log of %s has %v", tenant, got)
		}
	}
	q.exec(q, "ALTER TABLE event_log DROP CONSTRAINT refused")
	q.clock = q.clock.Add(time.Hour)
	q.round()
	want := []string{}
	for n := range 9 {
		want = append(want, fmt.Sprint("r/", n+1))
	}
	if got := q.numbered("broken"); !slices.Equal(got, want) {
		t.Errorf("after its repair the log is %v, want %v", got, want)
	}
	if waiting, due := q.task.Failing(10); len(waiting)+len(due) != 0 {
		t.Errorf("after its repair it still counts as failing: %v %v", waiting, due)
	}
}
