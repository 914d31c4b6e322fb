package program

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// The metrics of search say how many events and shops are not searched yet: here because the index cannot be written for a
// while. Rules search-7, search-8.
func TestMetricsTellHowFarSearchIsBehind(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	lag := func() (events, shops float64) {
		scrape := scrapeMetrics(t, server.url)
		events, there := sumSeries(t, scrape, "cartwright_search_behind_events")
		shops, also := sumSeries(t, scrape, "cartwright_search_tenants_indexing")
		if there != 1 || also != 1 {
			t.Fatalf("the metrics are not there once:\n%s", scrape)
		}
		return events, shops
	}
	caughtUp := func() bool { events, shops := lag(); return events == 0 && shops == 0 }
	waitUntil(t, caughtUp)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(m.env["CARTWRIGHT_DATA"], "cartwright.db")+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	change := func(statements ...string) {
		if _, err := db.ExecContext(t.Context(), strings.Join(statements, ";")); err != nil {
			t.Fatal(err)
		}
	}
	const hold = "CREATE TRIGGER hold BEFORE UPDATE ON search_places BEGIN SELECT RAISE(ABORT, 'held by a test'); END"
	change(hold)
	for range 3 {
		code, a := requestJSON(t, "POST", server.url+"/api/brands", `{"name":"Maker"}`, "X-API-Key: "+creds.SecretKey)
		if code != 201 {
			t.Fatal(code, a)
		}
	}
	waitUntil(t, func() bool { events, shops := lag(); return events == 3 && shops == 0 }) // they get their numbers a moment later
	change("DROP TRIGGER hold")
	waitUntil(t, caughtUp)
	change("BEGIN IMMEDIATE", "UPDATE search_places SET version = 0", hold, "COMMIT")
	if events, shops := lag(); shops == 0 || events != 0 {
		t.Errorf("%v events and %v shops are behind, while the indexes are made", events, shops)
	}
	change("DROP TRIGGER hold")
	waitUntil(t, caughtUp)
}
