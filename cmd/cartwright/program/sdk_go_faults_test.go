package program

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

const addItemPath = `/server/commerce/carts/[^/]+/items$`

// checkResume loses every response to a change until the client gives up, and then resumes the change.
func (s *goShop) checkResume() {
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: addItemPath, Times: 4})
	callResult(s.Carts.AddItem(ctx, cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1})).
		refused(s, cartwright.ReasonNetworkError)
	pending := callResult(s.Pending.List(ctx)).ok(s)
	if len(pending) != 1 || pending[0].Operation != "carts.addItem" || !pending[0].Unknown {
		s.Errorf("%v", pending)
	}
	done := callResult(s.Pending.Resume(ctx)).ok(s)
	if len(done) != 1 || done[0].Err != nil || len(callResult(s.Pending.List(ctx)).ok(s)) != 0 {
		s.Fatalf("%v", done)
	}
	result := callResult(cartwright.Decode[struct{ Cart cartwright.Cart }](done[0].Result)).ok(s)
	if cached, ok := s.Carts.Cached(id); !ok || cached.Revision != 2 || result.Cart.Revision != 2 || result.Cart.Lines[0].Quantity != 1 {
		s.Errorf("%+v %+v", result, cached)
	}
}

// checkAddedOnce injects a fault into adding an item. The cart must then have one item, and all attempts the same
// idempotency key and body.
func (s *goShop) checkAddedOnce(f faultproxy.Fault, attempts int) {
	s.Helper()
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	f.Path = addItemPath
	s.proxy.Clear()
	fault := s.proxy.InjectNext(f)
	added := callResult(s.Carts.AddItem(ctx, cartwright.CartAddItemInput{
		CartID: id, VariantID: s.variant, Quantity: 1, Attributes: map[string]string{"for": "<Kim>"},
	})).ok(s)
	<-fault.Triggered()
	s.wantAddedOnce(id, attempts)
	if added.Receipt.Revision != 2 {
		s.Errorf("%+v", added)
	}
}

// wantAddedOnce wants one item in the cart, and that many equal requests to add it since the proxy was cleared.
func (s *goShop) wantAddedOnce(cart string, attempts int) {
	s.Helper()
	sent := slices.DeleteFunc(s.proxy.Requests(), func(r faultproxy.Request) bool { return !strings.HasSuffix(r.Path, "/items") })
	for _, r := range sent {
		if r.Key == "" || r.Key != sent[0].Key || r.Body != sent[0].Body || r.Body == "" || r.Path != sent[0].Path {
			s.Errorf("an attempt differs from the first: %+v after %+v", r, sent[0])
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
	onGoShops(t, func(s *goShop) {
		for name, check := range map[string]func(*goShop){
			"the answer is lost":         func(s *goShop) { s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Drop}, 2) },
			"half of the answer is lost": func(s *goShop) { s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Truncate}, 2) },
			"three answers are lost":     func(s *goShop) { s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Drop, Times: 3}, 4) },
			"the request is lost":        func(s *goShop) { s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Reset}, 2) },
			"a gateway answers 502": func(s *goShop) {
				s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Status, Status: 502, Body: "<html>"}, 2)
			},
			"a server is overloaded for a second": func(s *goShop) {
				s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Status, Status: 503, Body: unavailable}, 2)
			},
			"a limit asks for a second": func(s *goShop) {
				s.checkAddedOnce(faultproxy.Fault{Kind: faultproxy.Status, Status: 429, Header: map[string]string{"Retry-After": "1"}}, 2)
			},
			"the first attempt arrives last":     (*goShop).checkLateRequest,
			"the caller gives up":                (*goShop).checkCallerCancel,
			"another client changed the cart":    (*goShop).checkConflict,
			"an old receipt after a newer cart":  (*goShop).checkStaleAnswer,
			"answers to a confirmation are lost": (*goShop).checkConfirmedOnce,
		} {
			s.Run(name, func(t *testing.T) {
				one := *s
				one.T, one.proxy = t, faultproxy.Start(t, s.url)
				one.Client = one.client(nil)
				check(&one)
			})
		}
	})
}

// checkLateRequest lets the first attempt of a request arrive after the second.
func (s *goShop) checkLateRequest() {
	id := callResult(s.Carts.Create(s.Context(), cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.Clear()
	late := s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Delay, Path: addItemPath})
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1}
	client := s.clientOver(&abortFirst{transport: s.seen, after: late.Triggered()}, nil)
	callResult(client.Carts.AddItem(s.Context(), in)).ok(s)
	late.Release()
	s.waitForAnswers()
	s.wantAddedOnce(id, 2)
}

// abortFirst is a transport that cancels the first attempt to add an item after a signal, as a timeout would.
type abortFirst struct {
	transport http.RoundTripper
	after     <-chan struct{}
	first     sync.Once
}

