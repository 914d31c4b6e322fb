package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// backOffice acts as the operators: they create draft orders, ship goods and accept returns, often two of them at once,
// and record every acknowledged change.
type backOffice struct {
	*testbed

	mu       sync.Mutex
	orders   []*officeOrder
	answered []answeredRequest // oldest first
}

// officeOrder is one order handled by the office.
type officeOrder struct {
	order       string // "": the draft was discarded
	draft       string // "": the order came by a checkout
	variant     string // the shipped variant, orderUnits of it
	line        string // the order's line of the shipped variant
	digitalLine string // that of the unit which is not shipped; "" without one
	price       int64  // of one unit
	digital     bool   // has one more unit, which is not shipped
	handed      bool   // that unit was handed over
	total       int64
	paid        bool
	canceled    bool // and refunded, if it was paid
	returns     []returnedGoods
	corrected   []int64 // amounts that were refunded beside cancels and returns
}

// orderUnits is how many shipped units every order has.
const orderUnits = 3

// returnedGoods is units of an order that were returned, or were about to be.
type returnedGoods struct {
	id        string
	units     int64
	restocked bool
	canceled  bool
	amount    int64 // refunded
}

// clerk handles one order after the other, varying the steps from order to order.
type clerk struct {
	*backOffice

	begin func(ctx context.Context, d *officeOrder, turn int) error // creates an order, which is paid or has ended
	turn  int
}

// clerks are two for drafts and three for checkouts. They begin with different steps, so that a short run covers all.
func (o *backOffice) clerks() []*clerk {
	return []*clerk{
		{o, o.fromDraft, draftPaid}, {o, o.fromDraft, draftCanceled},
		{o, o.fromCheckout, shipByFile}, {o, o.fromCheckout, shipByHand}, {o, o.fromCheckout, shipOrCancel},
	}
}

// load has a clerk handle one order after the other until load ends.
func (k *clerk) load(ctx context.Context, load <-chan struct{}) error {
	for ; ; k.turn++ {
		select {
		case <-load:
			return nil
		default:
		}
		i := k.turn % len(k.variants)
		d := &officeOrder{variant: k.variants[i], price: price(i)}
		if err := k.process(ctx, d); err != nil {
			return fmt.Errorf("office, turn %d, %+v: %w", k.turn, *d, err)
		}
		k.mu.Lock()
		k.orders = append(k.orders, d)
		k.mu.Unlock()
	}
}

func (k *clerk) process(ctx context.Context, d *officeOrder) error {
	if err := k.begin(ctx, d, k.turn); err != nil || !d.paid || d.canceled {
		return err
	}
	if err := k.correct(ctx, d, k.turn/len(k.variants)+k.turn); err != nil {
		return err
	}
	if err := k.send(ctx, d, k.turn); err != nil || d.canceled {
		return err
	}
	return k.returnGoods(ctx, d)
}

// fromCheckout creates an order through a checkout: shipped units and a digital one.
func (o *backOffice) fromCheckout(ctx context.Context, d *officeOrder, _ int) error {
	order, err := buyItems(ctx, o.caller, cartItem(d.variant, orderUnits), cartItem(o.digitalVariant, 1))
	if err != nil {
		return err
	}
	d.digital, d.paid = true, true
	return d.setOrder(order)
}

// setOrder reads an order into d.
func (d *officeOrder) setOrder(order orderBody) (err error) {
	d.order = order.ID
	for _, l := range order.Lines {
		switch {
		case l.Variant == d.variant:
			d.line = l.ID
		case !l.RequiresShipping:
			d.digitalLine = l.ID
		}
	}
	if d.line == "" {
		return fmt.Errorf("no line of %s in order %+v", d.variant, order)
	}
	d.total, err = order.TotalAmount.Int64()
	return err
}

const (
	lostAnswerOdds    = 5                     // one in this many answers is lost
	lostAnswerTimeout = 15 * time.Millisecond // how long the caller of a lost answer waits
	replayOdds        = 5                     // one in this many requests is repeated
	maxReplayed       = 200                   // answers repeated at the end
	replayConcurrency = 8                     // concurrent repetitions
)

// post is a change with a new idempotency key.
func (o *backOffice) post(path string, body map[string]any) request {
	if body == nil {
		body = map[string]any{}
	}
	return request{http.MethodPost, path, newKey(), body}
}

