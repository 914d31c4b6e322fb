package program

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Exports and imports that wait are in the metrics, here because no server can take them, and those that the server failed at are
// named by doctor. Rule running-24.
func TestOperatorsSeeJobsThatWaitAndFail(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
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
	waiting := func() float64 {
		scrape := scrapeMetrics(t, server.url)
		exports, found := sumSeries(t, scrape, "cartwright_jobs", `collection="exports"`, `status="waiting"`)
		if _, all := sumSeries(t, scrape, "cartwright_jobs"); found != 1 || all != 4 {
			t.Fatalf("there are %d series of exports that wait, and %d of jobs:\n%s", found, all, scrape)
		}
		if _, ages := sumSeries(t, scrape, "cartwright_jobs_oldest_waiting_seconds"); ages != 2 {
			t.Fatalf("there are %d ages of jobs:\n%s", ages, scrape)
		}
		return exports
	}
	if n := waiting(); n != 0 {
		t.Errorf("%v exports wait, and none was asked for", n)
	}
	change("CREATE TRIGGER hold BEFORE UPDATE ON exports BEGIN SELECT RAISE(ABORT, 'held by a test'); END")
	code, a := requestJSON(t, "POST", server.url+"/api/exports", `{"kind":"products","format":"csv"}`, "X-API-Key: "+creds.SecretKey)
	if code != 201 {
		t.Fatal(code, a)
	}
	if n := waiting(); n != 1 {
		t.Errorf("%v exports wait, and one was asked for", n)
	}
	change("DROP TRIGGER hold")
	waitUntil(t, func() bool { return waiting() == 0 })
	if out := m.must(t, "doctor"); !regexp.MustCompile(`(?m)^jobs +ok +0 exports and imports wait, [01] run`).MatchString(out) {
		t.Errorf("doctor prints:\n%s", out)
	}
	waitUntil(t, func() bool {
		code, list := requestJSON(t, "GET", server.url+"/api/exports?where[status][equals]=done", "", "X-API-Key: "+creds.SecretKey)
		return code == 200 && list["totalDocs"] == 1.0
	})
	change("UPDATE exports SET status = 'failed', problem = 'The server could not do this. Whoever runs it finds the reason in its log.'")
	named := regexp.MustCompile(`(?m)^jobs +warning +1 exports and imports failed .* exports \S+ of tenant ` + creds.TenantID)
	if out := m.must(t, "doctor"); !named.MatchString(out) {
		t.Errorf("doctor prints:\n%s", out)
	}
}