// RoundTrip implements http.RoundTripper.
func (i *abortFirst) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/items") {
		i.first.Do(func() {
			ctx, cancel := context.WithCancel(r.Context())
			r = r.WithContext(ctx)
			go func() {
				<-i.after
				cancel()
			}()
		})
	}
	return i.transport.RoundTrip(r)
}

// waitForAnswers waits until the server has answered all requests.
func (s *goShop) waitForAnswers() {
	s.Helper()
	waitUntil(s.T, func() bool {
		return !slices.ContainsFunc(s.proxy.Requests(), func(r faultproxy.Request) bool { return r.Answer == 0 })
	})
}

// checkCallerCancel cancels a call before its response, and repeats it.
func (s *goShop) checkCallerCancel() {
	id := callResult(s.Carts.Create(s.Context(), cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.Clear()
	held := s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Hold, Path: addItemPath})
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1}
	ctx, cancel := context.WithCancel(s.Context())
	var canceled sync.WaitGroup
	canceled.Go(func() {
		if _, err := s.Carts.AddItem(ctx, in); !errors.Is(err, cartwright.ReasonAborted) || !errors.Is(err, context.Canceled) {
			s.Errorf("%v", err)
		}
	})
	<-held.Triggered()
	cancel()
	canceled.Wait()
	if left := callResult(s.Pending.List(s.Context())).ok(s); len(left) != 1 || !left[0].Unknown {
		s.Errorf("%v", left)
	}
	again := callResult(s.Carts.AddItem(s.Context(), in)).ok(s)
	if !again.Replayed {
		s.Error("the repeated call is not a replay")
	}
	held.Release()
	s.wantAddedOnce(id, 2)
}

// checkConflict expects an old revision: the call fails without a retry and is not pending.
func (s *goShop) checkConflict() {
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	callResult(s.client(nil).Carts.UpdateAttributes(ctx,
		cartwright.CartUpdateAttributesInput{CartID: id, Attributes: map[string]string{"a": "b"}})).ok(s)
	s.proxy.Clear()
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1, ExpectedRevision: new(int64(1))}
	refusal := callResult(s.Carts.AddItem(ctx, in)).refused(s, cartwright.ReasonCartRevisionConflict)
	if string(refusal.Data) != `{"currentRevision":2}` || refusal.Status != http.StatusConflict || refusal.Retryable ||
		len(s.proxy.Requests()) != 1 || len(callResult(s.Pending.List(ctx)).ok(s)) != 0 {
		s.Errorf("%s after %d requests", refusal.Data, len(s.proxy.Requests()))
	}
	now := callResult(s.Carts.Retrieve(ctx, cartwright.CartRetrieveInput{CartID: id})).ok(s)
	in.ExpectedRevision = &now.Cart.Revision
	callResult(s.Carts.AddItem(ctx, in)).ok(s)
	sent := s.proxy.Requests()
	if len(sent) != 3 || sent[0].Key == sent[2].Key {
		s.Error("a call with another revision has the same idempotency key")
	}
}

// checkStaleAnswer replays an old change after the client has a newer revision of the cart.
func (s *goShop) checkStaleAnswer() {
	ctx := s.Context()
	id := callResult(s.Carts.Create(ctx, cartwright.CartCreateInput{})).ok(s).Cart.ID
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: addItemPath, Times: 4})
	in := cartwright.CartAddItemInput{CartID: id, VariantID: s.variant, Quantity: 1}
	callResult(s.Carts.AddItem(ctx, in)).refused(s, cartwright.ReasonNetworkError)
	newer := callResult(s.Carts.UpdateAttributes(ctx,
		cartwright.CartUpdateAttributesInput{CartID: id, Attributes: map[string]string{"a": "b"}})).ok(s)
	past := callResult(s.Carts.AddItem(ctx, in)).ok(s)
	if newer.Cart.Revision != 3 || past.Receipt.Revision != 2 || !past.Replayed || past.Cart.Revision != 3 ||
		past.Cart.Attributes["a"] != "b" {
		s.Errorf("%+v", past)
	}
	if cached, _ := s.Carts.Cached(id); cached.Revision != 3 {
		s.Errorf("%+v", cached)
	}
}

// checkConfirmedOnce loses the response to the confirmation of a payment.
func (s *goShop) checkConfirmedOnce() {
	s.proxy.InjectNext(faultproxy.Fault{Kind: faultproxy.Drop, Path: "/confirm$", Times: 2})
	order := s.pay()
	orders := callResult(s.Collections.Orders.Find(s.Context(), cartwright.Query{Where: where("checkout", order.Checkout.ID)})).ok(s)
	paid := callResult(s.Collections.Transactions.Find(s.Context(), cartwright.Query{Where: where("order", order.ID)})).ok(s)
	if orders.TotalDocs != 1 || paid.TotalDocs != 1 || paid.Docs[0].Amount != "12000" {
		s.Errorf("%d orders, %d payments", orders.TotalDocs, paid.TotalDocs)
	}
}

