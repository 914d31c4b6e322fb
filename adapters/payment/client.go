package payment

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Limits bounds what a slow or broken provider can cost us. Zero fields take their default.
type Limits struct {
	CallTimeout      time.Duration // of a call that changes something (prepare, confirm, close, refund); default 10 s
	LookupTimeout    time.Duration // of a look-up; default 5 s
	MaxResponseBytes int64         // bytes of an answer's body; default 1 MiB
	MaxFailures      uint32        // failures within Window that open a connection's circuit; default 5
	FailureWindow    time.Duration // default 30 s
	OpenFor          time.Duration // how long an open circuit refuses calls before one probe; default 10 s
	Concurrency      int           // concurrent calls per connection; as many more may wait; default 32
	QueueTimeout     time.Duration // how long a call waits for a slot, before its own timeout starts; default 1 s
}

func (l Limits) withDefaults() Limits {
	l.CallTimeout = orDefault(l.CallTimeout, 10*time.Second)
	l.LookupTimeout = orDefault(l.LookupTimeout, 5*time.Second)
	l.MaxResponseBytes = orDefault(l.MaxResponseBytes, 1<<20)
	l.MaxFailures = orDefault(l.MaxFailures, 5)
	l.FailureWindow = orDefault(l.FailureWindow, 30*time.Second)
	l.OpenFor = orDefault(l.OpenFor, 10*time.Second)
	l.Concurrency = orDefault(l.Concurrency, 32)
	l.QueueTimeout = orDefault(l.QueueTimeout, time.Second)
	return l
}

func orDefault[T int | int64 | uint32 | time.Duration](v, fallback T) T {
	if v <= 0 {
		return fallback
	}
	return v
}

// Request is one HTTP exchange with a provider.
type Request struct {
	Connection string // record id: selects breaker and bulkhead
	Method     string
	URL        string
	Header     http.Header
	Body       []byte
	Lookup     bool // changes nothing
	// AcceptsServerError reports whether a 5xx response concerns one payment rather than a failing provider;
	// nil: none does.
	AcceptsServerError func(Response) bool
}

// Response is a provider's response, from Client.Do.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Success accepts every 2xx: that the provider did as requested must never be read as a refusal.
func (a Response) Success() bool { return a.Status/100 == 2 }

// Client makes provider calls. It follows no redirects and retries no call that changes something: every
// attempt is in the provider call log.
type Client struct {
	limits    Limits
	http      *http.Client
	bulkheads *bulkheads
}

const idempotencyKeyHeader = "Idempotency-Key"

// maxHeaderBytes bounds the headers of a response.
const maxHeaderBytes = 64 << 10

// NewClient makes a client over transport; nil is a new default transport.
func NewClient(limits Limits, transport http.RoundTripper) *Client {
	limits = limits.withDefaults()
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = limits.Concurrency
		t.MaxResponseHeaderBytes = maxHeaderBytes
		transport = t
	}
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{limits: limits, http: &http.Client{Transport: transport, CheckRedirect: refuse}, bulkheads: newBulkheads(limits)}
}

// Do makes the exchange. A status of 400…499 is returned like any other: the adapter decides which of them
// are refusals. Errors: ports.ErrProviderUnavailable without a conclusive response (no connection, timeout,
// 408, 429, 5xx, too many bytes); also wrapping ports.ErrNotSent when no request was made, because the
// circuit is open or too many calls of the connection are running. Failures count against the connection,
// unless the caller had gone or run out of time.
func (c *Client) Do(ctx context.Context, r Request) (Response, error) {
	l := c.bulkheads.acquire(r.Connection)
	defer c.bulkheads.release(l)
	if err := l.acquireSlot(ctx, c.limits.QueueTimeout); err != nil {
		return Response{}, l.notSent(err)
	}
	defer l.releaseSlot()
	limit := c.limits.CallTimeout
	if r.Lookup {
		limit = c.limits.LookupTimeout
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	called := false
	answer, err := l.breaker.Execute(func() (Response, error) {
		called = true
		answer, err := c.exchange(ctx, r)
		if err != nil && caller.Err() != nil {
			return answer, &callerGoneError{err}
		}
		return answer, err
	})
	switch {
	case err != nil && !called:
		return Response{}, l.notSent(errCircuitOpen)
	case err != nil:
		return Response{}, l.unavailable(err)
	}
	l.markAnswered()
	return answer, nil
}

// Ready reports whether Do would make a call of a connection, without making one. Errors:
// ports.ErrProviderUnavailable wrapping ports.ErrNotSent while the circuit is open, and while all slots are
// taken and waiting is futile: the queue is full, or there was no response for longer than the queue timeout.
func (c *Client) Ready(connection string) error {
	return c.bulkheads.refusalFor(connection)
}

// callerGoneError marks a call whose caller left or ran out of time. It does not count against the provider,
// whose time only our own timeout measures.
type callerGoneError struct{ error }

func (g *callerGoneError) Unwrap() error { return g.error }

func (c *Client) exchange(ctx context.Context, r Request) (Response, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Response{}, err
	}
	req.Header = withoutAutoRetry(r.Header)
	res, err := c.http.Do(req)
	if err != nil {
		return Response{}, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read from
	body, err := io.ReadAll(io.LimitReader(res.Body, c.limits.MaxResponseBytes+1))
	switch {
	case err != nil:
		return Response{}, err
	case int64(len(body)) > c.limits.MaxResponseBytes:
		return Response{}, fmt.Errorf("answer of more than %d bytes", c.limits.MaxResponseBytes)
	}
	answer := Response{Status: res.StatusCode, Header: res.Header, Body: body}
	if isInconclusive(res.StatusCode) && (r.AcceptsServerError == nil || !r.AcceptsServerError(answer)) {
		return Response{}, fmt.Errorf("provider answered %d", res.StatusCode)
	}
	return answer, nil
}

// isInconclusive reports whether a status leaves the outcome open: the provider, or a proxy before it, failed
// or was too busy.
func isInconclusive(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

// withoutAutoRetry renames the idempotency key header to a spelling that net/http does not recognize: for
// "Idempotency-Key" net/http would resend a request when its connection breaks, without an entry in the
// provider call log. Providers ignore the case of header names.
func withoutAutoRetry(h http.Header) http.Header {
	out := h.Clone()
	if key, ok := out[idempotencyKeyHeader]; ok {
		delete(out, idempotencyKeyHeader)
		out[strings.ToLower(idempotencyKeyHeader)] = key
	}
	return out
}
