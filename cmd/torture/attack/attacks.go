package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var attacks = []attack{
	{name: "carts", run: growCarts},
	{name: "emails", run: longEmails},
	{name: "uploads", run: anonymousUploads},
	{name: "logins", run: randomLogins, neighbor: logIn},
	{name: "words", prepare: importManyProducts, run: searchWords, neighbor: listProducts},
	{name: "answers", prepare: importLongTexts, run: unreadAnswers, neighbor: listProducts},
	{name: "slow", run: slowBodies},
	{name: "idle", run: idleConnections},
}

// outcomes counts answers.
type outcomes struct {
	served, refused, failed atomic.Int64
	first                   atomic.Value // refusal
}

func (o *outcomes) count(err error) {
	switch refusal := (statusError{}); {
	case err == nil:
		o.served.Add(1)
	case errors.As(err, &refusal):
		o.refused.Add(1)
		o.first.CompareAndSwap(nil, refusal.Error())
	default:
		o.failed.Add(1)
	}
}

func (o *outcomes) String() string {
	text := fmt.Sprintf("%d served, %d refused, %d failed", o.served.Load(), o.refused.Load(), o.failed.Load())
	if first := o.first.Load(); first != nil {
		text += fmt.Sprint(", first with ", first)
	}
	return text
}

// growCarts is one guest who fills cart after cart as far as it goes.
func growCarts(ctx context.Context, t *target) string {
	variants, err := t.call(ctx, "GET", "/api/product-variants?limit=1&where[sku][equals]=TEA-50G", map[string]string{"X-Client-Key": t.mine.ClientKey}, nil)
	docs, _ := variants["docs"].([]any)
	if err != nil || len(docs) == 0 {
		return fmt.Sprint("no variant: ", err)
	}
	variant, _ := docs[0].(map[string]any)
	var o outcomes
	largest := 0
	for ctx.Err() == nil {
		made, err := t.call(ctx, "POST", "/api/commerce/carts", map[string]string{"X-Client-Key": t.mine.ClientKey}, map[string]any{})
		if err != nil {
			o.count(err)
			if pause(ctx, 100*time.Millisecond) {
				continue
			}
			break
		}
		cart, _ := made["cart"].(map[string]any)
		token, _ := made["cartToken"].(string)
		largest = max(largest, t.fillCart(ctx, &o, fmt.Sprint(cart["id"]), token, fmt.Sprint(variant["id"])))
	}
	return fmt.Sprintf("%s; the largest cart had %d KiB", &o, largest>>10)
}

// fillCart adds lines with as many attributes as are accepted until the cart is full, then changes it for a while.
func (t *target) fillCart(ctx context.Context, o *outcomes, cart, token, variant string) (size int) {
	revision, attributes := 1, 49
	full := 0
	for n := 0; ctx.Err() == nil && full < 300; n++ {
		values := map[string]string{"n": strconv.Itoa(n)}
		for i := range attributes {
			values[strconv.Itoa(i)] = strings.Repeat("x", 2000)
		}
		headers := map[string]string{
			"X-Client-Key": t.mine.ClientKey, "X-Cart-Token": token, "Idempotency-Key": fmt.Sprintf("attack-%d-%d", rand.Uint64(), n),
		}
		path, method, body := "/items", "POST", map[string]any{"variantId": variant, "quantity": 1, "attributes": values, "expectedRevision": revision}
		if full > 0 {
			path, method, body = "/attributes", "PUT", map[string]any{"attributes": map[string]string{"n": strconv.Itoa(n)}, "expectedRevision": revision}
		}
		_, err := t.call(ctx, method, "/api/commerce/carts/"+cart+path, headers, body)
		o.count(err)
		switch refusal := (statusError{}); {
		case err == nil:
			revision++
			if full++; path == "/items" {
				size, full = size+2000*attributes, 0
			}
		case !errors.As(err, &refusal):
			return size
		case refusal.reason == "cart_too_large" && attributes > 7:
			attributes = 7
		case refusal.reason == "cart_too_large", refusal.reason == "cart_line_limit", refusal.reason == "out_of_stock", refusal.status == 413:
			full++
		case refusal.status == 429:
			pause(ctx, 50*time.Millisecond)
		default:
			return size
		}
	}
	return size
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// parallel runs one in n goroutines until ctx ends.
func parallel(ctx context.Context, n int, one func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for ctx.Err() == nil {
				one(i)
			}
		})
	}
	all.Wait()
}

