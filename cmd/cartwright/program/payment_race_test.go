package program

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

// allPairs is the variable that tests every pair of signals at every failpoint; make torture sets it. Without it, each
// signal is tested at each failpoint with one other signal.
const allPairs = "CARTWRIGHT_TEST_EVERY_PAIR"

// paymentSignal is one way in which a server learns of a payment. The response does not matter, only what is stored.
type paymentSignal struct {
	name       string
	failpoints []string // that processing it reaches
	send       func(d *serverPair, to string, s paidSession)
}

var settlePoints = []string{payments.FailLookedUp, payments.FailBeforeCommit, payments.FailCommitted}

func sendWebhook(event string) func(*serverPair, string, paidSession) {
	return func(d *serverPair, to string, s paidSession) {
		body, at := `{"type":"Transaction.Paid","data":{"paymentId":"`+s.paymentID+`"}}`, strconv.FormatInt(time.Now().Unix(), 10)
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(bank.WebhookSecret(d.bankSecret, d.account), "whsec_"))
		if err != nil {
			d.Error(err)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(event + s.paymentID + "." + at + "." + body))
		_, _, _ = d.call(to, "POST", "/api/providers/"+d.connection+"/webhook", []byte(body),
			"Webhook-Id", event+s.paymentID, "Webhook-Timestamp", at, "Webhook-Signature",
			"v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
}

func sendConfirm(d *serverPair, to string, s paidSession) {
	_, _, _ = d.call(to, "POST", commercePath+"/payment-sessions/"+s.session+"/confirm", map[string]any{ //nolint:dogsled // the server may be killed before it answers
		"paymentKey": s.paymentKey, "orderId": s.paymentID, "amount": map[string]any{"amount": 12000, "currency": "KRW"},
	})
}

// The signals of a payment in a widget and on a hosted page. After a redirect from a widget, the shop's server confirms
// the payment; after one from a hosted page, it retrieves the session.
var (
	webhookPoints = append(settlePoints[:3:3], payments.FailWebhookSettled)
	confirmPoints = append(settlePoints[:3:3], payments.FailConfirmed)
	poll          = paymentSignal{"poll", settlePoints, func(*serverPair, string, paidSession) {}} // every server polls by itself
	sharedSignals = []paymentSignal{
		{"webhook", webhookPoints, sendWebhook("evt_paid_")}, {"duplicate webhook", webhookPoints, sendWebhook("evt_paid_")},
		{"reversed webhook", webhookPoints, sendWebhook("evt_ready_")}, poll,
	}
	widgetSignals = append(sharedSignals[:4:4], paymentSignal{"confirm", confirmPoints, sendConfirm},
		paymentSignal{"redirect", confirmPoints, sendConfirm})
	hostedSignals = append(sharedSignals[:4:4], paymentSignal{"redirect", settlePoints, func(d *serverPair, to string, s paidSession) {
		_, _, _ = d.call(to, "GET", commercePath+"/payment-sessions/aggregator/"+s.session, nil)
	}}, paymentSignal{"reconcile", settlePoints, func(d *serverPair, to string, s paidSession) {
		_, _, _ = d.call(to, "POST", commercePath+"/payment-sessions/aggregator/reconcile", map[string]any{
			"accountKey": d.account, "environment": "test", "providerPaymentId": s.paymentID,
		})
	}})
)

// race sends one signal to each of two servers at the same time.
func (d *serverPair) race(s paidSession, f, g paymentSignal, one, two string) {
	var both sync.WaitGroup
	both.Go(func() { f.send(d, one, s) })
	both.Go(func() { g.send(d, two, s) })
	both.Wait()
}

// waitForOneOrder waits until the session has succeeded, which polling ensures at the latest, and checks that
// everything about its order is stored exactly once.
func (d *serverPair) waitForOneOrder(s paidSession, how string) {
	ctx, cancel := context.WithTimeout(d.Context(), patience)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		status, answer, err := d.call(d.base.URL, "GET", "/api/payment-sessions/"+s.session, nil)
		if err == nil && status == 200 && textAt(answer, "status") == "succeeded" {
			break
		}
		if ctx.Err() != nil {
			d.Errorf("%s: %d %v %v", how, status, answer, err)
			return
		}
	}
	for what, query := range map[string]string{
		"orders":              `SELECT count(*) FROM orders WHERE checkout = $1`,
		"creation events":     `SELECT count(*) FROM events WHERE collection = 'orders' AND operation = 'create' AND record IN (SELECT id FROM orders WHERE checkout = $1)`,
		"transactions":        `SELECT count(*) FROM transactions WHERE checkout = $1`,
		"ledger entries":      `SELECT count(*) FROM ledger_entries WHERE checkout = $1`,
		"charges of 12,000":   `SELECT count(*) FROM ledger_entries WHERE checkout = $1 AND type = 'charge' AND minor = 12000`,
		"discount uses":       `SELECT count(*) FROM discount_uses WHERE holder = $1 AND placed`,
		"units sold":          `SELECT 5 - on_hand FROM stock WHERE environment = 'test' AND variant = '` + s.variant + `' AND $1 <> ''`,
		"unreserved units":    `SELECT 1 - reserved FROM stock WHERE environment = 'test' AND variant = '` + s.variant + `' AND $1 <> ''`,
		"completed carts":     `SELECT count(*) FROM carts WHERE status = 'completed' AND id = '` + s.cart + `' AND $1 <> ''`,
		"completed checkouts": `SELECT count(*) FROM checkouts WHERE status = 'completed' AND id = $1`,
	} {
		var n int
		if err := d.db.QueryRowContext(d.Context(), query, s.checkout).Scan(&n); err != nil || n != 1 {
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
	t.Run("each failpoint", func(*testing.T) { d.killAtEachFailpoint() })
}

func (d *serverPair) runPairs(s paidSession, f, g paymentSignal, other serverProcess) {
	d.race(s, f, g, other.URL, d.base.URL)
	d.waitForOneOrder(s, f.name+" and "+g.name)
}

// pairs calls do with each pair of signals, four pairs at a time.
func (d *serverPair) pairs(all []paymentSignal, do func(f, g paymentSignal)) {
	var work sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, f := range all {
		for _, g := range all[i:] {
			slots <- struct{}{}
			work.Go(func() {
				defer func() { <-slots }()
				do(f, g)
			})
		}
	}
	work.Wait()
}

// killAtEachFailpoint kills a server at each failpoint of each signal, while the other server gets a signal of the same
// payment.
func (d *serverPair) killAtEachFailpoint() {
	var work sync.WaitGroup
	slots := make(chan struct{}, 3)
	turn := 0
	for _, kind := range []struct {
		signals []paymentSignal
		hosted  bool
	}{{widgetSignals, false}, {hostedSignals, true}} {
		for _, f := range kind.signals {
			for _, point := range f.failpoints {
				rivals := kind.signals
				if os.Getenv(allPairs) == "" {
					rivals = kind.signals[turn%len(kind.signals):][:1]
					turn++
					if kind.hosted != (f.name == "redirect" || f.name == "reconcile" || f.name == "reversed webhook") {
						continue // tested with the other kind
					}
				}
				if point == payments.FailConfirmed {
					rivals = append(slices.Clip(rivals), poll) // a rival that does not confirm first
				}
				for _, g := range rivals {
					slots <- struct{}{}
					work.Go(func() {
						defer func() { <-slots }()
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

// killAtMissedFailpoints repeats the signals of a failpoint that no server has reached, because the rival was faster
// each time, until one does.
func (d *serverPair) killAtMissedFailpoints() {
	ctx, cancel := context.WithTimeout(d.Context(), patience)
	defer cancel()
	for _, point := range append(webhookPoints[:4:4], payments.FailConfirmed) {
		signal := widgetSignals[slices.IndexFunc(widgetSignals, func(f paymentSignal) bool { return slices.Contains(f.failpoints, point) })]
		for !d.hit(point) {
			if ctx.Err() != nil || d.Failed() {
				d.Errorf("no server died at %s", point)
				return
			}
			d.kill(false, signal, poll, point)
		}
	}
}

// hit reports whether a server has died at the failpoint.
func (d *serverPair) hit(point string) bool {
	_, hit := d.failpointsHit.Load(point)
	return hit
}

// kill sends f to a server that kills itself at point, and g to another at the same time. Then it sends both to the
// server that is left.
func (d *serverPair) kill(hosted bool, f, g paymentSignal, point string) {
	victim := startProcess(d.T, append([]string{"CARTWRIGHT_FAILPOINT=" + point}, d.env...)...)
	s := d.newPaidSession(hosted)
	how := fmt.Sprintf("the server of %s dies at %s, that of %s lives", f.name, point, g.name)
	d.race(s, f, g, victim.URL, d.base.URL)
	d.waitForOneOrder(s, how)
	if !victim.Alive() {
		d.failpointsHit.Store(point, true)
	}
	victim.Kill()
	g.send(d, d.base.URL, s)
	f.send(d, d.base.URL, s)
	d.waitForOneOrder(s, how+", and both signals are repeated")
}

// killPrepare kills a server after the provider has prepared a payment, before the caller gets an answer. Repeating the
// call at another server leads to the same payment, not to a second one.
func (d *serverPair) killPrepare(hosted bool) {
	victim := startProcess(d.T, append([]string{"CARTWRIGHT_FAILPOINT=" + payments.FailPrepared}, d.env...)...)
	s := d.newCheckoutOnly(hosted)
	path, open := s.opening()
	if status, answer, err := d.call(victim.URL, "POST", path, open); err == nil {
		d.Errorf("the server was not killed and answered %d %v", status, answer)
	}
	d.must(d.base.URL, "POST", path, open)
	s = d.capture(s)
	var attempts, keys int
	err := d.db.QueryRowContext(d.Context(),
		`SELECT count(*), count(DISTINCT provider_key) FROM provider_calls WHERE session = $1 AND operation = 'prepare'`,
		s.session).Scan(&attempts, &keys)
	if err != nil || attempts != 2 || keys != 1 {
		d.Errorf("%d attempts with %d keys (%v)", attempts, keys, err)
	}
	d.waitForOneOrder(s, "prepared again") // without a signal: the server polls
}
