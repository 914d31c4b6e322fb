package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/app/payments"
)

// allPairs has each pair of facts meet each failpoint; else each fact meets each failpoint, with the others in turn.
const allPairs = "CARTWRIGHT_TEST_EVERY_PAIR"

// paymentSignal is one way in which a server hears of a payment. It may answer anything: what counts is what is stored.
type paymentSignal struct {
	name       string
	failpoints []string // where its server may die
	send       func(d *serverPair, to string, s paidSession)
}

var settling = []string{payments.FailLookedUp, payments.FailBeforeCommit, payments.FailCommitted}

func hooked(event string) func(*serverPair, string, paidSession) {
	return func(d *serverPair, to string, s paidSession) {
		body, at := `{"type":"Transaction.Paid","data":{"paymentId":"`+s.paymentID+`"}}`, strconv.FormatInt(time.Now().Unix(), 10)
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(bank.WebhookSecret(d.bankSecret, d.account), "whsec_"))
		if err != nil {
			d.Error(err)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(event + s.paymentID + "." + at + "." + body))
		_, _, _ = d.call(to, "POST", "/api/providers/"+d.connection+"/webhook", []byte(body),
			"Webhook-Id", event+s.paymentID, "Webhook-Timestamp", at, "Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
}

func confirmed(d *serverPair, to string, s paidSession) {
	_, _, _ = d.call(to, "POST", commerceAt+"/payment-sessions/"+s.session+"/confirm", map[string]any{ //nolint:dogsled // the server may die of it
		"paymentKey": s.paymentKey, "orderId": s.paymentID, "amount": map[string]any{"amount": 12000, "currency": "KRW"},
	})
}

// The facts about a payment, of a widget and of a hosted page. A redirect of a widget is the page that the buyer comes back
// to, which has the shop's server confirm; that of a hosted page has it look.
var (
	webhookPoints = append(settling[:3:3], payments.FailWebhookSettled)
	confirmPoints = append(settling[:3:3], payments.FailConfirmed)
	poll          = paymentSignal{"poll", settling, func(*serverPair, string, paidSession) {}} // which every server does by itself
	sharedSignals = []paymentSignal{
		{"webhook", webhookPoints, hooked("evt_paid_")}, {"duplicate webhook", webhookPoints, hooked("evt_paid_")},
		{"reversed webhook", webhookPoints, hooked("evt_ready_")}, poll,
	}
	widgetSignals = append(sharedSignals[:4:4], paymentSignal{"confirm", confirmPoints, confirmed}, paymentSignal{"redirect", confirmPoints, confirmed})
	hostedSignals = append(sharedSignals[:4:4], paymentSignal{"redirect", settling, func(d *serverPair, to string, s paidSession) {
		_, _, _ = d.call(to, "GET", commerceAt+"/payment-sessions/aggregator/"+s.session, nil)
	}}, paymentSignal{"reconcile", settling, func(d *serverPair, to string, s paidSession) {
		_, _, _ = d.call(to, "POST", commerceAt+"/payment-sessions/aggregator/reconcile", map[string]any{"accountKey": d.account, "environment": "test", "providerPaymentId": s.paymentID})
	}})
)

// race brings one piece of news to each of two servers at the same time.
func (d *serverPair) race(s paidSession, f, g paymentSignal, one, two string) {
	var both sync.WaitGroup
	both.Go(func() { f.send(d, one, s) })
	both.Go(func() { g.send(d, two, s) })
	both.Wait()
}

// waitForOneOrder waits until a stake is an order, which whoever polls makes of it at the latest, and asserts that all of it is
// there once.
func (d *serverPair) waitForOneOrder(s paidSession, how string) {
	ctx, cancel := context.WithTimeout(d.Context(), patience)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		status, answer, err := d.call(d.baseCtx.URL, "GET", "/api/payment-sessions/"+s.session, nil)
		if err == nil && status == 200 && textAt(answer, "status") == "succeeded" {
			break
		}
		if ctx.Err() != nil {
			d.Errorf("%s: %d %v %v", how, status, answer, err)
			return
		}
	}
	for what, query := range map[string]string{
		"orders":               `SELECT count(*) FROM orders WHERE checkout = $1`,
		"events of its birth":  `SELECT count(*) FROM events WHERE collection = 'orders' AND operation = 'create' AND record IN (SELECT id FROM orders WHERE checkout = $1)`,
		"transactions":         `SELECT count(*) FROM transactions WHERE checkout = $1`,
		"movements of money":   `SELECT count(*) FROM ledger_entries WHERE checkout = $1`,
		"charges of its price": `SELECT count(*) FROM ledger_entries WHERE checkout = $1 AND type = 'charge' AND minor = 12000`,
		"uses of its code":     `SELECT count(*) FROM discount_uses WHERE holder = $1 AND placed`,
		"units sold":           `SELECT 5 - on_hand FROM stock WHERE environment = 'test' AND variant = '` + s.variant + `' AND $1 <> ''`,
		"units not promised":   `SELECT 1 - reserved FROM stock WHERE environment = 'test' AND variant = '` + s.variant + `' AND $1 <> ''`,
		"completed carts":      `SELECT count(*) FROM carts WHERE status = 'completed' AND id = '` + s.cart + `' AND $1 <> ''`,
		"completed checkouts":  `SELECT count(*) FROM checkouts WHERE status = 'completed' AND id = $1`,
	} {
		var n int
		if err := d.books.QueryRowContext(d.Context(), query, s.checkout).Scan(&n); err != nil || n != 1 {
			d.Errorf("%s: %d %s (%v)", how, n, what, err)
		}
	}
}

