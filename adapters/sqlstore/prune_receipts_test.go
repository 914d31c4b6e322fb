package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// heap is a store with many receipts, some without an end, and a connection beside it that sees everything.
type heap struct {
	*sqlstore.Store
	*testing.T

	explain string
	beside  func(text string, args ...any) [][]any
}

const (
	expired = 20_000
	alive   = 5_000
	endless = 2_000 // made a year before, one after the other
)

// onBothBackends runs test on both databases with receipts that expired one after the other, and others that
// did not.
func onBothBackends(t *testing.T, test func(h heap)) {
	t.Run("sqlite", func(t *testing.T) { test(sqliteReceipts(t)) })
	t.Run("postgres", func(t *testing.T) { test(postgresReceipts(t)) })
}

var (
	heapDay    = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	yearBefore = heapDay.AddDate(-1, 0, 0)
)

const keepMany = "INSERT INTO receipts (tenant, key, fingerprint, done, result, body, request_id, record, revision, token_version, created_at, expires_at) SELECT 't1', "

func sqliteReceipts(t *testing.T) heap {
	path := filepath.Join(testservers.TempDir(t), "heap.db")
	s := openStore(t, sqlstore.Options{Path: path}, []*collection.Schema{portstest.Parcels})
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	h := heap{s, t, "EXPLAIN QUERY PLAN ", func(text string, args ...any) (out [][]any) {
		t.Helper()
		rows, err := db.QueryContext(t.Context(), text, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		names, err := rows.Columns()
		for err == nil && rows.Next() {
			row, into := make([]any, len(names)), make([]any, len(names))
			for i := range row {
				into[i] = &row[i]
			}
			err = rows.Scan(into...)
			out = append(out, row)
		}
		if err := errors.Join(err, rows.Err()); err != nil {
			t.Fatal(err)
		}
		return out
	}}
	h.beside("WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?) "+keepMany+
		"randomblob(32), randomblob(32), TRUE, 'ok', 'x', 'r', 'c', 1, 0, 0, ? - ? + i FROM s", expired+alive, heapDay.UnixMilli(), expired)
	h.beside("WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?) "+keepMany+
		"randomblob(32), randomblob(32), TRUE, 'ok', 'x', 'r', 'endless', 1, 0, ? + i, NULL FROM s", endless, yearBefore.UnixMilli()-endless)
	h.beside("ANALYZE")
	return h
}

func postgresReceipts(t *testing.T) heap {
	url := testservers.Postgres(t)
	s := openStore(t, sqlstore.Options{URL: url}, []*collection.Schema{portstest.Parcels})
	conn := connectTo(t, url)
	h := heap{s, t, "EXPLAIN ", func(text string, args ...any) [][]any {
		t.Helper()
		rows, err := conn.Query(t.Context(), text, args...)
		if err != nil {
			t.Fatal(err)
		}
		out, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) ([]any, error) { return r.Values() })
		if err != nil {
			t.Fatal(err)
		}
		return out
	}}
	h.beside(keepMany+"sha256(i::text::bytea), sha256('f'), TRUE, 'ok', 'x', 'r', 'c', 1, 0, $1::timestamptz, $1::timestamptz + (i - $2::bigint) * interval '1 millisecond' FROM generate_series(1, $3::bigint) i",
		heapDay, expired, expired+alive)
	h.beside(keepMany+"sha256(('e' || i)::bytea), sha256('f'), TRUE, 'ok', 'x', 'r', 'endless', 1, 0, $1::timestamptz + (i - $2::bigint) * interval '1 millisecond', NULL FROM generate_series(1, $2::bigint) i",
		yearBefore, endless)
	h.beside("ANALYZE receipts")
	return h
}