// goChild is the variable with the folder of pending operations, set for the child process that a test kills.
const goChild = "CARTWRIGHT_TEST_GO_SDK_PENDING"

// A process is killed while it waits for a response. The next one sends the same request with the same idempotency key,
// whether the server has executed it or has not received it.
func TestGoSDKResumesAfterKill(t *testing.T) {
	if dir := os.Getenv(goChild); dir != "" {
		runChild(t, dir)
		return
	}
	t.Parallel()
	onGoShops(t, func(s *goShop) {
		for name, kind := range map[string]faultproxy.Kind{
			"after the server has executed it": faultproxy.Hold, "before the server has received it": faultproxy.Delay,
		} {
			s.Run(name, func(t *testing.T) {
				one := *s
				one.T, one.proxy = t, faultproxy.Start(t, s.url)
				id := callResult(one.Carts.Create(t.Context(), cartwright.CartCreateInput{})).ok(t).Cart.ID
				dir := t.TempDir()
				fault := one.proxy.InjectNext(faultproxy.Fault{Kind: kind, Path: addItemPath})
				first := one.child(dir, id)
				if err := first.Start(); err != nil {
					t.Fatal(err)
				}
				<-fault.Triggered()
				_ = first.Process.Kill()
				_ = first.Wait() // killed
				if out, err := one.child(dir, id).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				fault.Release()
				one.waitForAnswers()
				one.wantAddedOnce(id, 2)
			})
		}
	})
}

// child is a process that adds an item to the cart, or resumes a pending call to do so.
func (s *goShop) child(dir, cart string) *exec.Cmd {
	c := exec.CommandContext(s.Context(), os.Args[0], "-test.run=^TestGoSDKResumesAfterKill$")
	c.Env = append(os.Environ(), goChild+"="+dir, "URL="+s.proxy.URL, "KEY="+s.credentials.TestSecretKey,
		"CART="+cart, "VARIANT="+s.variant)
	return c
}

func runChild(t *testing.T, dir string) {
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
		in := cartwright.CartAddItemInput{
			CartID: os.Getenv("CART"), VariantID: os.Getenv("VARIANT"), Quantity: 1, Attributes: map[string]string{"for": "<Kim> & Lee"},
		}
		_, err := c.Carts.AddItem(t.Context(), in)
		t.Fatalf("the process was not killed: %v", err)
	}
	if len(done) != 1 || done[0].Err != nil || len(callResult(store.List(t.Context())).ok(t)) != 0 {
		t.Fatalf("%v", done)
	}
}

// The SDK verifies and decodes deliveries of a server; a delivery that fails is sent again.
func TestGoSDKReceivesWebhooks(t *testing.T) {
	t.Parallel()
	onGoShops(t, func(s *goShop) {
		var mu sync.Mutex
		var secret string
		received := make(chan *cartwright.Event, 10)
		attempts := map[string]int{}
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			cartwright.WebhookHandler(func(_ context.Context, e *cartwright.Event) error {
				if attempts[e.ID]++; attempts[e.ID] == 1 && e.Operation == "update" {
					return context.DeadlineExceeded // any error: the delivery is retried
				}
				received <- e
				return nil
			}, nil, secret).ServeHTTP(w, r)
		}))
		s.Cleanup(receiver.Close)
		mu.Lock()
		status, created := requestJSON(s.T, "POST", s.url+"/api/webhook-endpoints",
			`{"url": "`+receiver.URL+`", "collections": ["brands"]}`, "X-API-Key: "+s.credentials.TestSecretKey)
		secret = textAt(created, "secret")
		mu.Unlock()
		if status != http.StatusCreated {
			s.Fatal(created)
		}
		brand := callResult(s.Collections.Brands.Create(s.Context(), cartwright.BrandCreate{Name: "Kiln"})).ok(s).Doc
		callResult(s.Collections.Brands.Update(s.Context(), brand.ID, cartwright.BrandUpdate{Name: new("Kiln & Sons")})).ok(s)
		callResult(s.Collections.Brands.Remove(s.Context(), brand.ID)).ok(s)
		for i, operation := range []cartwright.EventOperation{"create", "update", "delete"} {
			var e *cartwright.Event
			select {
			case e = <-received:
			case <-time.After(patience):
				s.Fatalf("no %s was delivered", operation)
			}
			if e.Collection != "brands" || e.Operation != operation || e.Sequence != int64(i+1) || e.Test ||
				e.Changed("name") != (operation == "update") {
				s.Errorf("%+v", e)
			}
			if operation == "update" {
				var before cartwright.Brand
				mu.Lock()
				times := attempts[e.ID]
				mu.Unlock()
				if err := json.Unmarshal(e.PreviousDoc, &before); err != nil || before.Name != "Kiln" ||
					callResult(cartwright.Decode[cartwright.Brand](e.Doc)).ok(s).Name != "Kiln & Sons" || times != 2 {
					s.Errorf("%+v %v, %d attempts", before, err, times)
				}
			}
		}
	}, "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true")
}
