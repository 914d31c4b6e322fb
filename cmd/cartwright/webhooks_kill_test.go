package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// ear is the endpoints of a shop: it takes what is signed well, slowly, and tells when it has heard enough.
type ear struct {
	mu     sync.Mutex
	hooks  map[string]*standardwebhooks.Webhook // by path
	heard  map[string][]int                     // sequences in the order of their first arrival, by path and record
	ids    map[string]string                    // webhook-id, by path, record and sequence
	faults []string
	count  int // of different events
	enough chan struct{}
	at     int // count at which enough is closed
	held   chan struct{}
}

// ServeHTTP implements http.Handler.
func (e *ear) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var told struct {
		Doc struct{ ID string }
	}
	if err == nil {
		err = json.Unmarshal(body, &told)
	}
	n, bad := strconv.Atoi(r.Header.Get("Webhook-Sequence"))
	e.mu.Lock()
	hook := e.hooks[r.URL.Path]
	if hook == nil || err != nil || bad != nil || hook.Verify(body, r.Header) != nil {
		e.faults = append(e.faults, fmt.Sprint(r.URL.Path, err, bad, string(body)))
		e.mu.Unlock()
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	record := r.URL.Path + " " + told.Doc.ID
	key := record + " " + strconv.Itoa(n)
	switch id := e.ids[key]; id {
	case "":
		e.ids[key] = r.Header.Get("Webhook-Id")
		e.heard[record] = append(e.heard[record], n)
		e.count++
	case r.Header.Get("Webhook-Id"): // once more
	default:
		e.faults = append(e.faults, "another id for "+key)
	}
	if e.enough != nil && e.count >= e.at {
		close(e.enough)
		e.enough = nil
	}
	held := e.held
	e.mu.Unlock()
	if held != nil {
		select { // nobody has an answer when the server dies
		case <-held:
		case <-r.Context().Done():
		}
	}
}

// after waits until n different events were heard; those heard from then on are left without an answer until the returned
// function is called.
func (e *ear) after(t *testing.T, n int, hold bool) (goOn func()) {
	t.Helper()
	enough, held := make(chan struct{}), make(chan struct{})
	e.mu.Lock()
	if e.at, e.enough = n, enough; e.count >= n {
		close(enough)
		e.enough = nil
	}
	if hold {
		e.held = held
	}
	e.mu.Unlock()
	select {
	case <-enough:
	case <-time.After(2 * time.Minute):
		e.mu.Lock()
		defer e.mu.Unlock()
		t.Fatalf("%d of %d events were heard; faults %v", e.count, n, e.faults)
	}
	return func() {
		e.mu.Lock()
		e.held = nil
		e.mu.Unlock()
		close(held)
	}
}

// Contract 10: at least once, in order per record, whoever is killed.
func TestKilledServersLoseNoDelivery(t *testing.T) {
	t.Parallel()
	const endpoints, records, changes = 3, 30, 5
	e := &ear{hooks: map[string]*standardwebhooks.Webhook{}, heard: map[string][]int{}, ids: map[string]string{}}
	receiver := httptest.NewServer(e)
	t.Cleanup(receiver.Close)
	database, dir := migrated.Postgres(t), t.TempDir()
	env := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + database, "CARTWRIGHT_LOG_LEVEL=error", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true"}
	first := startProcess(t, env...)
	second := startProcess(t, env...)
	var told credentials
	text, err := os.ReadFile((&Config{Data: dir}).File(credentialsFile))
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatal(err)
	}
	call := func(base, method, path string, body, answer any) {
		t.Helper()
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), method, base+path, bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-API-Key", told.SecretKey)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if err := json.NewDecoder(res.Body).Decode(answer); err != nil || res.StatusCode >= 300 {
			t.Fatalf("%s %s: %d %v", method, path, res.StatusCode, err)
		}
	}
	for i := range endpoints {
		var made struct{ Secret string }
		path := fmt.Sprintf("/hook%d", i)
		call(first.URL, "POST", "/api/webhook-endpoints", map[string]any{"url": receiver.URL + path, "collections": []string{"brands"}}, &made)
		if e.hooks[path], err = standardwebhooks.NewWebhook(made.Secret); err != nil {
			t.Fatal(err)
		}
	}
	ids := make([]string, records)
	change := func(from, to int) {
		for n := from; n < to; n++ {
			for i := range ids {
				var made struct{ Doc struct{ ID string } }
				base, method, path := []string{first.URL, second.URL}[i%2], "PATCH", "/api/brands/"+ids[i]
				if n == 0 {
					method, path = "POST", "/api/brands"
				}
				call(base, method, path, map[string]any{"name": fmt.Sprintf("Brand %d.%d", i, n)}, &made)
				ids[i] = made.Doc.ID
			}
		}
	}
	change(0, changes-1)
	goOn := e.after(t, 60, true)
	first.Kill()
	goOn()
	first = second
	change(changes-1, changes)
	goOn = e.after(t, 200, true)
	second.Kill()
	goOn()
	startProcess(t, env...)
	books, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer books.Close()
	// What the dead held is free again when their claims have run out; that time passes here.
	if _, err := books.ExecContext(t.Context(), "UPDATE webhook_claims SET until_time = now() - interval '1 second' WHERE until_time > now()"); err != nil {
		t.Fatal(err)
	}
	e.after(t, endpoints*records*changes, false)
	e.mu.Lock()
	defer e.mu.Unlock()
	for record, got := range e.heard {
		for i, n := range got {
			if n != i+1 {
				t.Errorf("%s was told in the order %v", record, got)
				break
			}
		}
	}
	if len(e.faults) > 0 {
		t.Error(e.faults[0])
	}
}
