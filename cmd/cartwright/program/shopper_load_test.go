package program

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

// The size of the load.
const (
	loadShoppers = 8
	loadTimeout  = patience // of one call
)

// unlimitedBurst is the setting that, at 0, lets all shoppers use one key.
const unlimitedBurst = "CARTWRIGHT_BURST_PER_MINUTE"

// shopperLoad is a load of shoppers who fill carts until they are stopped. A shopper sends each call once,
// and every call must succeed.
type shopperLoad struct {
	t         *testing.T
	base      string
	secret    string
	variant   string
	client    http.Client
	retryable func(error) bool // whether a call that failed so was not accepted, and is repeated with the same key; nil: never
	calls     atomic.Int64
	repeats   atomic.Int64
	stop      context.CancelFunc
	done      sync.WaitGroup
	mu        sync.Mutex
	added     map[string]int // units by cart, as acknowledged
	brands    map[string]bool
}

// newShopperLoad creates a product in the shop at base for the shoppers to buy.
func newShopperLoad(t *testing.T, base, secret string) *shopperLoad {
	t.Helper()
	f := &shopperLoad{t: t, base: base, secret: secret, added: map[string]int{}, brands: map[string]bool{}}
	f.client = http.Client{Timeout: loadTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: loadShoppers}}
	created, err := f.call(t.Context(), "POST", "/api/products", `{"name": "Bolt", "price": 10, "status": "published", "stock": 1000000}`)
	if err != nil {
		t.Fatal(err)
	}
	found, err := f.call(t.Context(), "GET", "/api/product-variants?where[product][equals]="+textAt(created, "doc", "id"), "")
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
			time.Sleep(10 * time.Millisecond) // the server is restarting
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
	req.ContentLength = int64(len(body)) // io.MultiReader cannot be rewound, so the transport cannot resend the body
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

// start starts the shoppers.
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

// shop adds units to a cart, and between them reads the cart and products or creates a brand.
func (f *shopperLoad) shop(ctx context.Context) error {
	created, err := f.call(ctx, "POST", "/api/server/commerce/carts", "{}")
	if err != nil {
		return err
	}
	cart := textAt(created, "cart", "id")
	for n := 0; ctx.Err() == nil; n++ {
		if _, err := f.call(ctx, "POST", "/api/server/commerce/carts/"+cart+"/items",
			fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, f.variant)); err != nil {
			return err
		}
		f.mu.Lock()
		f.added[cart]++
		f.mu.Unlock()
		if err := f.readOrCreate(ctx, cart, n); err != nil {
			return err
		}
	}
	return nil
}

func (f *shopperLoad) readOrCreate(ctx context.Context, cart string, n int) (err error) {
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

// waitForRequests waits until n more calls were answered.
func (f *shopperLoad) waitForRequests(n int64) {
	f.t.Helper()
	goal := f.calls.Load() + n
	for end := time.Now().Add(loadTimeout); f.calls.Load() < goal; {
		if f.t.Failed() || time.Now().After(end) {
			f.t.Fatal("the calls of shoppers are not answered")
		}
		time.Sleep(5 * time.Millisecond) // polling
	}
}

// close stops the shoppers and checks that everything acknowledged is stored once.
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
			f.t.Errorf("the shop has brand %s %v times, %v", name, got["totalDocs"], err)
		}
	}
	f.t.Logf("%d calls, %d sent again, %d units in %d carts, %d brands",
		f.calls.Load(), f.repeats.Load(), units, len(f.added), len(f.brands))
}