func connectTo(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// sweeps calls Sweep until it has nothing more to do, and returns how often.
func (h heap) sweeps(now time.Time) (batches int) {
	h.Helper()
	for more := true; more; batches++ {
		done, err := h.Sweep(h.Context(), now)
		if err != nil {
			h.Fatal(err)
		}
		if more = done.More(); done.Receipts > sqlstore.SweepSize || done.EndlessReceipts > sqlstore.SweepSize {
			h.Fatalf("%d and %d receipts in one batch", done.Receipts, done.EndlessReceipts)
		}
	}
	return batches
}

// changes makes a parcel under a key that lives, as any change of a cart.
func (h heap) changes(n int) {
	h.Helper()
	if err := h.Committer().Commit(h.Context(), step(nil, ports.ReceiptKey{0xff, byte(n), byte(n >> 8)})); err != nil {
		h.Fatal(err)
	}
}

func (h heap) left() int64 {
	h.Helper()
	return h.beside("SELECT count(*) FROM receipts WHERE record = 'c'")[0][0].(int64)
}

// However many expired, a transaction of the sweep takes a bounded number, and writers have their turn
// between two.
func TestManyExpiredReceiptsArePrunedInBoundedBatches(t *testing.T) {
	onBothBackends(t, func(h heap) {
		writing, stop := context.WithCancel(h.Context())
		var changes int
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for writing.Err() == nil {
				h.changes(changes)
				changes++
			}
		}()
		batches := h.sweeps(heapDay)
		stop()
		<-ended
		if want := expired/sqlstore.SweepSize + 1; batches != want {
			h.Errorf("%d batches, want %d", batches, want)
		}
		if h.left() != alive {
			h.Errorf("%d receipts are left, want %d", h.left(), alive)
		}
		if n := h.beside("SELECT count(*) FROM receipts WHERE record = 'endless'")[0][0]; n != int64(0) {
			h.Errorf("%v receipts without an end are left", n)
		}
		if changes == 0 {
			h.Error("nobody could write meanwhile")
		}
	})
}

// While a batch is deleted and not committed, changes commit, and another instance deletes the next rows.
// (SQLite has one writer: there a batch is bounded, and that is all.)
func TestPruningDoesNotBlockWriters(t *testing.T) {
	h := postgresReceipts(t)
	h.beside("BEGIN")
	held := h.beside(h.PruneSQL(), time.Time{}, heapDay)
	h.changes(1)
	done, err := h.Sweep(t.Context(), heapDay)
	if err != nil || done.Receipts != sqlstore.SweepSize || len(held) != sqlstore.SweepSize {
		t.Errorf("%d are held, %+v were deleted beside it: %v", len(held), done, err)
	}
	h.changes(2)
	h.beside("ROLLBACK")
	if h.sweeps(heapDay); h.left() != alive+sqlstore.SweepSize {
		t.Errorf("%d are left: what another one gave back is for the next look at everything", h.left())
	}
	if h.sweeps(heapDay.Add(sqlstore.PruneAnew)); h.left() != 0 {
		t.Errorf("%d are left after everything expired", h.left())
	}
}

// Neither the oldest receipts nor claims that were left are looked for among all.
func TestPruningUsesIndex(t *testing.T) {
	onBothBackends(t, func(h heap) {
		var from, to, year any = heapDay.Add(-time.Hour), heapDay, yearBefore
		scan := "Seq Scan on receipts"
		if h.explain == "EXPLAIN " {
			h.beside("SET ROLE cartwright_system")
		} else {
			from, to, year = heapDay.Add(-time.Hour).UnixMilli(), heapDay.UnixMilli(), yearBefore.UnixMilli()
			scan = "SCAN receipts"
		}
		for index, c := range map[string]struct {
			text string
			args []any
		}{
			"i_receipts_expires_at":  {h.PruneSQL(), []any{from, to}},
			"i_receipts_lease_until": {h.AbandonedClaimsSQL(), []any{1}},
			"i_receipts_created_at":  {h.EndlessReceiptsSQL(), []any{year}},
		} {
			plan := strings.ReplaceAll(fmt.Sprintln(h.beside(h.explain+c.text, c.args...)), "] [", "]\n[")
			if !strings.Contains(plan, index) || strings.Contains(plan, scan) {
				h.Errorf("%s:\n%s", c.text, plan)
			}
		}
	})
}
