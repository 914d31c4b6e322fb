package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// How many shoppers a crowd has.
const (
	loadShoppers = 8
	loadTimeout  = patience // of one call
)

// unlimitedBurst is the setting that lets one key call as often as a crowd does.
const unlimitedBurst = "CARTWRIGHT_BURST_PER_MINUTE"

// shopperLoad is shoppers who fill carts of their own and never stop, until they are told to. A shopper sends each call once
// and counts on its answer.
type shopperLoad struct {
	t         *testing.T
	base      string
	secret    string
	variant   string
	client    http.Client
	retryable func(error) bool // whether a call that failed so was not taken, and is sent again under the same key; nil: none is
	calls     atomic.Int64
	repeats   atomic.Int64
	stop      context.CancelFunc
	done      sync.WaitGroup
	mu        sync.Mutex
	added     map[string]int // units by cart, as acknowledged
	brands    map[string]bool
}

// newShopperLoad makes the goods, which the server at base sells.
func newShopperLoad(t *testing.T, base, secret string) *shopperLoad {
	t.Helper()
	f := &shopperLoad{t: t, base: base, secret: secret, added: map[string]int{}, brands: map[string]bool{}}
	f.client = http.Client{Timeout: loadTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: loadShoppers}}
	made, err := f.call(t.Context(), "POST", "/api/products", `{"name": "Bolt", "price": 10, "status": "published", "stock": 1000000}`)
	if err != nil {
		t.Fatal(err)
	}
	found, err := f.call(t.Context(), "GET", "/api/product-variants?where[product][equals]="+textAt(made, "doc", "id"), "")
	if err != nil {
		t.Fatal(err)
	}
	f.variant = textAt(found, "docs", "0", "id")
	return f
}

// call sends a request until it is answered with success; every other answer is an error.
func (f *shopperLoad) call(ctx context.Context, method, path, body string) (map[string]any, error) {
	key := "ik_" + rand.Text() + "abcdef"
	for {
		status, text, err := f.send(ctx, method, path, body, key)
		if err != nil && f.retryable != nil && f.retryable(err) && ctx.Err() == nil {
			f.repeats.Add(1)
			time.Sleep(10 * time.Millisecond) // nobody is at home
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", method, path, err)
		}
		f.calls.Add(1)
		var out map[string]any
		if err := json.Unmarshal(text, &out); err != nil || status >= http.StatusMultipleChoices {
			return nil, fmt.Errorf("%s %s: %d %s", method, path, status, text)
		}
		return out, nil
	}
}

func (f *shopperLoad) send(ctx context.Context, method, path, body, key string) (status int, text []byte, err error) {
	req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), method, f.base+path, io.MultiReader(strings.NewReader(body)))
	if err != nil {
		return 0, nil, err
	}
	req.ContentLength = int64(len(body)) // of a reader that cannot be read again: the transport repeats nothing
	if body == "" {
		req.Body = http.NoBody
	}
	req.Header.Set("X-API-Key", f.secret)
	req.Header.Set("Content-Type", "application/json")
	if method != http.MethodGet {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := f.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	text, err = io.ReadAll(res.Body)
	return res.StatusCode, text, errors.Join(err, res.Body.Close())
}

// start lets everybody in.
func (f *shopperLoad) start() {
	ctx, stop := context.WithCancel(f.t.Context())
	f.stop = stop
	f.t.Cleanup(func() { stop(); f.done.Wait() })
	for range loadShoppers {
		f.done.Go(func() {
			if err := f.shop(ctx); err != nil {
				f.t.Error(err)
			}
		})
	}
}

// shop fills a cart, looks at it and at the shop window, and now and then the owner writes something.
func (f *shopperLoad) shop(ctx context.Context) error {
	made, err := f.call(ctx, "POST", "/api/server/commerce/carts", "{}")
	if err != nil {
		return err
	}
	cart := textAt(made, "cart", "id")
	for n := 0; ctx.Err() == nil; n++ {
		if _, err := f.call(ctx, "POST", "/api/server/commerce/carts/"+cart+"/items", fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, f.variant)); err != nil {
			return err
		}
		f.mu.Lock()
		f.added[cart]++
		f.mu.Unlock()
		if err := f.look(ctx, cart, n); err != nil {
			return err
		}
	}
	return nil
}

func (f *shopperLoad) look(ctx context.Context, cart string, n int) (err error) {
	switch n % 4 {
	case 0:
		_, err = f.call(ctx, "GET", "/api/server/commerce/carts/"+cart, "")
	case 1:
		_, err = f.call(ctx, "GET", "/api/products?limit=3", "")
	case 2:
		name := "Brand " + rand.Text()
		if _, err = f.call(ctx, "POST", "/api/brands", `{"name": "`+name+`"}`); err == nil {
			f.mu.Lock()
			f.brands[name] = true
			f.mu.Unlock()
		}
	}
	return err
}

// waitForRequests waits until the crowd has been served n times more.
func (f *shopperLoad) waitForRequests(n int64) {
	f.t.Helper()
	goal := f.calls.Load() + n
	for end := time.Now().Add(loadTimeout); f.calls.Load() < goal; {
		if f.t.Failed() || time.Now().After(end) {
			f.t.Fatal("the crowd is not served")
		}
		time.Sleep(5 * time.Millisecond) // between looks at a counter
	}
}

// close sends everybody home and counts what is there: what was acknowledged, once.
func (f *shopperLoad) close() {
	f.t.Helper()
	f.stop()
	f.done.Wait()
	if f.t.Failed() {
		return
	}
	units := 0
	for cart, want := range f.added {
		got, err := f.call(f.t.Context(), "GET", "/api/server/commerce/carts/"+cart, "")
		if err != nil {
			f.t.Fatal(err)
		}
		shown := got["cart"].(map[string]any)
		if line := shown["lines"].([]any)[0].(map[string]any); line["quantity"] != float64(want) || shown["revision"] != float64(1+want) {
			f.t.Errorf("a cart holds %v units at revision %v, %d were acknowledged", line["quantity"], shown["revision"], want)
		}
		units += want
	}
	for name := range f.brands {
		got, err := f.call(f.t.Context(), "GET", "/api/brands/count?where[name][equals]="+strings.ReplaceAll(name, " ", "%20"), "")
		if err != nil || got["totalDocs"] != 1.0 {
			f.t.Errorf("%s is there %v times, %v", name, got["totalDocs"], err)
		}
	}
	f.t.Logf("%d calls, %d sent again, %d units in %d carts, %d brands", f.calls.Load(), f.repeats.Load(), units, len(f.added), len(f.brands))
}
