package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// caller sends requests to any of the servers, and repeats each with the same key and body until it is answered. Every
// response that it returns is therefore acknowledged.
type caller struct {
	bases  []string
	secret string // key; "" is none
	bearer string // token of a user, instead
	http   http.Client
}

func newCaller(secret string, bases ...string) *caller {
	return &caller{bases: bases, secret: secret, http: http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256},
	}}
}

// answer is an acknowledged response.
type answer struct {
	status   int
	body     []byte
	replayed bool
	revision int64 // of the cart, from the header; 0: without one
}

func (a answer) into(v any) error {
	dec := json.NewDecoder(bytes.NewReader(a.body))
	dec.UseNumber()
	return dec.Decode(v)
}

func newKey() string { return "ik_" + rand.Text() + rand.Text()[:6] }

// request is one logical operation.
type request struct {
	method, path string
	key          string
	body         any // sent as JSON unless it is a form; nil: none
}

// form is a body that is not JSON.
type form struct {
	kind  string // its media type
	bytes []byte
}

// payloadOf is the encoded body of r; nil without one.
func payloadOf(r request) ([]byte, error) {
	switch body := r.body.(type) {
	case nil:
		return nil, nil
	case form:
		return body.bytes, nil
	default:
		return json.Marshal(body)
	}
}

// send is repeat with r's body encoded.
func (c *caller) send(ctx context.Context, r request) (answer, error) {
	payload, err := payloadOf(r)
	if err != nil {
		return answer{}, err
	}
	return c.repeat(ctx, r, payload)
}

// repeat sends r until it gets a final answer: 5xx, 429 and a key in progress are repeated.
func (c *caller) repeat(ctx context.Context, r request, payload []byte) (answer, error) {
	var last error
	for attempt := 0; ; attempt++ {
		a, err := c.once(ctx, r, payload)
		if err == nil && !a.retryable() {
			return a, nil
		}
		if last = err; err == nil {
			last = fmt.Errorf("status %d: %s", a.status, a.body)
		}
		select {
		case <-time.After(time.Duration(10+mathrand.IntN(90)) * time.Millisecond): // spread the retries of many clients
		case <-ctx.Done():
			return answer{}, fmt.Errorf("%s %s unanswered after %d attempts: %w", r.method, r.path, attempt+1, last)
		}
	}
}

// retryable reports whether a is not a final answer.
func (a answer) retryable() bool {
	return a.status >= 500 || a.status == http.StatusTooManyRequests ||
		a.status == http.StatusConflict && bytes.Contains(a.body, []byte(`"retryable":true`))
}

// once sends a request to any server, once.
func (c *caller) once(ctx context.Context, r request, payload []byte) (answer, error) {
	return c.sendTo(ctx, mathrand.IntN(len(c.bases)), r, payload)
}

// sendTo sends a request to one server, once.
func (c *caller) sendTo(ctx context.Context, server int, r request, payload []byte) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, c.bases[server]+r.path, bytes.NewReader(payload))
	if err != nil {
		return answer{}, err
	}
	if c.secret != "" {
		req.Header.Set("X-API-Key", c.secret)
	}
	if c.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	if f, ok := r.body.(form); ok {
		req.Header.Set("Content-Type", f.kind)
	} else if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{status: res.StatusCode, body: body, replayed: res.Header.Get("Idempotency-Replayed") == "true"}
	if text := res.Header.Get("X-Cart-Revision"); text != "" {
		a.revision, err = strconv.ParseInt(text, 10, 64)
	}
	return a, err
}

// must is send for a request that must succeed; it decodes the body into out.
func (c *caller) must(ctx context.Context, r request, out any) (answer, error) {
	a, err := c.send(ctx, r)
	if err != nil {
		return a, err
	}
	return a, a.success(r, out)
}

// success decodes a successful answer to r into out, if there is one.
func (a answer) success(r request, out any) error {
	if a.status >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: %d %s", r.method, r.path, a.status, a.body)
	}
	if out == nil {
		return nil
	}
	return a.into(out)
}

// refusedFor reports whether a is refused for one of the reasons.
func (a answer) refusedFor(reasons ...string) bool {
	return slices.ContainsFunc(reasons, func(reason string) bool {
		return bytes.Contains(a.body, []byte(`"reason":"`+reason+`"`))
	})
}
