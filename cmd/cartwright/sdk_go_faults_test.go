package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cartwright "github.com/cartwright-dev/cartwright/adapters/sdk/go"
	"github.com/cartwright-dev/cartwright/adapters/testservers/faultproxy"
)

const addsItem = `/server/commerce/carts/[^/]+/items$`

// checkResume has every answer to a change lost until the client gives up, and then goes on with it.
func (s *goShop) checkResume() {
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: addsItem, Times: 4})
	callResult(s.Carts.AddItem(ctx, cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1})).refused(s, cartwright.ReasonNetworkError)
	waiting := callResult(s.Pending.List(ctx)).ok(s)
	if len(waiting) != 1 || waiting[0].Operation != "carts.addItem" || !waiting[0].Unknown {
		s.Errorf("%v", waiting)
	}
	done := callResult(s.Pending.Resume(ctx)).ok(s)
	if len(done) != 1 || done[0].Err != nil || len(callResult(s.Pending.List(ctx)).ok(s)) != 0 {
		s.Fatalf("%v", done)
	}
	said := callResult(cartwright.Decode[struct{ Cart cartwright.Cart }](done[0].Result)).ok(s)
	if cached, seen := s.Carts.Cached(id); !seen || cached.Revision != 2 || said.Cart.Revision != 2 || said.Cart.Lines[0].Quantity != 1 {
		s.Errorf("%+v %+v", said, cached)
	}
}

// addsOnce has a fault met by the adding of an item, and then wants one item in the cart, put there by one key and body.
func (s *goShop) addsOnce(f faultproxy.Fault, attempts int) {
	s.Helper()
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	f.Path = addsItem
	s.proxy.Clear()
	met := s.proxy.InjectNext(f)
	added := callResult(s.Carts.AddItem(ctx, cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1, Attributes: map[string]string{"for": "<Kim>"}})).ok(s)
	<-met.Triggered()
	s.wantsOnce(id, attempts)
	if added.Receipt.Revision != 2 {
		s.Errorf("%+v", added)
	}
}

// wantsOnce wants so many equal requests since the last Forget that added an item, and one item in the cart.
func (s *goShop) wantsOnce(cart string, attempts int) {
	s.Helper()
	sent := slices.DeleteFunc(s.proxy.Requests(), func(r faultproxy.Request) bool { return !strings.HasSuffix(r.Path, "/items") })
	for _, r := range sent {
		if r.Key == "" || r.Key != sent[0].Key || r.Body != sent[0].Body || r.Body == "" || r.Path != sent[0].Path {
			s.Errorf("other bytes or another key: %+v after %+v", r, sent[0])
		}
	}
	now := callResult(s.Carts.Retrieve(s.Context(), cartwright.CartRetrieveInput{CartID: cart})).ok(s).Cart
	if len(sent) != attempts || len(now.Lines) != 1 || now.Lines[0].Quantity != 1 || now.Revision != 2 {
		s.Errorf("%d requests, revision %d, %+v", len(sent), now.Revision, now.Lines)
	}
	if left := callResult(s.Pending.List(s.Context())).ok(s); len(left) != 0 {
		s.Errorf("still pending: %v", left)
	}
}

