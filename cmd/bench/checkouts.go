package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// checkoutLoad is shops whose customers make one purchase after the other, and pay at a sandbox provider
// without latency.
type checkoutLoad struct {
	post  *httpClient
	shops []shopTenant // with test secrets, and tracked stock
	keys  string
	n     atomic.Int64
	steps stepTimes

	database string // its URL; "": SQLite
}

// productsPerShop is the number of products of each shop, so that customers buy different ones.
const productsPerShop = 8

// plainSteps is how many steps a purchase has: cart, checkout, session, approval, and the capture with its order.
const plainSteps = 5

func openCheckoutLoad(ctx context.Context, server *testservers.Process) (*checkoutLoad, error) {
	t := &checkoutLoad{post: newHTTPClient(server.URL, 64), keys: "bench_" + rand.Text() + "_"}
	for i := range tenants {
		keys, err := createTenant(ctx, server, fmt.Sprintf("Till %d", i))
		if err != nil {
			return nil, err
		}
		keys.secret = keys.test
		desk := shopTenant{account: keys}
		for n := range productsPerShop {
			var created struct{ Doc struct{ ID string } }
			body := fmt.Sprintf(`{"name": "Bench cup %d", "price": 12000, "status": "published", "stock": 100000000}`, n)
			if err := t.post.expect(201, request{
				method: "POST", path: "/api/products", secret: keys.secret, key: t.key(), body: []byte(body),
			}, &created); err != nil {
				return nil, err
			}
			variant, err := variantOf(t.post, keys.secret, created.Doc.ID)
			if err != nil {
				return nil, err
			}
			desk.items = append(desk.items, fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, variant))
		}
		t.shops = append(t.shops, desk)
	}
	return t, nil
}

func (t *checkoutLoad) key() string { return t.keys + strconv.FormatInt(t.n.Add(1), 10) }

// step sends one call of a purchase and decodes its response into out.
func (t *checkoutLoad) step(w *rawConn, method, path, secret, body string, out any) error {
	r := request{method: method, path: path, secret: secret}
	if method == "POST" {
		r.key, r.body = t.key(), []byte(body)
	}
	began := time.Now()
	status, answer, err := w.do(r)
	t.steps.add(method+" "+path, time.Since(began))
	if err == nil && status != 200 && status != 201 {
		err = fmt.Errorf("%s %s: status %d: %s", method, path, status, answer)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, out)
}

const serverAPI = "/api/server/commerce"

// checkout creates a cart with one line and its checkout.
func (t *checkoutLoad) checkout(w *rawConn, d *shopTenant, item int) (id string, err error) {
	var cart struct{ Cart struct{ ID string } }
	if err := t.step(w, "POST", cartsPath, d.secret, `{"items": [`+d.items[item%productsPerShop]+`]}`, &cart); err != nil {
		return "", err
	}
	var created struct{ Checkout struct{ ID string } }
	err = t.step(w, "POST", serverAPI+"/checkouts", d.secret,
		`{"cartId": "`+cart.Cart.ID+`", "email": "kim@example.com", "shippingAddress": {"recipientName": "Kim", "phone": "010-1",
		"postalCode": "06000", "address1": "Gangnam 1", "address2": "", "deliveryNote": "", "country": "KR"}}`, &created)
	return created.Checkout.ID, err
}

// openedSession is a session that a buyer can pay.
type openedSession struct {
	PaymentSession struct{ ID, ProviderSessionID string }
	Action         struct {
		OrderID string
		Amount  json.RawMessage
	}
}

func (t *checkoutLoad) widget(w *rawConn, d *shopTenant, checkout string) (o openedSession, err error) {
	err = t.step(w, "POST", serverAPI+"/payment-sessions", d.secret,
		`{"checkoutId": "`+checkout+`", "successUrl": "https://shop.example/ok", "failUrl": "https://shop.example/no"}`, &o)
	return o, err
}

var errNoOrder = errors.New("the payment placed no order")

// placedOrder is the order of a purchase.
type placedOrder struct{ Order struct{ ID string } }

func (p placedOrder) check() error {
	if p.Order.ID == "" {
		return errNoOrder
	}
	return nil
}

// buy makes a whole purchase with the widget.
func (t *checkoutLoad) buy(w *rawConn, d *shopTenant, item int) error {
	checkout, err := t.checkout(w, d, item)
	if err != nil {
		return err
	}
	o, err := t.widget(w, d, checkout)
	if err != nil {
		return err
	}
	return t.pay(w, d, o)
}

// pay approves a payment at the bank and confirms it.
func (t *checkoutLoad) pay(w *rawConn, d *shopTenant, o openedSession) error {
	var approved struct{ PaymentKey string }
	if err := t.step(w, "POST", "/sandbox/authorize", d.secret, `{"orderId": "`+o.Action.OrderID+`", "outcome": "approve"}`, &approved); err != nil {
		return err
	}
	var end placedOrder
	err := t.step(w, "POST", serverAPI+"/payment-sessions/"+o.PaymentSession.ID+"/confirm", d.secret,
		`{"paymentKey": "`+approved.PaymentKey+`", "orderId": "`+o.Action.OrderID+`", "amount": `+string(o.Action.Amount)+`}`, &end)
	return errors.Join(err, end.check())
}

