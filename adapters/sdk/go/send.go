package cartwright

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// maxAnswer bounds what is read of an answer: a page of 500 records with their relations is smaller.
const maxAnswer = 64 << 20

// longest is how long the server may ask to be left alone before a call gives up instead.
const longest = 30 * time.Second

// answer is one that says that the call worked.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// replayed reports whether the answer is the one of an earlier request with the same key.
func (a answer) replayed() bool { return a.header.Get("Idempotency-Replayed") == "true" }

// read decodes the body. Errors: it is not what this version knows.
func (a answer) read(op string, out any) error {
	if err := json.Unmarshal(a.body, out); err != nil {
		return &Error{
			Operation: op, Reason: ReasonInvalidResponse, Status: a.status, RequestID: a.header.Get("X-Request-Id"),
			Message: "The answer has another form.", cause: err,
		}
	}
	return nil
}

// send repeats attempts as long as repeating is safe and may help. failed is told of each that brought no success.
func (c *core) send(ctx context.Context, r request, key string, timeout time.Duration, failed func(*Error)) (answer, *Error) {
	for attempt := 1; ; attempt++ {
		a, err := c.attempt(ctx, r, key, timeout)
		if err == nil {
			return a, nil
		}
		failed(err)
		if attempt >= c.retry.Attempts || !again(err) || ctx.Err() != nil || r.once() {
			return a, err
		}
		if c.pause(ctx, c.retry.delay(attempt, err.RetryAfter)) != nil {
			return a, aborted(ctx, r.name)
		}
	}
}

// once reports whether the request changes something and has no key that would have it done once.
func (r request) once() bool { return r.person != nil && r.method != http.MethodGet }

// again reports whether the same request may be sent once more by itself: there was no answer, or one that
// says not now.
func again(e *Error) bool {
	switch e.Status {
	case 0:
		return e.Reason == ReasonNetworkError || e.Reason == ReasonTimeout
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !e.final && e.RetryAfter <= longest
	}
	return false
}

// busy reports whether a status means that the same request may succeed later.
func busy(status int) bool {
	return again(&Error{Status: status}) || status == http.StatusRequestTimeout
}

// delay is the pause after so many attempts: random, so that clients that failed together do not return
// together, and no shorter than the server asks for.
func (r Retry) delay(attempts int, asked time.Duration) time.Duration {
	most := r.MaxDelay
	if doubled := r.BaseDelay << min(attempts-1, 30); doubled > 0 && doubled < most {
		most = doubled
	}
	return asked + rand.N(most+1) //nolint:gosec // it spreads load and guards nothing
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// attempt sends a request once.
func (c *core) attempt(ctx context.Context, r request, key string, timeout time.Duration) (answer, *Error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	res, failed := c.exchange(ctx, limited, r, key)
	if failed != nil {
		return answer{}, failed
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return answer{}, silence(ctx, limited, r.name, err)
	}
	return judge(r, res, text)
}

// exchange sends a request once and answers the beginning of the response, whose body is to be closed. limited is ctx with the time
// of the attempt.
func (c *core) exchange(ctx, limited context.Context, r request, key string) (*http.Response, *Error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(limited, r.method, c.base+"/api"+r.path, body)
	if err != nil {
		return nil, invalid(r.name, errID)
	}
	c.authorize(req.Header, r.person)
	req.Header.Set("Accept", cmp.Or(r.accept, "application/json"))
	if c.language != "" {
		req.Header.Set("Accept-Language", c.language)
	}
	req.Header.Set("User-Agent", "cartwright-go/"+Version)
	if body != nil {
		req.Header.Set("Content-Type", cmp.Or(r.form, "application/json"))
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, silence(ctx, limited, r.name, err)
	}
	return res, nil
}

// judge tells a success from a refusal.
func judge(r request, res *http.Response, text []byte) (answer, *Error) {
	a := answer{res.StatusCode, res.Header, text}
	id := res.Header.Get("X-Request-Id")
	isJSON := json.Valid(text) && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) // every answer of the server is an object
	switch {
	case res.StatusCode == http.StatusNotFound && r.name == opProductDetail.name &&
		isJSON, res.StatusCode == http.StatusNotFound && r.name == opProductDetailCatalog.name && isJSON:
		var said struct {
			Found *bool `json:"found"`
		}
		if json.Unmarshal(text, &said) == nil && said.Found != nil && !*said.Found {
			return a, nil // that there is no such product is an answer
		}
	case res.StatusCode/100 == 2 && isJSON:
		return a, nil
	case res.StatusCode/100 == 2 || res.StatusCode/100 == 3:
		return a, &Error{
			Operation: r.name, Reason: ReasonInvalidResponse, Status: res.StatusCode, RequestID: id,
			Message: "Something else than the server answered.",
		}
	}
	return a, refusal(r.name, res.StatusCode, id, res.Header.Get("Retry-After"), text)
}

// silence is the error of an attempt without a whole answer.
func silence(ctx, limited context.Context, op string, err error) *Error {
	if ctx.Err() != nil {
		return aborted(ctx, op)
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the address, which may hold what people typed
	}
	e := &Error{Operation: op, Reason: ReasonNetworkError, Retryable: true, Message: err.Error(), cause: err}
	if limited.Err() != nil {
		e.Reason, e.Message = ReasonTimeout, "There was no answer in time."
	}
	return e
}

// aborted is the error of a call whose context ended.
func aborted(ctx context.Context, op string) *Error {
	e := &Error{Operation: op, Reason: ReasonAborted, Message: "The call was given up.", cause: ctx.Err()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Reason, e.Message, e.Retryable = ReasonTimeout, "The time of the call is over.", true
	}
	return e
}
