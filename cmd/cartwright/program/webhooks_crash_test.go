package program

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

// webhookReceiver serves the webhook endpoints of a shop. It accepts requests with valid signatures, and can delay its
// responses.
type webhookReceiver struct {
	mu      sync.Mutex
	hooks   map[string]*standardwebhooks.Webhook // by path
	order   map[string][]int                     // sequences in the order of their first arrival, by path and record
	ids     map[string]string                    // webhook-id, by path, record and sequence
	faults  []string
	events  int           // distinct events that arrived
	held    chan struct{} // responses wait until it is closed; nil: they do not wait
	waiting int           // requests that wait for held
	arrival chan struct{} // closed with the next request
}

// ServeHTTP implements http.Handler.
func (e *webhookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil { // the sender was killed before it had sent all
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	held, accepted := e.accept(r, body)
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

// accept records a request, and returns the channel that its response must wait for.
func (e *webhookReceiver) accept(r *http.Request, body []byte) (held <-chan struct{}, accepted bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.arrival)
	e.arrival = make(chan struct{})
	var message struct {
		Doc struct{ ID string }
	}
	err := json.Unmarshal(body, &message)
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
	case id: // delivered again
	default:
		e.faults = append(e.faults, "another id for "+key)
	}
	if e.held != nil {
		e.waiting++
	}
	return e.held, true
}

// hold delays the responses to all requests that arrive from now on, until release is called.
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

// wait waits until condition, which is called with the lock held, is true. It has no time limit while requests arrive.
func (e *webhookReceiver) wait(t *testing.T, condition func() bool) {
	t.Helper()
	const silence = 2 * time.Minute // longer than until a failed delivery is retried
	for {
		e.mu.Lock()
		done, arrival, state := condition(), e.arrival, fmt.Sprintf("%d events arrived; faults %v", e.events, e.faults)
		e.mu.Unlock()
		if done {
			return
		}
		select {
		case <-arrival:
		case <-time.After(silence):
			t.Fatalf("no requests arrive any more: %s", state)
		}
	}
}

// subscribe creates an endpoint at path for events of brands.
func (e *webhookReceiver) subscribe(t *testing.T, shop killShop, base, receiver, path string) {
	t.Helper()
	var created struct{ Secret string }
	shop.call(t, base, "POST", "/api/webhook-endpoints",
		map[string]any{"url": receiver + path, "collections": []string{"brands"}}, &created)
	hook, err := standardwebhooks.NewWebhook(created.Secret)
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

// change makes change n of every brand, on the servers in turn.
func (s killShop) change(t *testing.T, n int, servers ...serverProcess) {
	t.Helper()
	for i := range s.ids {
		var created struct{ Doc struct{ ID string } }
		method, path := "PATCH", "/api/brands/"+s.ids[i]
		if n == 1 {
			method, path = "POST", "/api/brands"
		}
		s.call(t, servers[i%len(servers)].URL, method, path, map[string]any{"name": fmt.Sprintf("Brand %d.%d", i, n)}, &created)
		s.ids[i] = created.Doc.ID
	}
}

// Deliveries arrive at least once and in order per record when servers are killed. Rule webhooks-7. Before
// each kill the receiver stops answering, and the last change of every record is made after that: so all
// those deliveries are pending when the server dies, and at least one request is open.
func TestKilledServersLoseNoDelivery(t *testing.T) {
	t.Parallel()
	const endpoints, records, changes = 3, 30, 5
	e := &webhookReceiver{
		hooks: map[string]*standardwebhooks.Webhook{}, order: map[string][]int{}, ids: map[string]string{}, arrival: make(chan struct{}),
	}
	receiver := httptest.NewServer(e)
	t.Cleanup(receiver.Close)
	database, dir := demoDatabase(t)
	env := []string{
		"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + database, "CARTWRIGHT_LOG_LEVEL=error",
		"CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true",
	}
	first, second := startProcess(t, env...), startProcess(t, env...)
	var creds credentials
	text, err := os.ReadFile((&Config{Data: dir}).File(credentialsFile))
	if err == nil {
		err = json.Unmarshal(text, &creds)
	}
	if err != nil {
		t.Fatal(err)
	}
	shop := killShop{key: creds.SecretKey, ids: make([]string, records)}
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
				t.Errorf("the changes of %s were delivered in the order %v", record, got)
				break
			}
		}
	}
	if len(e.faults) > 0 {
		t.Error(e.faults[0])
	}
}

// endClaims lets the claims of a killed server expire, so that others may make its deliveries. Each is a transaction of its
// own: whoever held several at once could wait in a circle with a server that is at the same deliveries.
func endClaims(t *testing.T, database string) {
	t.Helper()
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT tenant, delivery FROM webhook_claims WHERE expires_at > now()")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var claims [][2]string
	for rows.Next() {
		var c [2]string
		if err := rows.Scan(&c[0], &c[1]); err != nil {
			t.Fatal(err)
		}
		claims = append(claims, c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		if _, err := db.ExecContext(t.Context(),
			"UPDATE webhook_claims SET expires_at = now() - interval '1 second' WHERE tenant = $1 AND delivery = $2", c[0], c[1]); err != nil {
			t.Fatal(err)
		}
	}
}