// buyHosted makes a whole purchase on the provider's page.
func (t *checkoutLoad) buyHosted(w *rawConn, d *shopTenant, item int) error {
	checkout, err := t.checkout(w, d, item)
	if err != nil {
		return err
	}
	var o openedSession
	err = t.step(w, "POST", serverAPI+"/payment-sessions/aggregator", d.secret,
		`{"checkoutId": "`+checkout+`", "mode": "hosted_v2", "method": "KAKAO_PAY", "redirectUrl": "https://shop.example/ok"}`, &o)
	if err != nil {
		return err
	}
	var approved struct{ RedirectURL string }
	if err := t.step(w, "POST", "/sandbox/authorize", d.secret,
		`{"sessionId": "`+o.PaymentSession.ProviderSessionID+`", "outcome": "approve"}`, &approved); err != nil {
		return err
	}
	var end placedOrder
	err = t.step(w, "GET", serverAPI+"/payment-sessions/aggregator/"+o.PaymentSession.ID, d.secret, "", &end)
	return errors.Join(err, end.check())
}

// drive has clients buy at the shops, starting with the given one.
func (t *checkoutLoad) drive(
	name string, clients, from int, length time.Duration, buy func(w *rawConn, d *shopTenant, item int) error,
) result {
	wires := newRawConns(t.post.base, clients)
	defer closeAll(wires)
	return runClients(name, clients, length, func(client, n int) error {
		return buy(wires[client], &t.shops[from+client%(len(t.shops)-from)], n)
	})
}

// comparisons compare purchases with plain transactions.
func (t *checkoutLoad) comparisons(
	p *benchConfig, title string, plain func(buyers int, length time.Duration, cpu *cpuMeter) (result, error),
) (list []comparison) {
	for _, buyers := range p.buyers {
		of := func(name string, buy func(w *rawConn, d *shopTenant, item int) error) comparison {
			return comparison{
				title: fmt.Sprintf("%scheckouts, %s, by %d clients ÷ %d plain transactions each", title, name, buyers, plainSteps),
				part:  "checkouts", minRatio: 1,
				peer: func(length time.Duration, cpu *cpuMeter) (result, error) { return plain(buyers, length, cpu) },
				server: func(length time.Duration) result {
					return t.drivenPurchases("checkouts over HTTP, "+name, buyers, length, buy)
				},
			}
		}
		list = append(list, of("widget", t.buy), of("hosted", t.buyHosted))
	}
	return list
}

// drivenPurchases is drive at all shops, with what it cost the database and how long the slowest step took.
func (t *checkoutLoad) drivenPurchases(name string, clients int, length time.Duration, buy func(w *rawConn, d *shopTenant, item int) error) result {
	t.steps.reset()
	ctx := context.Background()
	before, err := t.activity(ctx)
	if err != nil {
		return result{errors: 1, first: err}
	}
	r := t.drive(name, clients, 0, length, buy)
	r.more = t.steps.slowest()
	after, err := t.activity(ctx)
	if err != nil {
		return result{errors: 1, first: err}
	}
	if t.database != "" {
		r.more += fmt.Sprintf("; %.1f transactions each, %d deadlocks", float64(after.transactions-before.transactions)/float64(max(r.count, 1)),
			after.deadlocks-before.deadlocks)
	}
	return r
}

// whileProviderHangs compares work while a provider hangs with the same work without it.
func (t *checkoutLoad) whileProviderHangs(p *benchConfig, title string, h *cartLoad) []comparison {
	of := func(name string, work func(time.Duration) result) comparison {
		return comparison{
			title: title + name + " while a provider hangs ÷ without", part: "hung", minRatio: 0.9,
			peer: func(length time.Duration, _ *cpuMeter) (result, error) {
				r := work(length)
				return r, r.first
			},
			server: func(length time.Duration) result {
				release, err := t.hangProvider()
				if err != nil {
					return result{errors: 1, first: err}
				}
				r := work(length)
				if err := release(); err != nil {
					return result{errors: 1, first: err}
				}
				return r
			},
		}
	}
	return []comparison{
		of("addItem", func(length time.Duration) result { return h.addItems(p.carts, length) }),
		of("checkouts of other shops",
			func(length time.Duration) result {
				return t.drive("checkouts over HTTP", p.buyers[0], 1, length, t.buy)
			}),
	}
}

// waitingCustomers is how many customers of the first shop try to pay while its provider hangs: more than the server
// allows concurrent calls.
const waitingCustomers = 100

// hangProvider makes the provider of the first shop hang, and has customers try to pay there, until release is called.
func (t *checkoutLoad) hangProvider() (release func() error, err error) {
	faults := request{
		method: "PUT", path: "/sandbox/faults", secret: t.shops[0].secret,
		body: []byte(`{"latencyMs": 0, "failNext": 0, "hangNext": 10000, "dropResponseNext": 0, "wrongAmountNext": 0}`),
	}
	wires := newRawConns(t.post.base, waitingCustomers)
	checkouts := make([]string, waitingCustomers)
	for i := range checkouts {
		if checkouts[i], err = t.checkout(wires[i], &t.shops[0], i); err != nil {
			return nil, err
		}
	}
	if err := t.post.expect(200, faults, &struct{}{}); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i, w := range wires {
		all.Go(func() {
			for ctx.Err() == nil {
				_, _ = t.widget(w, &t.shops[0], checkouts[i]) // refused, or timed out
				select {
				case <-ctx.Done():
				case <-time.After(2 * time.Second): // their Retry-After
				}
			}
		})
	}
	release = func() error {
		stop()
		all.Wait()
		closeAll(wires)
		faults.method, faults.body = "DELETE", nil
		return t.post.expect(200, faults, &struct{}{})
	}
	for range 200 {
		full := false
		_, err := t.post.do(request{method: "GET", path: "/metrics"}, func(body []byte) { full = busySlots.Match(body) })
		if full || err != nil {
			return release, err
		}
		time.Sleep(50 * time.Millisecond)
	}
	return release, errors.Join(errors.New("the provider does not hang"), release())
}

// busySlots finds a connection with as many running calls as a server allows.
var busySlots = regexp.MustCompile(`cartwright_provider_calls_active\{[^}]*\} 32\n`)
