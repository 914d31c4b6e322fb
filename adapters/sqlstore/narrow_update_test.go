package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// On SQLite an update leaves indexes alone that stand on what did not change, by the committer that of a hot
// record; what did change is found by them, and so is what another program wrote before.
func TestIndexesFollowHotRecordChanges(t *testing.T) {
	for road, commit := range map[string]func(ctx context.Context, s *sqlstore.Store, c collection.Change) error{
		"by the committer": func(ctx context.Context, s *sqlstore.Store, c collection.Change) error {
			return s.Committer().Commit(ctx, ports.CommitRequest{Tenant: "t1", Changes: []collection.Change{c}})
		},
		"in a transaction": func(ctx context.Context, s *sqlstore.Store, c collection.Change) error {
			return s.Atomically(ctx, ports.ForTenant("t1"),
				func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, c) })
		},
	} {
		t.Run(road, func(t *testing.T) { indexesFollow(t, commit) })
	}
}

func indexesFollow(t *testing.T, commit func(ctx context.Context, s *sqlstore.Store, c collection.Change) error) {
	for name, x := range map[string]struct {
		was    string // what another program did to the row before
		change func(collection.Record)
		want   string // the status by which it is found
	}{
		"nothing indexed changes": {"", func(r collection.Record) { r["revision"] = int64(7) }, "active"},
		"the status changes":      {"", func(r collection.Record) { r["status"] = "completed" }, "completed"},
		"the row has an older shape": {
			"UPDATE baskets SET shape = 0, status = NULL", func(r collection.Record) { r["revision"] = int64(7) }, "active",
		},
		"an index moves with changes": {"", func(r collection.Record) { r["expiresAt"] = time.Unix(1_900_000_000, 0).UTC() }, "active"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(testservers.TempDir(t), "test.db")
			store := openStore(t, sqlstore.Options{Path: path}, []*collection.Schema{baskets})
			other, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			put := func(before, after collection.Record) {
				t.Helper()
				change := collection.NewChange(baskets, before, after, fmt.Sprint("e", ids.Add(1)), time.Unix(1_800_000_000, 0))
				if err := commit(t.Context(), store, change); err != nil {
					t.Fatal(err)
				}
			}
			first := cartRecord("b1", "t1")
			put(nil, first)
			if _, err := other.ExecContext(t.Context(), x.was); err != nil {
				t.Fatal(err)
			}
			then := first.Clone()
			x.change(then)
			put(first, then)
			var found int
			var sequence int64
			var whole string
			err = other.QueryRowContext(t.Context(),
				`SELECT count(*), max(sequence) FROM baskets INDEXED BY i_baskets_tenant_environment_status_id
				WHERE tenant = 't1' AND environment = 'live' AND status = ?`, x.want).Scan(&found, &sequence)
			if err != nil || found != 1 || sequence != 2 {
				t.Errorf("%d rows at %d with the status %q, %v: want 1 at 2", found, sequence, x.want, err)
			}
			if err := other.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&whole); err != nil || whole != "ok" {
				t.Errorf("%s, %v", whole, err)
			}
		})
	}
}

// However often carts change, a list of something else does not read past their events.
func TestListsSkipHotRecordEvents(t *testing.T) {
	plans, err := openSQLite(t, baskets, portstest.Parcels).NewEventPlans(t.Context(), portstest.Parcels.Slug)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range plans {
		if strings.HasPrefix(p, "SEARCH") && !strings.Contains(p, "i_events_collection (tenant=? AND collection=?") {
			t.Error(p)
		}
	}
	if len(plans) == 0 {
		t.Error("no plan")
	}
}
