// Package payment is what every payment provider adapter needs around its HTTP calls: time limits, a breaker and a
// bulkhead per connection, bounded answers, and the two faults a caller can act on. Contract 8 and 13, "Payments".
package payment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// Limits bounds what a slow or broken provider can cost us. Zero fields take their default.
type Limits struct {
	CallTimeout   time.Duration // of a call that acts (prepare, confirm, close, refund); default 10 s
	LookupTimeout time.Duration // of a question; default 5 s
	MaxAnswer     int64         // bytes of an answer's body; default 1 MiB
	Failures      uint32        // failures within Window that open a connection's circuit; default 5
	Window        time.Duration // default 30 s
	OpenFor       time.Duration // how long no call is made before one probe; default 10 s
	Concurrency   int           // calls at the same time per connection; as many again may wait for one of them to end; default 32
	Patience      time.Duration // how long a call waits for its turn, before its own time begins; default 1 s
}

func (l Limits) withDefaults() Limits {
	l.CallTimeout = orDefault(l.CallTimeout, 10*time.Second)
	l.LookupTimeout = orDefault(l.LookupTimeout, 5*time.Second)
	l.MaxAnswer = orDefault(l.MaxAnswer, 1<<20)
	l.Failures = orDefault(l.Failures, 5)
	l.Window = orDefault(l.Window, 30*time.Second)
	l.OpenFor = orDefault(l.OpenFor, 10*time.Second)
	l.Concurrency = orDefault(l.Concurrency, 32)
	l.Patience = orDefault(l.Patience, time.Second)
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
	Connection string // record id: breaker and bulkhead belong to it
	Method     string
	URL        string
	Header     http.Header
	Body       []byte
	Lookup     bool // a question, which changes nothing
	// IsAnswer tells an answer of 5xx that is about one payment from a broken provider; nil: none is.
	IsAnswer func(Answer) bool
}

// Answer is a provider's answer: one of Client.Do.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Success takes every 2xx for one: that a provider did as asked must never be read as a refusal.
func (a Answer) Success() bool { return a.Status/100 == 2 }

// Client makes provider calls. It follows no redirects and repeats no call that acts: every attempt stands in the journal.
type Client struct {
	limits Limits
	http   *http.Client
	lines  *lines
}

const idempotencyKey = "Idempotency-Key"

// maxHeaders bounds the headers of an answer, in bytes.
const maxHeaders = 64 << 10

// NewClient makes a client over transport; nil is a transport of its own.
func NewClient(limits Limits, transport http.RoundTripper) *Client {
	limits = limits.withDefaults()
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = limits.Concurrency
		t.MaxResponseHeaderBytes = maxHeaders
		transport = t
	}
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{limits: limits, http: &http.Client{Transport: transport, CheckRedirect: refuse}, lines: newLines(limits)}
}

// Do makes the exchange. An answer of 400…499 is returned like any other: the adapter knows which of them are answers
// and which are refusals. Errors: ports.ErrProviderUnavailable when there is no answer we can believe: no connection, no
// time left, 408, 429, 5xx, too many bytes; and, because of ports.ErrNotSent, when none was asked for: circuit open, too many
// calls of the connection under way. What went wrong counts against the connection, unless the caller was gone or out of
// time by then.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	l := c.lines.take(r.Connection)
	defer c.lines.giveBack(l)
	if err := l.enter(ctx, c.limits.Patience); err != nil {
		return Answer{}, notSent(err)
	}
	defer l.leave()
	limit := c.limits.CallTimeout
	if r.Lookup {
		limit = c.limits.LookupTimeout
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answer, err := l.breaker.Execute(func() (Answer, error) {
		answer, err := c.exchange(ctx, r)
		if err != nil && caller.Err() != nil {
			return answer, &gaveUpError{err}
		}
		return answer, err
	})
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return Answer{}, notSent(err)
	case err != nil:
		return Answer{}, ports.ErrProviderUnavailable.Because(err)
	}
	l.answered()
	return answer, nil
}

// Ready tells whether Do would make a call of a connection, without making one. Errors: ports.ErrProviderUnavailable because
// of ports.ErrNotSent while the circuit is open, and while all slots are taken and waiting for one is in vain: as many wait as
// may, or nobody was answered for as long as anybody waits.
func (c *Client) Ready(connection string) error {
	if err := c.lines.refusal(connection); err != nil {
		return notSent(err)
	}
	return nil
}

// notSent is why no call was made.
func notSent(err error) error {
	return ports.ErrProviderUnavailable.Because(fmt.Errorf("%w: %w", ports.ErrNotSent, err))
}

// gaveUpError marks a call whose caller went away or had no time left; it says nothing about the provider, which only our
// own limit measures.
type gaveUpError struct{ error }

func (g *gaveUpError) Unwrap() error { return g.error }

func (c *Client) exchange(ctx context.Context, r Request) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{}, err
	}
	req.Header = unrepeated(r.Header)
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(io.LimitReader(res.Body, c.limits.MaxAnswer+1))
	switch {
	case err != nil:
		return Answer{}, err
	case int64(len(body)) > c.limits.MaxAnswer:
		return Answer{}, fmt.Errorf("answer of more than %d bytes", c.limits.MaxAnswer)
	}
	answer := Answer{Status: res.StatusCode, Header: res.Header, Body: body}
	if noAnswer(res.StatusCode) && (r.IsAnswer == nil || !r.IsAnswer(answer)) {
		return Answer{}, fmt.Errorf("provider answered %d", res.StatusCode)
	}
	return answer, nil
}

// noAnswer reports whether a status says nothing about what was asked: the provider, or something before it, failed or was
// too busy.
func noAnswer(status int) bool {
	return status >= http.StatusInternalServerError || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

// unrepeated is h with its idempotency key under a name that net/http does not know: for an entry "Idempotency-Key" it would
// repeat a request on a connection that breaks, behind the journal's back. To providers the name is the same, for names of
// headers have no case.
func unrepeated(h http.Header) http.Header {
	out := h.Clone()
	if key, ok := out[idempotencyKey]; ok {
		delete(out, idempotencyKey)
		out[strings.ToLower(idempotencyKey)] = key
	}
	return out
}
