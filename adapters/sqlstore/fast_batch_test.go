package sqlstore_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/commit"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// made are records that the committer has written once.
func made(t *testing.T, c *commit.Committer, n int) []collection.Record {
	t.Helper()
	all := make([]collection.Record, n)
	for i := range all {
		s := step(nil, freshKey())
		if err := c.Commit(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		all[i] = s.Changes[0].After
	}
	return all
}

// together commits steps at the same time and answers what became of each.
func together(t *testing.T, c *commit.Committer, steps []ports.CommitRequest) []error {
	t.Helper()
	errs := make([]error, len(steps))
	var all sync.WaitGroup
	for i, s := range steps {
		all.Go(func() { errs[i] = c.Commit(t.Context(), s) })
	}
	all.Wait()
	return errs
}

func TestUpdatesUseFastBatch(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		updatesUseFastBatch(t, open(t, portstest.Parcels).Committer())
	})
}

func updatesUseFastBatch(t *testing.T, c *commit.Committer) {
	t.Helper()
	var steps []ports.CommitRequest
	for _, r := range made(t, c, 50) {
		steps = append(steps, step(r, freshKey()))
	}
	for i := range steps[:10] { // changes that nobody can ask about again have none
		steps[i].Receipts = nil
	}
	before := c.Stats()
	if err := errors.Join(together(t, c, steps)...); err != nil {
		t.Fatal(err)
	}
	after := c.Stats()
	if n := after.Batches - before.Batches; n == 0 || after.Fast-before.Fast != n || after.Commits-before.Commits != n {
		t.Errorf("%+v after %+v: want fast batches only", after, before)
	}
}

// A batch for which the fast way was wrong is repeated with care: nothing of the attempt stays, and only the
// steps that are to blame are refused.
func TestFailingStepFailsAlone(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(s ports.CommitRequest, known ports.ReceiptKey) ports.CommitRequest
		want  error
	}{
		"a stale one": {func(s ports.CommitRequest, _ ports.ReceiptKey) ports.CommitRequest {
			return step(s.Changes[0].After, freshKey())
		}, ports.ErrStale},
		"a known key": {func(s ports.CommitRequest, known ports.ReceiptKey) ports.CommitRequest {
			s.Receipts[0].Key = known
			return s
		}, ports.ErrReceiptExists},
		"both in a row": {func(s ports.CommitRequest, known ports.ReceiptKey) ports.CommitRequest {
			return step(s.Changes[0].After, known)
		}, ports.ErrReceiptExists},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openPostgres(t, portstest.Parcels)
			committer := s.Committer()
			records := made(t, committer, 40)
			first := step(records[0], freshKey())
			if err := committer.Commit(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			records[0] = first.Changes[0].After
			var steps []ports.CommitRequest
			for _, r := range records {
				steps = append(steps, step(r, freshKey()))
			}
			steps[17] = c.spoil(steps[17], first.Receipts[0].Key)
			for i, err := range together(t, committer, steps) {
				if want := map[bool]error{true: c.want}[i == 17]; !errors.Is(err, want) {
					t.Errorf("step %d: %v, want %v", i, err, want)
				}
			}
			fast := committer.Stats().Fast
			if err := committer.Commit(t.Context(), step(steps[20].Changes[0].After, freshKey())); err != nil ||
				committer.Stats().Fast > fast != (name == "a known key") {
				t.Errorf("the next one: %v, the fast way %v: only what comes from elsewhere is a reason for care",
					err, committer.Stats().Fast > fast)
			}
			for i, r := range records {
				want := 2 + map[bool]int{true: 1}[i == 20] + map[bool]int{true: 1}[i == 0] - map[bool]int{true: 1}[i == 17]
				if got := events(t, s, "t1", r.ID()); len(got) != want {
					t.Errorf("record %d has events %v, want %d", i, got, want)
				}
			}
		})
	}
}

