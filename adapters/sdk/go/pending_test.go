package cartwright

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// line is a server that answers what a test tells it to, in order, and then that all went well.
type line struct {
	*httptest.Server

	mu      sync.Mutex
	answers []reply
	heard   []heard
}

type reply struct {
	status int
	reason Reason
	extra  string // members of extensions
	header string // Retry-After
	cut    bool   // the connection, in place of an answer
	text   string // in place of the body
}

type heard struct{ method, path, key, body string }

func newLine(t *testing.T) *line {
	t.Helper()
	l := &line{}
	l.Server = httptest.NewUnstartedServer(l)
	l.Config.SetKeepAlivesEnabled(false) // on a kept connection net/http repeats requests with keys by itself
	l.Start()
	t.Cleanup(l.Close)
	return l
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	l.heard = append(l.heard, heard{r.Method, r.URL.RequestURI(), r.Header.Get("Idempotency-Key"), string(body)})
	var now reply
	if len(l.answers) > 0 {
		now, l.answers = l.answers[0], l.answers[1:]
	}
	l.mu.Unlock()
	switch {
	case now.cut:
		panic(http.ErrAbortHandler)
	case now.text != "":
		w.WriteHeader(now.status)
		fmt.Fprint(w, now.text)
	case now.status == 0:
		w.WriteHeader(http.StatusOK)
		fmt.Fprint(w, `{"cart": {"id": "c1", "revision": 2, "totals": {}}, "checkout": {"id": "o1"}}`)
	default:
		w.Header().Set("Retry-After", now.header)
		w.WriteHeader(now.status)
		fmt.Fprintf(w, `{"errors": [{"message": "No.", "extensions": {"code": "X", "reason": %q, "requestId": "r1"%s}}]}`, now.reason, now.extra)
	}
}

// tells what was heard since, and what will be answered next.
func (l *line) script(next ...reply) []heard {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.heard
	l.answers, l.heard = next, nil
	return was
}

// at is a client of the line that waits for nothing and writes down how long it would have.
func (l *line) client(t *testing.T, store PendingStore) (c *Client, pauses *[]time.Duration) {
	t.Helper()
	c, err := New(Config{BaseURL: l.URL, SecretKey: "sk_test_1", Pending: store})
	if err != nil {
		t.Fatal(err)
	}
	pauses = &[]time.Duration{}
	c.core.pause = func(_ context.Context, d time.Duration) error {
		*pauses = append(*pauses, d)
		return nil
	}
	return c, pauses
}