func TestPaymentSignalsOnTwoServersPlaceOneOrder(t *testing.T) {
	d := newServerPair(t)
	t.Run("each pair at the same time", func(t *testing.T) {
		other := startProcess(t, d.env...)
		d.pairs(widgetSignals, func(f, g paymentSignal) { d.runPairs(d.newPaidSession(false), f, g, other) })
		d.pairs(hostedSignals, func(f, g paymentSignal) { d.runPairs(d.newPaidSession(true), f, g, other) })
	})
	t.Run("and one server is killed", func(*testing.T) { d.killAtEachFailpoint() })
}

func (d *serverPair) runPairs(s paidSession, f, g paymentSignal, other serverProcess) {
	d.race(s, f, g, other.URL, d.baseCtx.URL)
	d.waitForOneOrder(s, f.name+" and "+g.name)
}

// pairs does work with each pair, some at the same time; polls are left to themselves, and meet everything.
func (d *serverPair) pairs(all []paymentSignal, do func(f, g paymentSignal)) {
	var work sync.WaitGroup
	places := make(chan struct{}, 4)
	for i, f := range all {
		for _, g := range all[i:] {
			places <- struct{}{}
			work.Go(func() {
				defer func() { <-places }()
				do(f, g)
			})
		}
	}
	work.Wait()
}

// killAtEachFailpoint has a server die at each point that a fact leads it to while the other server hears of the same payment.
func (d *serverPair) killAtEachFailpoint() {
	var work sync.WaitGroup
	places := make(chan struct{}, 3)
	turn := 0
	for _, kind := range []struct {
		facts  []paymentSignal
		hosted bool
	}{{widgetSignals, false}, {hostedSignals, true}} {
		for _, f := range kind.facts {
			for _, point := range f.failpoints {
				rivals := kind.facts
				if os.Getenv(allPairs) == "" {
					rivals = kind.facts[turn%len(kind.facts):][:1]
					turn++
					if kind.hosted != (f.name == "redirect" || f.name == "reconcile" || f.name == "reversed webhook") {
						continue // as of the other kind
					}
				}
				if point == payments.FailConfirmed {
					rivals = append(slices.Clip(rivals), poll) // who does not get there first
				}
				for _, g := range rivals {
					places <- struct{}{}
					work.Go(func() {
						defer func() { <-places }()
						d.kill(kind.hosted, f, g, point)
					})
				}
			}
		}
	}
	for _, hosted := range []bool{false, true} {
		work.Go(func() { d.killPrepare(hosted) })
	}
	work.Wait()
	d.killAtMissedFailpoints()
}

// killAtMissedFailpoints repeats the facts of a failpoint that no server has reached, because each time its rival was faster,
// until one does.
func (d *serverPair) killAtMissedFailpoints() {
	ctx, cancel := context.WithTimeout(d.Context(), patience)
	defer cancel()
	for _, point := range append(webhookPoints[:4:4], payments.FailConfirmed) {
		fact := widgetSignals[slices.IndexFunc(widgetSignals, func(f paymentSignal) bool { return slices.Contains(f.failpoints, point) })]
		for !d.hit(point) {
			if ctx.Err() != nil || d.Failed() {
				d.Errorf("no server died at %s", point)
				return
			}
			d.kill(false, fact, poll, point)
		}
	}
}

// hit reports whether a server has died at the failpoint.
func (d *serverPair) hit(point string) bool {
	_, hit := d.failpointsHit.Load(point)
	return hit
}

// kill races f on a server that dies at a point against g on the other, starts it again and tells it once more.
func (d *serverPair) kill(hosted bool, f, g paymentSignal, point string) {
	victim := startProcess(d.T, append([]string{"CARTWRIGHT_FAILPOINT=" + point}, d.env...)...)
	s := d.newPaidSession(hosted)
	how := fmt.Sprintf("%s dies at %s, %s lives", f.name, point, g.name)
	d.race(s, f, g, victim.URL, d.baseCtx.URL)
	d.waitForOneOrder(s, how)
	if !victim.Alive() {
		d.failpointsHit.Store(point, true)
	}
	victim.Kill()
	g.send(d, d.baseCtx.URL, s)
	f.send(d, d.baseCtx.URL, s)
	d.waitForOneOrder(s, how+", and both are told again")
}

// killPrepare has a server die when the bank has its payment and nobody was told. The same action at the other server leads
// to that payment, not to a second one.
func (d *serverPair) killPrepare(hosted bool) {
	victim := startProcess(d.T, append([]string{"CARTWRIGHT_FAILPOINT=" + payments.FailPrepared}, d.env...)...)
	s := d.newCheckoutOnly(hosted)
	path, open := s.opening()
	if status, answer, err := d.call(victim.URL, "POST", path, open); err == nil {
		d.Errorf("the server lived to answer %d %v", status, answer)
	}
	d.must(d.baseCtx.URL, "POST", path, open)
	s = d.paid(s)
	var attempts, keys int
	err := d.books.QueryRowContext(d.Context(), `SELECT count(*), count(DISTINCT provider_key) FROM provider_calls WHERE session = $1 AND operation = 'prepare'`, s.session).Scan(&attempts, &keys)
	if err != nil || attempts != 2 || keys != 1 {
		d.Errorf("%d attempts with %d keys (%v)", attempts, keys, err)
	}
	d.waitForOneOrder(s, "prepared again") // nobody tells anybody: it is looked up
}