// A row that another transaction holds makes the fast way give up soon, and holds up its own step only.
func TestLockedRecordKeepsFastBatch(t *testing.T) {
	s := openPostgres(t, portstest.Parcels)
	c := s.Committer()
	records, waiting := made(t, c, 40), make(chan error, 1)
	atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.Records.Lock(ctx, portstest.Parcels, records[0].ID()); err != nil {
			return err
		}
		go func() { waiting <- c.Commit(t.Context(), step(records[0], freshKey())) }()
		var steps []ports.CommitRequest
		for _, r := range records[1:] {
			steps = append(steps, step(r, freshKey()))
		}
		return errors.Join(together(t, c, steps)...)
	})
	if err := <-waiting; err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

// Arrays that we build ourselves say what the driver would have said.
func TestRowsAreEqualOnEveryWritePath(t *testing.T) {
	url := testservers.Postgres(t)
	registry, err := collection.NewRegistry(portstest.Parcels)
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, sqlstore.Options{URL: url, Registry: registry, Fold: strings.ToLower, Logger: slog.New(slog.DiscardHandler)})
	c := s.Committer()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	for name, fields := range map[string]collection.Record{
		"nothing": {},
		"everything": {
			"price": money.Money{Minor: 1999, Currency: "EUR"}, "sent": true,
			"dueAt": time.Date(2026, 1, 31, 9, 0, 0, 123_000_000, time.UTC), "inside": []string{"r1"},
			"address": collection.Record{"city": "Jeju"},
		},
		"the ends": {
			"price": money.Money{Minor: money.Max, Currency: "KWD"}, "sent": false,
			"dueAt": time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC), "address": collection.Record{"city": ""},
		},
		"long ago":    {"dueAt": time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), "price": money.Money{Minor: 0, Currency: "JPY"}},
		"odd letters": {"address": collection.Record{"city": "제주 \"시\" \\ ' , { } ﬃ 😀 " + strings.Repeat("x", 300)}},
	} {
		pair := made(t, c, 2)
		var steps [2]ports.CommitRequest
		for i, r := range pair {
			after := r.Clone()
			maps.Copy(after, fields)
			after["count"] = int64(-7)
			steps[i] = step(r, freshKey())
			steps[i].Changes[0] = collection.NewChange(portstest.Parcels, r, after, steps[i].Changes[0].EventID,
				time.Unix(1_800_000_000, 0))
			steps[i].Receipts[0].Body, steps[i].Receipts[0].Expires = []byte{0, 255, '{'}, time.Unix(1_900_000_000, 0)
		}
		fast := c.Stats().Fast
		if err := c.Commit(t.Context(), steps[0]); err != nil || c.Stats().Fast != fast+1 {
			t.Fatalf("%s: %v, or not the fast way", name, err)
		}
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.Receipts.Save(ctx, steps[1].Receipts[0], 0), tx.Records.Write(ctx, steps[1].Changes...))
		})
		for _, q := range []string{
			"SELECT (to_jsonb(p) - 'id')::text FROM parcels p WHERE id = $1",
			"SELECT (to_jsonb(e) - 'id' - 'record')::text FROM events e WHERE record = $1 AND record_sequence = 2",
		} {
			var rows [2]string
			for i, r := range pair {
				if err := conn.QueryRow(t.Context(), q, r.ID()).Scan(&rows[i]); err != nil {
					t.Fatal(err)
				}
				rows[i] = strings.ReplaceAll(rows[i], r.ID(), "…")
			}
			if rows[0] != rows[1] {
				t.Errorf("%s: the batch wrote\n%s\nand the transaction\n%s", name, rows[0], rows[1])
			}
		}
		var kept int
		key := func(i int) []byte { return steps[i].Receipts[0].Key[:] }
		if err := conn.QueryRow(t.Context(),
			"SELECT count(*) FROM (SELECT DISTINCT to_jsonb(r) - 'key' - 'request_id' FROM receipts r WHERE key IN ($1, $2)) x", key(0),
			key(1)).Scan(&kept); err != nil || kept != 1 {
			t.Errorf("%s: %d different receipts (%v)", name, kept, err)
		}
	}
}