func mustList(t *testing.T, c *Client) []PendingOperation {
	t.Helper()
	all, err := c.Pending.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What is sent again by itself, and what then stays pending.
func TestEachAnswerHasItsConsequence(t *testing.T) {
	t.Parallel()
	again := func(r reply) []reply { return []reply{r, r, r, r} }
	for name, c := range map[string]struct {
		answers       []reply
		sent          int
		kept, unknown bool
		then          Reason
	}{
		"success":                           {nil, 1, false, false, ""},
		"no answer, then success":           {[]reply{{cut: true}}, 2, false, false, ""},
		"no answer at all":                  {again(reply{cut: true}), 4, true, true, ReasonNetworkError},
		"unavailable, then success":         {[]reply{{status: 503, reason: "cart_busy"}, {status: 502, reason: "x"}}, 3, false, false, ""},
		"unavailable all along":             {again(reply{status: 503, reason: "cart_busy"}), 4, true, true, ReasonCartBusy},
		"unavailable and not retryable":     {again(reply{status: 503, reason: "x", extra: `, "retryable": false`}), 1, true, true, "x"},
		"unavailable for a minute":          {again(reply{status: 503, reason: "x", extra: `, "retryAfter": 60`}), 1, true, true, "x"},
		"a gateway in time":                 {[]reply{{status: 504, reason: "x"}}, 2, false, false, ""},
		"something else answers":            {[]reply{{status: 200, text: "<html>Log in</html>"}}, 1, true, true, ReasonInvalidResponse},
		"something else refuses":            {[]reply{{status: 404, text: "<html>Gone</html>"}}, 1, false, false, ReasonInvalidResponse},
		"something else leads away":         {[]reply{{status: 302, text: "<html>"}}, 1, true, true, ReasonInvalidResponse},
		"an answer of another form":         {[]reply{{status: 200, text: `{"cart": 7}`}}, 1, false, false, ReasonInvalidResponse},
		"something else answers in JSON":    {[]reply{{status: 200, text: `"ok"`}}, 1, true, true, ReasonInvalidResponse},
		"an error of the server":            {[]reply{{status: 500, reason: "internal"}}, 1, true, true, "internal"},
		"too much":                          {again(reply{status: 429, reason: ReasonRateLimited}), 4, true, false, ReasonRateLimited},
		"a quota":                           {[]reply{{status: 429, reason: ReasonQuotaExceeded, extra: `, "retryable": false`}}, 1, true, false, ReasonQuotaExceeded},
		"another revision":                  {[]reply{{status: 409, reason: ReasonCartRevisionConflict}}, 1, false, false, ReasonCartRevisionConflict},
		"in progress":                       {[]reply{{status: 409, reason: inProgress, extra: `, "retryable": true`}}, 1, true, true, inProgress},
		"a refusal":                         {[]reply{{status: 422, reason: ReasonOutOfStock}}, 1, false, false, ReasonOutOfStock},
		"not allowed":                       {[]reply{{status: 403, reason: "forbidden"}}, 1, false, false, "forbidden"},
		"not allowed after no answer":       {[]reply{{cut: true}, {status: 401, reason: "unauthenticated"}}, 2, true, true, "unauthenticated"},
		"a refusal after no answer":         {[]reply{{cut: true}, {status: 422, reason: ReasonOutOfStock}}, 2, false, false, ReasonOutOfStock},
		"too much after no answer":          {append([]reply{{cut: true}}, again(reply{status: 429, reason: ReasonRateLimited})[:3]...), 4, true, true, ReasonRateLimited},
		"the request took too long to come": {[]reply{{status: 408, reason: "x"}}, 1, true, true, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLine(t)
			client, _ := l.client(t, nil)
			l.script(c.answers...)
			_, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1})
			if (err == nil) != (c.then == "") || err != nil && !errors.Is(err, c.then) {
				t.Errorf("%v, want %q", err, c.then)
			}
			sent := l.script()
			if len(sent) != c.sent || slices.ContainsFunc(sent, func(h heard) bool { return h != sent[0] }) || !isKey(sent[0].key) {
				t.Errorf("%v", sent)
			}
			left := mustList(t, client)
			if (len(left) == 1) != c.kept || len(left) == 1 && (left[0].Unknown != c.unknown || left[0].ID != sent[0].key) {
				t.Errorf("pending: %#v, want kept %v and unknown %v", left, c.kept, c.unknown)
			}
			if !c.kept {
				return
			}
			if _, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1, ExpectedRevision: new(int64(9))}); err != nil {
				t.Fatal(err)
			}
			if next := l.script(); len(next) != 1 || next[0] != sent[0] || len(mustList(t, client)) != 0 {
				t.Errorf("the same input was sent as %v after %v", next, sent)
			}
		})
	}
}

func TestReadsAreRepeatedWithoutAKey(t *testing.T) {
	t.Parallel()
	l := newLine(t)
	client, pauses := l.client(t, nil)
	l.script(reply{status: 503, reason: "x", header: "2"}, reply{cut: true}, reply{status: 429, reason: "x", extra: `, "retryAfter": 7`})
	if _, err := client.Shipping.Calculate(t.Context(), ShippingCalculateInput{PostalCode: "06000", OrderAmount: "1"}); err != nil {
		t.Fatal(err)
	}
	if sent := l.script(reply{status: 404, reason: "not_found"}); len(sent) != 4 || sent[3].key != "" {
		t.Error(sent)
	}
	for i, within := range [][2]time.Duration{{2 * time.Second, 2*time.Second + 250*time.Millisecond}, {0, 500 * time.Millisecond}, {7 * time.Second, 8 * time.Second}} {
		if p := (*pauses)[i]; p < within[0] || p > within[1] {
			t.Errorf("pause %d is %v, want %v", i, p, within)
		}
	}
	if _, err := client.Carts.Retrieve(t.Context(), CartRetrieveInput{CartID: "c1"}); !errors.Is(err, ReasonNotFound) {
		t.Error(err)
	}
	if len(l.script()) != 1 {
		t.Error("what is not there is looked for again")
	}
}