// longEmails asks for passwords of addresses of a megabyte.
func longEmails(ctx context.Context, t *target) string {
	var o outcomes
	long := strings.Repeat("x", 1_000_000)
	parallel(ctx, 16, func(int) {
		_, err := t.call(ctx, "POST", "/api/users/forgot-password", nil, map[string]any{"email": fmt.Sprint(rand.Uint64(), long, "@example.com")})
		o.count(err)
	})
	return o.String()
}

// randomLogins tries addresses that nobody has, on 130 connections.
func randomLogins(ctx context.Context, t *target) string {
	var o outcomes
	parallel(ctx, 130, func(int) {
		_, err := t.call(ctx, "POST", "/api/users/login", nil, map[string]any{
			"email": fmt.Sprint(rand.Uint64(), "@example.com"), "password": "a long password",
		})
		o.count(err)
	})
	return o.String()
}

// logIn is the neighbor's own login, from another address, as a balancer says it.
func logIn(ctx context.Context, t *target) error {
	_, err := t.call(ctx, "POST", "/api/users/login", map[string]string{"X-Forwarded-For": "203.0.113.7"},
		map[string]any{"email": t.other.AdminEmail, "password": t.other.AdminPassword})
	return err
}

// anonymousUploads sends files in an order in which they have to be kept, without any key, and never the last one.
func anonymousUploads(ctx context.Context, t *target) string {
	const head = "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n" +
		`{"query": "mutation($f: Upload!, $g: Upload!) ` +
		`{ a: createMedia(data: {file: $g}) { id } b: createMedia(data: {file: $f}) { id } }", "variables": {"f": null, "g": null}}` +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\n" + `{"0": ["variables.f"], "1": ["variables.g"]}` +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a.png\"\r\n\r\n"
	const size = 25 << 20
	var sent atomic.Int64
	parallel(ctx, 40, func(int) {
		t.hold(ctx, "POST /api/graphql HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n", len(head)+size+1000, head, size, &sent)
	})
	return fmt.Sprintf("%d MiB of files sent", sent.Load()>>20)
}

// slowBodies declares large bodies and sends little of them, on a thousand connections.
func slowBodies(ctx context.Context, t *target) string {
	var sent atomic.Int64
	parallel(ctx, 1000, func(int) {
		t.hold(ctx, "POST /api/commerce/carts HTTP/1.1\r\nContent-Type: application/json\r\nX-Client-Key: "+t.mine.ClientKey+"\r\n",
			1<<20, "{", 1<<10, &sent)
	})
	return fmt.Sprintf("%d KiB of bodies sent", sent.Load()>>10)
}

// hold sends a request with the beginning of a body, then some of it, and waits until it is answered or ctx ends.
func (t *target) hold(ctx context.Context, request string, length int, head string, size int, sent *atomic.Int64) {
	address := strings.TrimPrefix(t.url, "http://")
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		pause(ctx, 100*time.Millisecond)
		return
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if _, err := fmt.Fprintf(conn, "%sHost: %s\r\nContent-Length: %d\r\n\r\n%s", request, address, length, head); err != nil {
		return
	}
	for part := make([]byte, 64<<10); size > 0; size -= len(part) {
		part = part[:min(len(part), size)]
		n, err := conn.Write(part)
		if sent.Add(int64(n)); err != nil {
			pause(ctx, 100*time.Millisecond)
			return
		}
	}
	_, _ = io.Copy(io.Discard, conn)
}

// idleConnections opens six thousand connections and sends nothing on them.
func idleConnections(ctx context.Context, t *target) string {
	var open atomic.Int64
	parallel(ctx, 6000, func(int) {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(t.url, "http://"))
		if err != nil {
			pause(ctx, 100*time.Millisecond)
			return
		}
		open.Add(1)
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		_, _ = io.Copy(io.Discard, conn)
		stop()
		_ = conn.Close()
	})
	return fmt.Sprintf("%d connections opened", open.Load())
}