func TestGoSDKAppliesChangesOnceOverFaultyNetwork(t *testing.T) {
	t.Parallel()
	const unavailable = `{"errors": [{"message": "Busy.", "extensions": {"code": "UNAVAILABLE", "reason": "overloaded", "retryable": true, "retryAfter": 1}}]}`
	atGoShops(t, func(s *goShop) {
		for name, does := range map[string]func(*goShop){
			"the answer is lost":         func(s *goShop) { s.addsOnce(faultproxy.Fault{Kind: faultproxy.Drop}, 2) },
			"half of the answer is lost": func(s *goShop) { s.addsOnce(faultproxy.Fault{Kind: faultproxy.Truncate}, 2) },
			"three answers are lost":     func(s *goShop) { s.addsOnce(faultproxy.Fault{Kind: faultproxy.Drop, Times: 3}, 4) },
			"the request is lost":        func(s *goShop) { s.addsOnce(faultproxy.Fault{Kind: faultproxy.Reset}, 2) },
			"a gateway has no server":    func(s *goShop) { s.addsOnce(faultproxy.Fault{Kind: faultproxy.Status, Status: 502, Body: "<html>"}, 2) },
			"a server is too busy, and says how long": func(s *goShop) {
				s.addsOnce(faultproxy.Fault{Kind: faultproxy.Status, Status: 503, Body: unavailable}, 2)
			},
			"a server asks for a second": func(s *goShop) {
				s.addsOnce(faultproxy.Fault{Kind: faultproxy.Status, Status: 429, Header: map[string]string{"Retry-After": "1"}}, 2)
			},
			"the request is late, and another passes": (*goShop).checkLateRequest,
			"the caller gives up":                     (*goShop).checkCallerCancel,
			"the cart was changed by somebody else":   (*goShop).conflicts,
			"an old receipt comes after a newer cart": (*goShop).checkStaleAnswer,
			"a payment is confirmed and nobody hears": (*goShop).confirmsOnce,
		} {
			s.Run(name, func(t *testing.T) {
				one := *s
				one.T, one.proxy = t, faultproxy.Start(t, s.url)
				one.Client = one.client(nil)
				does(&one)
			})
		}
	})
}

// checkLateRequest has a request arrive long after the next attempt of it.
func (s *goShop) checkLateRequest() {
	id := callResult(s.Carts.Create(s.Context(), cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.Clear()
	late := s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Delay, Path: addsItem})
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1}
	client := s.clientOver(&impatient{way: s.seen, after: late.Triggered()}, nil)
	callResult(client.Carts.AddItem(s.Context(), in)).ok(s)
	late.Release()
	s.answeredAll()
	s.wantsOnce(id, 2)
}

// impatient is a way out on which the first attempt to add an item is given up at a moment, as it is when its time is over.
type impatient struct {
	way   http.RoundTripper
	after <-chan struct{}
	first sync.Once
}

// RoundTrip implements http.RoundTripper.
func (i *impatient) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/items") {
		i.first.Do(func() {
			ctx, leave := context.WithCancel(r.Context())
			r = r.WithContext(ctx)
			go func() {
				<-i.after
				leave()
			}()
		})
	}
	return i.way.RoundTrip(r)
}

// answeredAll waits until the server has answered all that was sent.
func (s *goShop) answeredAll() {
	s.Helper()
	waitUntil(s.T, func() bool {
		return !slices.ContainsFunc(s.proxy.Requests(), func(r faultproxy.Request) bool { return r.Answer == 0 })
	})
}

// checkCallerCancel has the caller leave before there is an answer, and call again.
func (s *goShop) checkCallerCancel() {
	id := callResult(s.Carts.Create(s.Context(), cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.Clear()
	held := s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold, Path: addsItem})
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1}
	ctx, leave := context.WithCancel(s.Context())
	var gone sync.WaitGroup
	gone.Go(func() {
		if _, err := s.Carts.AddItem(ctx, in); !errors.Is(err, cartwright.ReasonAborted) || !errors.Is(err, context.Canceled) {
			s.Errorf("%v", err)
		}
	})
	<-held.Triggered()
	leave()
	gone.Wait()
	if left := callResult(s.Pending.List(s.Context())).ok(s); len(left) != 1 || !left[0].Unknown {
		s.Errorf("%v", left)
	}
	again := callResult(s.Carts.AddItem(s.Context(), in)).ok(s)
	if !again.Replayed {
		s.Error("the server did it twice")
	}
	held.Release()
	s.wantsOnce(id, 2)
}