func TestEqualInputsInFlightAreTwoOperations(t *testing.T) {
	t.Parallel()
	store := NewMemoryStore()
	l := newLine(t)
	client, _ := l.client(t, store)
	both := make(chan struct{}, 2)
	go1 := make(chan struct{})
	client.core.pause = func(context.Context, time.Duration) error {
		both <- struct{}{}
		<-go1
		return nil
	}
	l.script(reply{cut: true}, reply{cut: true})
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if _, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}); err != nil {
				t.Error(err)
			}
		})
	}
	<-both
	<-both
	close(go1)
	all.Wait()
	keys := map[string]int{}
	for _, h := range l.script() {
		keys[h.key]++
	}
	if len(keys) != 2 {
		t.Errorf("%v", keys)
	}
}

func TestACallersOwnKeyIsForOneOperation(t *testing.T) {
	t.Parallel()
	l := newLine(t)
	client, _ := l.client(t, nil)
	own := WithIdempotencyKey("order-4711-line-1-of-the-import")
	add := func(quantity int64, opts ...Option) error {
		_, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: quantity}, opts...)
		return err
	}
	l.script(reply{status: 500, reason: "x"})
	if err := add(1, own); !errors.Is(err, Reason("x")) {
		t.Fatal(err)
	}
	first := l.script()
	if err := add(2, own); !errors.Is(err, keyReused) || len(l.script()) != 0 {
		t.Error(err)
	}
	if err := add(1, own); err != nil {
		t.Error(err)
	}
	if sent := l.script(); len(sent) != 1 || sent[0] != first[0] || sent[0].key != "order-4711-line-1-of-the-import" {
		t.Error(sent)
	}
	if err := add(1, WithIdempotencyKey("short")); !errors.Is(err, keyInvalid) || len(l.script()) != 0 {
		t.Error(err)
	}
}

func TestOldOperationsAndThoseOfOthersAreNeverSent(t *testing.T) {
	t.Parallel()
	store := NewMemoryStore()
	l := newLine(t)
	client, _ := l.client(t, store)
	l.script(reply{status: 500, reason: "x"})
	in := CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}
	if _, err := client.Carts.AddItem(t.Context(), in); err == nil {
		t.Fatal("it went well")
	}
	first := l.script()
	kept := mustList(t, client)
	other, err := New(Config{BaseURL: l.URL, SecretKey: "sk_test_2", Pending: store})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := other.Pending.Resume(t.Context()); err != nil || len(done) != 0 || len(mustList(t, other)) != 0 {
		t.Error("another key sends it", done, err)
	}
	if _, err := other.Carts.AddItem(t.Context(), in, WithIdempotencyKey(first[0].key)); !errors.Is(err, ReasonPendingElsewhere) {
		t.Error(err)
	}
	if _, err := other.Carts.AddItem(t.Context(), in); err != nil {
		t.Error(err)
	}
	if sent := l.script(); len(sent) != 1 || sent[0].key == first[0].key {
		t.Error(sent)
	}
	client.core.now = func() time.Time { return time.Now().Add(-lifetime - time.Hour) } // the clock was wrong, or is now
	if done, err := client.Pending.Resume(t.Context()); err != nil || len(done) != 0 || len(l.script()) != 0 {
		t.Error(done, err)
	}
	if err := store.Put(t.Context(), kept[0]); err != nil {
		t.Fatal(err)
	}
	client.core.now = func() time.Time { return time.Now().Add(lifetime) }
	if done, err := client.Pending.Resume(t.Context()); err != nil || len(done) != 0 || len(l.script()) != 0 {
		t.Error(done, err)
	}
	if all, _ := store.List(t.Context()); len(all) != 0 {
		t.Error("it is still there")
	}
}

func TestResumeSendsEachOnceAndDiscardForgets(t *testing.T) {
	t.Parallel()
	l := newLine(t)
	client, _ := l.client(t, nil)
	bad := reply{status: 500, reason: "x"}
	l.script(bad, bad, bad)
	_, _ = client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}) // each fails
	_, _ = client.Checkouts.Complete(t.Context(), "o1")
	_, _ = client.Carts.Clear(t.Context(), CartClearInput{CartID: "c2"})
	first := l.script()
	waiting := mustList(t, client)
	if len(waiting) != 3 || waiting[0].Operation != "carts.addItem" || waiting[2].Operation != "carts.clear" {
		t.Fatal(waiting)
	}
	if err := client.Pending.Discard(t.Context(), waiting[2].ID); err != nil {
		t.Fatal(err)
	}
	l.script(reply{}, reply{status: 409, reason: ReasonCheckoutExpired})
	done, err := client.Pending.Resume(t.Context())
	if err != nil || len(done) != 2 || done[0].Err != nil || !strings.Contains(string(done[0].Result), `"c1"`) || !errors.Is(done[1].Err, ReasonCheckoutExpired) {
		t.Errorf("%v %v", done, err)
	}
	if sent := l.script(); len(sent) != 2 || sent[0] != first[0] || sent[1] != first[1] || len(mustList(t, client)) != 0 {
		t.Error(sent, first)
	}
	if cart, seen := client.Carts.Cached("c1"); !seen || cart.Revision != 2 {
		t.Error("the resumed cart is not remembered")
	}
}

