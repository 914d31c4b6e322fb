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

// webhookReceiver serves the endpoints of a shop. It accepts what is signed well, and can be told to keep its answers back.
type webhookReceiver struct {
	mu      sync.Mutex
	hooks   map[string]*standardwebhooks.Webhook // by path
	order   map[string][]int                     // sequences in the order of their first arrival, by path and record
	ids     map[string]string                    // webhook-id, by path, record and sequence
	faults  []string
	events  int           // different ones that arrived
	held    chan struct{} // answers wait until it is closed; nil: they do not
	waiting int           // requests that began to wait for held
	arrival chan struct{} // closed with the next request
}

// ServeHTTP implements http.Handler.
func (e *webhookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	held, accepted := e.accept(r, body, err)
	if !accepted {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if held != nil {
		select {
		case <-held:
		case <-r.Context().Done(): // the sender was killed
		}
	}
}

// accept notes a request and answers what to wait for before it is answered.
func (e *webhookReceiver) accept(r *http.Request, body []byte, err error) (held <-chan struct{}, accepted bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.arrival)
	e.arrival = make(chan struct{})
	var message struct {
		Doc struct{ ID string }
	}
	if err == nil {
		err = json.Unmarshal(body, &message)
	}
	n, bad := strconv.Atoi(r.Header.Get("Webhook-Sequence"))
	hook := e.hooks[r.URL.Path]
	if hook == nil || err != nil || bad != nil || hook.Verify(body, r.Header) != nil {
		e.faults = append(e.faults, fmt.Sprint(r.URL.Path, err, bad, string(body)))
		return nil, false
	}
	record := r.URL.Path + " " + message.Doc.ID
	key := record + " " + strconv.Itoa(n)
	switch id := r.Header.Get("Webhook-Id"); e.ids[key] {
	case "":
		e.ids[key], e.order[record] = id, append(e.order[record], n)
		e.events++
	case id: // once more
	default:
		e.faults = append(e.faults, "another id for "+key)
	}
	if e.held != nil {
		e.waiting++
	}
	return e.held, true
}

// hold keeps back the answers to all requests that arrive from now on, until the returned function is called.
func (e *webhookReceiver) hold() (release func()) {
	held := make(chan struct{})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held, e.waiting = held, 0
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.held = nil
		close(held)
	}
}

// wait waits until happened, which is asked under the lock. It takes as long as the machine takes, as long as requests arrive.
func (e *webhookReceiver) wait(t *testing.T, happened func() bool) {
	t.Helper()
	const silence = 2 * time.Minute // longer than until a failed delivery is repeated
	for {
		e.mu.Lock()
		done, arrival, state := happened(), e.arrival, fmt.Sprintf("%d events arrived; faults %v", e.events, e.faults)
		e.mu.Unlock()
		if done {
			return
		}
		select {
		case <-arrival:
		case <-time.After(silence):
			t.Fatalf("nothing arrives any more: %s", state)
		}
	}
}

// subscribe makes an endpoint at path that is told of brands.
func (e *webhookReceiver) subscribe(t *testing.T, shop killShop, base, receiver, path string) {
	t.Helper()
	var made struct{ Secret string }
	shop.call(t, base, "POST", "/api/webhook-endpoints", map[string]any{"url": receiver + path, "collections": []string{"brands"}}, &made)
	hook, err := standardwebhooks.NewWebhook(made.Secret)
	if err != nil {
		t.Fatal(err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hooks[path] = hook
}

// killShop is a shop whose brands change.
type killShop struct {
	key string
	ids []string // of its brands
}

func (s killShop) call(t *testing.T, base, method, path string, body, answer any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, base+path, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.key)
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

// change makes change n of every brand, by the servers in turn.
func (s killShop) change(t *testing.T, n int, servers ...serverProcess) {
	t.Helper()
	for i := range s.ids {
		var made struct{ Doc struct{ ID string } }
		method, path := "PATCH", "/api/brands/"+s.ids[i]
		if n == 1 {
			method, path = "POST", "/api/brands"
		}
		s.call(t, servers[i%len(servers)].URL, method, path, map[string]any{"name": fmt.Sprintf("Brand %d.%d", i, n)}, &made)
		s.ids[i] = made.Doc.ID
	}
}

// Rule webhooks-7: at least once, in order per record, whoever is killed. Before each kill the receiver stops to answer, and the
// last change of every record is made after that: whichever side is faster, all those deliveries are still to be made when
// the server dies, and at least one of them is on its way.
func TestKilledServersLoseNoDelivery(t *testing.T) {
	t.Parallel()
	const endpoints, records, changes = 3, 30, 5
	e := &webhookReceiver{
		hooks: map[string]*standardwebhooks.Webhook{}, order: map[string][]int{}, ids: map[string]string{}, arrival: make(chan struct{}),
	}
	receiver := httptest.NewServer(e)
	t.Cleanup(receiver.Close)
	database, dir := migratedDB.Postgres(t), t.TempDir()
	env := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + database, "CARTWRIGHT_LOG_LEVEL=error", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true"}
	first, second := startProcess(t, env...), startProcess(t, env...)
	var told credentials
	text, err := os.ReadFile((&Config{Data: dir}).File(credentialsFile))
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatal(err)
	}
	shop := killShop{key: told.SecretKey, ids: make([]string, records)}
	for i := range endpoints {
		e.subscribe(t, shop, first.URL, receiver.URL, fmt.Sprintf("/hook%d", i))
	}
	kill := func(victim serverProcess, n int, servers ...serverProcess) {
		release := e.hold()
		shop.change(t, n, servers...)
		e.wait(t, func() bool { return e.waiting > 0 })
		victim.Kill()
		release()
		endClaims(t, database)
	}
	for n := 1; n < changes-1; n++ {
		shop.change(t, n, first, second)
	}
	kill(first, changes-1, first, second)
	kill(second, changes, second)
	startProcess(t, env...)
	e.wait(t, func() bool { return e.events == endpoints*records*changes })
	e.mu.Lock()
	defer e.mu.Unlock()
	for record, got := range e.order {
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

// endClaims has the time pass until others may make the deliveries that a dead server had claimed.
func endClaims(t *testing.T, database string) {
	t.Helper()
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "UPDATE webhook_claims SET expires_at = now() - interval '1 second' WHERE expires_at > now()"); err != nil {
		t.Fatal(err)
	}
}