// conflicts expects a revision that is past: that is said at once, and is no pending operation.
func (s *goShop) conflicts() {
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	callResult(s.client(nil).Carts.UpdateAttributes(ctx, cartwright.CartUpdateAttributesInput{CartID: id, Attributes: map[string]string{"a": "b"}})).ok(s)
	s.proxy.Clear()
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1, ExpectedRevision: new(int64(1))}
	why := callResult(s.Carts.AddItem(ctx, in)).refused(s, cartwright.ReasonCartRevisionConflict)
	if string(why.Data) != `{"currentRevision":2}` || why.Status != http.StatusConflict || why.Retryable || len(s.proxy.Requests()) != 1 || len(callResult(s.Pending.List(ctx)).ok(s)) != 0 {
		s.Errorf("%s after %d requests", why.Data, len(s.proxy.Requests()))
	}
	now := callResult(s.Carts.Retrieve(ctx, cartwright.CartRetrieveInput{CartID: id})).ok(s)
	in.ExpectedRevision = &now.Cart.Revision
	callResult(s.Carts.AddItem(ctx, in)).ok(s)
	sent := s.proxy.Requests()
	if len(sent) != 3 || sent[0].Key == sent[2].Key {
		s.Error("the new decision has the old key")
	}
}

// checkStaleAnswer gets the answer to an old change after it has seen a newer cart.
func (s *goShop) checkStaleAnswer() {
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: addsItem, Times: 4})
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1}
	callResult(s.Carts.AddItem(ctx, in)).refused(s, cartwright.ReasonNetworkError)
	newer := callResult(s.Carts.UpdateAttributes(ctx, cartwright.CartUpdateAttributesInput{CartID: id, Attributes: map[string]string{"a": "b"}})).ok(s)
	past := callResult(s.Carts.AddItem(ctx, in)).ok(s)
	if newer.Cart.Revision != 3 || past.Receipt.Revision != 2 || !past.Replayed || past.Cart.Revision != 3 || past.Cart.Attributes["a"] != "b" {
		s.Errorf("%+v", past)
	}
	if cached, _ := s.Carts.Cached(id); cached.Revision != 3 {
		s.Errorf("%+v", cached)
	}
}

// confirmsOnce loses the answer to the taking of a payment.
func (s *goShop) confirmsOnce() {
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: "/confirm$", Times: 2})
	order := s.pays()
	orders := callResult(s.Collections.Orders.Find(s.Context(), cartwright.Query{Where: where("checkout", order.Checkout.ID)})).ok(s)
	paid := callResult(s.Collections.Transactions.Find(s.Context(), cartwright.Query{Where: where("order", order.ID)})).ok(s)
	if orders.TotalDocs != 1 || paid.TotalDocs != 1 || paid.Docs[0].Amount != "12000" {
		s.Errorf("%d orders, %d payments", orders.TotalDocs, paid.TotalDocs)
	}
}

// goChild names the folder of pending operations to the process that a test kills: this one, run once more.
const goChild = "CARTWRIGHT_TEST_GO_SDK_PENDING"

// A process is killed while it waits for an answer. The next one sends the same bytes under the same key, whether the server
// had done it or had not even heard of it.
func TestGoSDKResumesAfterKill(t *testing.T) {
	if dir := os.Getenv(goChild); dir != "" {
		beKilled(t, dir)
		return
	}
	t.Parallel()
	atGoShops(t, func(s *goShop) {
		for name, kind := range map[string]faultproxy.Kind{"after the server has done it": faultproxy.Hold, "before the server hears of it": faultproxy.Delay} {
			s.Run(name, func(t *testing.T) {
				one := *s
				one.T, one.proxy = t, faultproxy.Start(t, s.url)
				id := callResult(one.Carts.Create(t.Context(), cartwright.CartCreateInput{})).ok(t).Cart.ID
				dir := t.TempDir()
				met := one.proxy.InjectNext(faultproxy.Fault{Kind: kind, Path: addsItem})
				first := one.child(dir, id)
				if err := first.Start(); err != nil {
					t.Fatal(err)
				}
				<-met.Triggered()
				_ = first.Process.Kill()
				_ = first.Wait() // killed
				if out, err := one.child(dir, id).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				met.Release()
				one.answeredAll()
				one.wantsOnce(id, 2)
			})
		}
	})
}

