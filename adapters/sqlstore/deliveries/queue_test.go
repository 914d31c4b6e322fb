package deliveries_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/deliveries"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// deliveriesOf are deliveries of events to three endpoints of a tenant.
func deliveriesOf(of string, events int, at time.Time) (all []webhook.Delivery) {
	for i := range events {
		for e := range 3 {
			all = append(all, webhook.Delivery{
				ID: fmt.Sprintf("%s-%d-%d", of, i, e), Endpoint: fmt.Sprintf("%s-%d", of, e), Environment: tenant.Live,
				Event: fmt.Sprintf("%s-%d", of, i), Sequence: int64(i + 1), Collection: "notes", Operation: collection.Created,
				RecordID: fmt.Sprintf("n%d", i/2), RecordSequence: int64(i%2 + 1), OccurredAt: at, Status: webhook.Pending,
				NextAttemptAt: at,
			})
		}
	}
	return all
}

// However long the log of deliveries is, what the deliverer asks for all the time is found by an index: of a
// claim, by the endpoint, and who comes first of a record by that record. The statistics are those of a table
// that was empty a moment ago.
func TestDeliveryQueriesUseIndexes(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		queriesUseIndexes(t, stores.Open(t, sqlstore.Options{Path: filepath.Join(testservers.TempDir(t), "test.db")}, webhook.Endpoints,
			webhook.Deliveries).Deliveries())
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testservers.Postgres(t)
		queue := stores.Open(t, sqlstore.Options{URL: url}, webhook.Endpoints, webhook.Deliveries).Deliveries()
		keepStatistics(t, url)
		queriesUseIndexes(t, queue)
	})
}

// keepStatistics has Postgres learn nothing of the rows to come, however long the test takes.
func keepStatistics(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Exec(t.Context(), "ALTER TABLE webhook_deliveries SET (autovacuum_enabled = false)")
	if err := errors.Join(err, conn.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func queriesUseIndexes(t *testing.T, queue deliveries.Queue) {
	t.Helper()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for _, id := range []tenant.ID{"t1", "t2"} {
		if err := queue.FanOut(t.Context(), id, 0, 1, deliveriesOf(string(id), 2000, now)); err != nil {
			t.Fatal(err)
		}
		if err := queue.Exec(t.Context(), id,
			"UPDATE webhook_deliveries SET status = 'succeeded', ended_at = occurred_at, next_attempt_at = NULL WHERE record <> 'n7'"); err != nil {
			t.Fatal(err)
		}
	}
	plans, err := queue.Plans(t.Context(), "t1", "t1-0", now)
	if err != nil {
		t.Fatal(err)
	}
	const next, first = "i_webhook_deliveries_endpoint_next_attempt_at_sequence_value",
		"i_webhook_deliveries_record_endpoint_record_sequence"
	const oldest, ended = "i_webhook_deliveries_occurred_at", "i_webhook_deliveries_ended_at"
	for name, want := range map[string][]string{
		"claim": {next, first}, "hold": {next, first}, "due": {next}, "lag": {oldest}, "expire": {oldest}, "prune": {ended}, "tenants": nil,
	} {
		for _, index := range want {
			if !strings.Contains(plans[name], index) {
				t.Errorf("%s: %s is not used:\n%s", name, index, plans[name])
			}
		}
		for line := range strings.Lines(plans[name]) {
			if strings.Contains(line, "Seq Scan on webhook_deliveries") ||
				strings.Contains(line, "SCAN webhook_deliveries") && !strings.Contains(line, "INDEX") {
				t.Errorf("%s reads the whole table:\n%s", name, plans[name])
			}
		}
	}
	claimed, err := queue.Claim(t.Context(), "t1", "t1-0", now, time.Minute, 64)
	if err != nil || len(claimed) != 1 || claimed[0].RecordSequence != 1 {
		t.Errorf("claimed %+v %v", claimed, err)
	}
}
