package cartwright

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Which responses are retried, and after which the operation stays pending.
func TestRetriesAndPendingOperationsByResponse(t *testing.T) {
	t.Parallel()
	again := func(r reply) []reply { return []reply{r, r, r, r} }
	for name, c := range map[string]struct {
		answers       []reply
		sent          int
		kept, unknown bool
		then          Reason
	}{
		"success":                       {nil, 1, false, false, ""},
		"no response, then success":     {[]reply{{cut: true}}, 2, false, false, ""},
		"no response at all":            {again(reply{cut: true}), 4, true, true, ReasonNetworkError},
		"unavailable, then success":     {[]reply{{status: 503, reason: "cart_busy"}, {status: 502, reason: "x"}}, 3, false, false, ""},
		"always unavailable":            {again(reply{status: 503, reason: "cart_busy"}), 4, true, true, ReasonCartBusy},
		"unavailable and not retryable": {again(reply{status: 503, reason: "x", extra: `, "retryable": false`}), 1, true, true, "x"},
		"unavailable for a minute":      {again(reply{status: 503, reason: "x", extra: `, "retryAfter": 60`}), 1, true, true, "x"},
		"a gateway timeout":             {[]reply{{status: 504, reason: "x"}}, 2, false, false, ""},
		"an HTML page":                  {[]reply{{status: 200, text: "<html>Log in</html>"}}, 1, true, true, ReasonInvalidResponse},
		"an HTML page with 404":         {[]reply{{status: 404, text: "<html>Gone</html>"}}, 1, false, false, ReasonInvalidResponse},
		"a redirect":                    {[]reply{{status: 302, text: "<html>"}}, 1, true, true, ReasonInvalidResponse},
		"a response of another shape":   {[]reply{{status: 200, text: `{"cart": 7}`}}, 1, false, false, ReasonInvalidResponse},
		"JSON that is no object":        {[]reply{{status: 200, text: `"ok"`}}, 1, true, true, ReasonInvalidResponse},
		"an internal error":             {[]reply{{status: 500, reason: "internal"}}, 1, true, true, "internal"},
		"rate limited":                  {again(reply{status: 429, reason: ReasonRateLimited}), 4, true, false, ReasonRateLimited},
		"quota exceeded": {
			[]reply{{status: 429, reason: ReasonQuotaExceeded, extra: `, "retryable": false`}}, 1, true, false, ReasonQuotaExceeded,
		},
		"a revision conflict": {[]reply{{status: 409, reason: ReasonCartRevisionConflict}}, 1, false, false, ReasonCartRevisionConflict},
		"in progress":         {[]reply{{status: 409, reason: inProgress, extra: `, "retryable": true`}}, 1, true, true, inProgress},
		"a refusal":           {[]reply{{status: 422, reason: ReasonOutOfStock}}, 1, false, false, ReasonOutOfStock},
		"forbidden":           {[]reply{{status: 403, reason: "forbidden"}}, 1, false, false, "forbidden"},
		"unauthenticated after no response": {
			[]reply{{cut: true}, {status: 401, reason: "unauthenticated"}}, 2, true, true, "unauthenticated",
		},
		"a refusal after no response": {[]reply{{cut: true}, {status: 422, reason: ReasonOutOfStock}}, 2, false, false, ReasonOutOfStock},
		"rate limited after no response": {
			append([]reply{{cut: true}}, again(reply{status: 429, reason: ReasonRateLimited})[:3]...), 4, true, true, ReasonRateLimited,
		},
		"a request timeout": {[]reply{{status: 408, reason: "x"}}, 1, true, true, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newFakeServer(t)
			client, _ := server.client(t, nil)
			server.script(c.answers...)
			_, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1})
			if (err == nil) != (c.then == "") || err != nil && !errors.Is(err, c.then) {
				t.Errorf("%v, want %q", err, c.then)
			}
			sent := server.script()
			if len(sent) != c.sent || slices.ContainsFunc(sent, func(h sentRequest) bool { return h != sent[0] }) || !isKey(sent[0].key) {
				t.Errorf("%v", sent)
			}
			left := mustList(t, client)
			if (len(left) == 1) != c.kept || len(left) == 1 && (left[0].Unknown != c.unknown || left[0].ID != sent[0].key) {
				t.Errorf("pending: %#v, want kept %v and unknown %v", left, c.kept, c.unknown)
			}
			if !c.kept {
				return
			}
			if _, err := client.Carts.AddItem(t.Context(), CartAddItemInput{
				CartID: "c1", VariantID: "v1", Quantity: 1, ExpectedRevision: new(int64(9)),
			}); err != nil {
				t.Fatal(err)
			}
			if next := server.script(); len(next) != 1 || next[0] != sent[0] || len(mustList(t, client)) != 0 {
				t.Errorf("the same input was sent as %v after %v", next, sent)
			}
		})
	}
}

func TestReadsAreRetriedWithoutAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, pauses := server.client(t, nil)
	server.script(reply{status: 503, reason: "x", header: "2"}, reply{cut: true},
		reply{status: 429, reason: "x", extra: `, "retryAfter": 7`})
	if _, err := client.Shipping.Calculate(t.Context(), ShippingCalculateInput{PostalCode: "06000", OrderAmount: "1"}); err != nil {
		t.Fatal(err)
	}
	if sent := server.script(reply{status: 404, reason: "not_found"}); len(sent) != 4 || sent[3].key != "" {
		t.Error(sent)
	}
	for i, within := range [][2]time.Duration{
		{2 * time.Second, 2*time.Second + 250*time.Millisecond}, {0, 500 * time.Millisecond}, {7 * time.Second, 8 * time.Second},
	} {
		if p := (*pauses)[i]; p < within[0] || p > within[1] {
			t.Errorf("pause %d is %v, want %v", i, p, within)
		}
	}
	if _, err := client.Carts.Retrieve(t.Context(), CartRetrieveInput{CartID: "c1"}); !errors.Is(err, ReasonNotFound) {
		t.Error(err)
	}
	if len(server.script()) != 1 {
		t.Error("a refused read was retried")
	}
}

func TestCanceledContextSendsNothing(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := server.client(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Carts.Clear(ctx, CartClearInput{CartID: "c1"})
	if !errors.Is(err, ReasonAborted) || !errors.Is(err, context.Canceled) || len(server.script()) != 0 || len(mustList(t, client)) != 0 {
		t.Error(err)
	}
}

// slowFirst is a transport whose first request is never answered.
type slowFirst struct{ keys []string }

// RoundTrip implements http.RoundTripper.
func (s *slowFirst) RoundTrip(r *http.Request) (*http.Response, error) {
	s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
	if len(s.keys) == 1 {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(`{"cart": {"id": "c1", "revision": 2, "totals": {}}}`)), Request: r,
	}, nil
}

// The timeout is that of one attempt; the next one has the same key.
func TestTimedOutAttemptIsRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		transport := &slowFirst{}
		c, err := New(Config{
			BaseURL: "https://shop.example", SecretKey: "sk_test_1", HTTPClient: &http.Client{Transport: transport},
			Retry: Retry{BaseDelay: time.Second, MaxDelay: time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := c.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}, WithTimeout(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < time.Minute || took > time.Minute+time.Second || len(transport.keys) != 2 ||
			transport.keys[0] == "" || transport.keys[0] != transport.keys[1] {
			t.Errorf("attempts under %q within %v", transport.keys, took)
		}
	})
}