// child is the process that adds an item to the cart, or goes on with it.
func (s *goShop) child(dir, cart string) *exec.Cmd {
	c := exec.CommandContext(s.Context(), os.Args[0], "-test.run=^TestGoSDKResumesAfterKill$")
	c.Env = append(os.Environ(), goChild+"="+dir, "URL="+s.proxy.URL, "KEY="+s.told.TestSecretKey, "CART="+cart, "VARIANT="+s.variant)
	return c
}

func beKilled(t *testing.T, dir string) {
	store, err := cartwright.NewFileStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cartwright.New(cartwright.Config{BaseURL: os.Getenv("URL"), SecretKey: os.Getenv("KEY"), Pending: store})
	if err != nil {
		t.Fatal(err)
	}
	done := callResult(c.Pending.Resume(t.Context())).ok(t)
	if len(done) == 0 { // the first time
		in := cartwright.CartAddItemInput{CartID: os.Getenv("CART"), VariantID: os.Getenv("VARIANT"), Quantity: 1, Attributes: map[string]string{"for": "<Kim> & Lee"}}
		_, err := c.Carts.AddItem(t.Context(), in)
		t.Fatalf("it should have been killed: %v", err)
	}
	if len(done) != 1 || done[0].Err != nil || len(callResult(store.List(t.Context())).ok(t)) != 0 {
		t.Fatalf("%v", done)
	}
}

// The real server's deliveries are verified, read and, after a failure, heard again.
func TestGoSDKReceivesWebhooks(t *testing.T) {
	t.Parallel()
	atGoShops(t, func(s *goShop) {
		var mu sync.Mutex
		var secret string
		heard := make(chan *cartwright.Event, 10)
		tried := map[string]int{}
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			cartwright.WebhookHandler(func(_ context.Context, e *cartwright.Event) error {
				if tried[e.ID]++; tried[e.ID] == 1 && e.Operation == "update" {
					return context.DeadlineExceeded // whatever: it is to come again
				}
				heard <- e
				return nil
			}, nil, secret).ServeHTTP(w, r)
		}))
		s.Cleanup(receiver.Close)
		mu.Lock()
		status, made := requestJSON(s.T, "POST", s.url+"/api/webhook-endpoints", `{"url": "`+receiver.URL+`", "collections": ["brands"]}`, "X-API-Key: "+s.told.TestSecretKey)
		secret = text(made, "secret")
		mu.Unlock()
		if status != http.StatusCreated {
			s.Fatal(made)
		}
		brand := callResult(s.Collections.Brands.Create(s.Context(), cartwright.BrandCreate{Name: "Kiln"})).ok(s).Doc
		callResult(s.Collections.Brands.Update(s.Context(), brand.ID, cartwright.BrandUpdate{Name: new("Kiln & Sons")})).ok(s)
		callResult(s.Collections.Brands.Remove(s.Context(), brand.ID)).ok(s)
		for i, operation := range []cartwright.EventOperation{"create", "update", "delete"} {
			var e *cartwright.Event
			select {
			case e = <-heard:
			case <-time.After(patience):
				s.Fatalf("no %s was heard", operation)
			}
			if e.Collection != "brands" || e.Operation != operation || e.Sequence != int64(i+1) || e.Test || e.Changed("name") != (operation == "update") {
				s.Errorf("%+v", e)
			}
			if operation == "update" {
				var before cartwright.Brand
				mu.Lock()
				times := tried[e.ID]
				mu.Unlock()
				if err := json.Unmarshal(e.PreviousDoc, &before); err != nil || before.Name != "Kiln" || callResult(cartwright.Decode[cartwright.Brand](e.Doc)).ok(s).Name != "Kiln & Sons" || times != 2 {
					s.Errorf("%+v %v, tried %d times", before, err, times)
				}
			}
		}
	}, "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true")
}