// do sends a change until it is answered. At random, a response is dropped first, and the change is repeated afterwards
// with the same key.
func (o *backOffice) do(ctx context.Context, r request) (answer, error) {
	payload, err := payloadOf(r)
	if err != nil {
		return answer{}, err
	}
	if rand.IntN(lostAnswerOdds) == 0 {
		soon, cancel := context.WithTimeout(ctx, rand.N(lostAnswerTimeout))
		_, _ = o.caller.once(soon, r, payload) // the answer is dropped
		cancel()
	}
	a, err := o.caller.repeat(ctx, r, payload)
	if err != nil {
		return a, err
	}
	t := answeredRequest{request: r, payload: payload, answer: a}
	if rand.IntN(replayOdds) == 0 {
		if err := o.replayOne(ctx, t); err != nil {
			return a, err
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answered = append(o.answered, t)
	o.answered = o.answered[max(0, len(o.answered)-maxReplayed):]
	return a, nil
}

func (o *backOffice) replayOne(ctx context.Context, t answeredRequest) error {
	a, err := o.caller.repeat(ctx, t.request, t.payload)
	if err != nil {
		return err
	}
	return t.sameAs(a)
}

// must is do for a change that must succeed; it decodes the answer into out.
func (o *backOffice) must(ctx context.Context, r request, out any) error {
	a, err := o.do(ctx, r)
	if err != nil {
		return err
	}
	return a.success(r, out)
}

// all sends changes concurrently.
func (o *backOffice) all(ctx context.Context, changes ...request) ([]answer, error) {
	answers := make([]answer, len(changes))
	err := concurrently(len(changes), func(i int) (err error) {
		answers[i], err = o.do(ctx, changes[i])
		return err
	})
	return answers, err
}

// race sends changes concurrently of which exactly one may succeed: its index, with its answer in out. The
// others are refused for one of the reasons.
func (o *backOffice) race(ctx context.Context, out any, reasons []string, changes ...request) (winner int, err error) {
	answers, err := o.all(ctx, changes...)
	if err != nil {
		return 0, err
	}
	winner = -1
	for i, a := range answers {
		switch {
		case a.status < http.StatusMultipleChoices && winner < 0:
			winner = i
		case a.status < http.StatusMultipleChoices || !a.refusedFor(reasons...):
			return 0, fmt.Errorf("%s %s, concurrently with %s: %d %s",
				changes[i].method, changes[i].path, changes[max(winner, 0)].path, a.status, a.body)
		}
	}
	if winner < 0 {
		return 0, fmt.Errorf("%s %s and all concurrent changes were refused: %s", changes[0].method, changes[0].path, answers[0].body)
	}
	return winner, answers[winner].into(out)
}

// duplicate is the same change twice, each with a key of its own.
func duplicate(r request) []request {
	other := r
	other.key = newKey()
	return []request{r, other}
}

// replay checks that repeated requests get the same answers, byte for byte.
func (o *backOffice) replay(ctx context.Context) error {
	var work errgroup.Group
	work.SetLimit(replayConcurrency)
	for _, t := range o.answered {
		work.Go(func() error { return o.replayOne(ctx, t) })
	}
	return work.Wait()
}

// tally is the expected effect of acknowledged changes.
type tally struct {
	orders, transactions int
	sold                 map[string]int64 // units by variant
	revenue              *big.Rat         // major units
	refunds              map[string][]int64
}

// plus is the sum of both.
func (t tally) plus(other tally) tally {
	sum := tally{
		t.orders + other.orders, t.transactions + other.transactions, maps.Clone(t.sold), new(big.Rat).Add(t.revenue, other.revenue),
		maps.Clone(t.refunds),
	}
	for variant, n := range other.sold {
		sum.sold[variant] += n
	}
	maps.Copy(sum.refunds, other.refunds)
	return sum
}

// tally is the effect of all orders of the office.
func (o *backOffice) tally() tally {
	t := tally{sold: map[string]int64{}, revenue: new(big.Rat), refunds: map[string][]int64{}}
	for _, d := range o.orders {
		d.count(&t, o.digitalVariant)
	}
	return t
}

func (d *officeOrder) count(t *tally, digitalVariant string) {
	if d.order == "" {
		return
	}
	t.orders++
	if d.paid {
		t.transactions++
	}
	t.transactions += len(d.corrected)
	t.refunds[d.order] = append(t.refunds[d.order], d.corrected...)
	if d.canceled {
		if d.paid {
			t.transactions++
			t.refunds[d.order] = append(t.refunds[d.order], d.total-d.correctedAmount())
		}
		if d.handed { // a cancel restocks what was not handed over yet
			t.sold[digitalVariant]++
		}
		return
	}
	t.sold[d.variant] += orderUnits - d.restocked()
	if d.digital {
		t.sold[digitalVariant]++
	}
	for _, r := range d.returns {
		if !r.canceled {
			t.transactions++
			t.refunds[d.order] = append(t.refunds[d.order], r.amount)
		}
	}
	if d.paid {
		t.revenue.Add(t.revenue, new(big.Rat).SetInt64(d.total-d.refunded()))
	}
}

func (d *officeOrder) restocked() (n int64) {
	for _, r := range d.returns {
		if r.restocked && !r.canceled {
			n += r.units
		}
	}
	return n
}

func (d *officeOrder) correctedAmount() (sum int64) {
	for _, amount := range d.corrected {
		sum += amount
	}
	return sum
}

func (d *officeOrder) refunded() (sum int64) {
	sum = d.correctedAmount()
	for _, r := range d.returns {
		if !r.canceled {
			sum += r.amount
		}
	}
	return sum
}

// errMismatch is a difference between stored data and what was acknowledged.
var errMismatch = errors.New("the stored data differs from what was acknowledged")

// officeSummary counts what the office did.
type officeSummary struct {
	Drafts, Delivered, Canceled, Returns int
}

func (o *backOffice) summary() (w officeSummary) {
	for _, d := range o.orders {
		if d.draft != "" {
			w.Drafts++
		}
		switch {
		case d.canceled:
			w.Canceled++
		case d.paid:
			w.Delivered++
		}
		w.Returns += len(d.returns)
	}
	return w
}