// What is gone from the store by the time its turn comes is not sent: a call of the program has taken its place.
func TestResumeLooksAgainBeforeItSends(t *testing.T) {
	t.Parallel()
	store := NewMemoryStore()
	l := newLine(t)
	client, _ := l.client(t, store)
	l.script(reply{status: 500, reason: "x"}, reply{status: 500, reason: "x"})
	_, _ = client.Checkouts.Complete(t.Context(), "o1") // both fail
	_, _ = client.Checkouts.Update(t.Context(), CheckoutUpdateInput{CheckoutID: "o2", Email: "old"})
	first := l.script(reply{cut: true})
	client.core.pause = func(context.Context, time.Duration) error { // while the first is sent again
		_, err := client.Checkouts.Update(t.Context(), CheckoutUpdateInput{CheckoutID: "o2", Email: "new"})
		return err
	}
	done, err := client.Pending.Resume(t.Context())
	if err != nil || len(done) != 1 || done[0].Err != nil {
		t.Errorf("%v %v", done, err)
	}
	sent := l.script()
	if len(sent) != 3 || sent[0] != first[0] || sent[2] != first[0] || sent[1].body != `{"email":"new"}` {
		t.Errorf("%v", sent)
	}
}

func TestAnOldReceiptReplacesNoNewerCart(t *testing.T) {
	t.Parallel()
	var c cartCache
	see := func(revision int64, replayed bool) int64 {
		return c.see(Cart{ID: "c1", Revision: revision}, replayed).Revision
	}
	if see(3, false) != 3 || see(2, true) != 3 || see(2, false) != 3 || see(4, true) != 4 {
		t.Error("the newest is not kept")
	}
	fresh := c.see(Cart{ID: "c1", Revision: 4, Status: "abandoned"}, false)
	stale := c.see(Cart{ID: "c1", Revision: 4, Status: "active"}, true)
	if fresh.Status != "abandoned" || stale.Status != "abandoned" {
		t.Error("a receipt replaces what was read later")
	}
	for i := range maxCarts {
		c.see(Cart{ID: fmt.Sprint(i), Revision: 1}, false)
	}
	if _, seen := c.get("c1"); seen || len(c.carts) != maxCarts || c.order.Len() != maxCarts {
		t.Error("it grows without bounds")
	}
}

func TestAContextThatEndedSendsNothing(t *testing.T) {
	t.Parallel()
	l := newLine(t)
	client, _ := l.client(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Carts.Clear(ctx, CartClearInput{CartID: "c1"})
	if !errors.Is(err, ReasonAborted) || !errors.Is(err, context.Canceled) || len(l.script()) != 0 || len(mustList(t, client)) != 0 {
		t.Error(err)
	}
}

// slowFirst is a way to a server that never answers the first request.
type slowFirst struct{ keys []string }

// RoundTrip implements http.RoundTripper.
func (s *slowFirst) RoundTrip(r *http.Request) (*http.Response, error) {
	s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
	if len(s.keys) == 1 {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"cart": {"id": "c1", "revision": 2, "totals": {}}}`)), Request: r}, nil
}

// An attempt has a time of its own; the next one goes out under the same key.
func TestAttemptThatTakesTooLongIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		way := &slowFirst{}
		c, err := New(Config{BaseURL: "https://shop.example", SecretKey: "sk_test_1", HTTPClient: &http.Client{Transport: way}, Retry: Retry{BaseDelay: time.Second, MaxDelay: time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := c.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}, WithTimeout(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < time.Minute || took > time.Minute+time.Second || len(way.keys) != 2 || way.keys[0] == "" || way.keys[0] != way.keys[1] {
			t.Errorf("attempts under %q within %v", way.keys, took)
		}
	})
}
