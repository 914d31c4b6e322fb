package paymentbed

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// watched are the collections whose records previews are compared with.
var watched = []*collection.Schema{
	cart.Schema, checkout.Schema, order.Schema, order.FulfillmentOrders, order.Fulfillments, payment.Sessions, payment.Transactions, returns.Schema,
}

// state is the records of the watched collections by "slug id", and the units on hand by variant.
type state struct {
	records map[string]collection.Record
	units   map[string]int64
}

func (b *Bed) state() state {
	now := state{map[string]collection.Record{}, map[string]int64{}}
	for _, s := range watched {
		for _, r := range b.All(s) {
			now.records[s.Slug+" "+r.ID()] = r
		}
	}
	for name, id := range b.Variants {
		now.units[id] = b.Level(name).OnHand
	}
	return now
}

// WantPreview asserts that a preview writes nothing and tells what the change that follows does, or is refused as that is. It
// returns what the preview answered. call makes the preview, or else the change.
func (b *Bed) WantPreview(when string, call func(preview bool) (idempotency.Response, error)) Answer {
	b.T.Helper()
	before := b.state()
	told, refusal := call(true)
	refusal = Outcome(told, refusal)
	if written := changed(before, b.state()); len(written) > 0 {
		b.T.Errorf("%s: a preview wrote %v", when, written)
	}
	done, err := call(false)
	if err = Outcome(done, err); refusal != nil || err != nil {
		if refusal == nil || err == nil || fault.From(err).Reason != fault.From(refusal).Reason {
			b.T.Errorf("%s: the preview says %v, the change %v", when, refusal, err)
		}
		return nil
	}
	if b.Read(done.Body.Bytes()).At("outcome") != nil {
		b.T.Errorf("%s: %s", when, done.Body)
	}
	foretold := b.Read(told.Body.Bytes())
	if got, want := foretold.lines(), changed(before, b.state()); !slices.Equal(got, want) {
		b.T.Errorf("%s:\nforetold %s\nhappened %s", when, strings.Join(got, ", "), strings.Join(want, ", "))
	}
	return foretold
}

// lines is an outcome as a sorted list.
func (s Answer) lines() (list []string) {
	for _, m := range objects(s.At("outcome.money")) {
		list = append(list, fmt.Sprintf("%s %s", m.Text("type"), m.At("amount")))
	}
	for _, u := range objects(s.At("outcome.stock")) {
		list = append(list, fmt.Sprintf("%s %s", u.Text("variantId"), u.At("quantity")))
	}
	for _, r := range objects(s.At("outcome.records")) {
		isWatched := func(one *collection.Schema) bool { return one.Slug == r.Text("collection") }
		if !slices.ContainsFunc(watched, isWatched) {
			continue
		}
		list = append(list, fmt.Sprintf("%s %s %s", r.Text("collection"), r.Text("operation"), r.Text("record")))
		for _, c := range objects(r.At("changes")) {
			list = append(list, fmt.Sprintf("%s %s: %s to %s", r.Text("collection"), c.Text("field"), c.Text("from"), c.Text("to")))
		}
	}
	slices.Sort(list)
	return list
}

func objects(v any) (list []Answer) {
	all, _ := v.([]any)
	for _, one := range all {
		o, _ := one.(map[string]any)
		list = append(list, o)
	}
	return list
}

// changed is how two states differ, as lines.
func changed(before, after state) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(after.records)) {
		was, is := before.records[key], after.records[key]
		slug, id, _ := strings.Cut(key, " ")
		s := watched[slices.IndexFunc(watched, func(s *collection.Schema) bool { return s.Slug == slug })]
		switch {
		case was == nil:
			list = append(list, slug+" create ")
		case was.Sequence() == is.Sequence():
			continue
		default:
			list = append(list, slug+" update "+id)
		}
		for i := range s.Fields {
			f := &s.Fields[i]
			if from, to := was.Text(f.Name), is.Text(f.Name); f.Kind == collection.Select && f.VisibleTo != collection.ServerOnly && from != to {
				list = append(list, fmt.Sprintf("%s %s: %s to %s", slug, f.Name, from, to))
			}
		}
		if s == payment.Transactions {
			list = append(list, moved(was, is)...)
		}
	}
	for id, n := range after.units {
		if more := n - before.units[id]; more != 0 {
			list = append(list, fmt.Sprintf("%s %d", id, more))
		}
	}
	slices.Sort(list)
	return list
}

// moved is how money moved with a transaction.
func moved(was, is collection.Record) (list []string) {
	amount, _ := is.Money("amount")
	held, _ := is.Money("authorizedAmount")
	say := func(kind string, m money.Money) {
		if m.Minor > 0 {
			list = append(list, fmt.Sprintf("%s %d", kind, m.Minor))
		}
	}
	switch wasHeld := was.Text("status") == "authorized"; {
	case was == nil && is.Text("type") == "refund":
		say("refund", amount)
	case was == nil:
		say("record", amount)
	case wasHeld && is.Text("status") == "paid":
		say("capture", amount)
		say("release", held.Minus(amount))
	case wasHeld && is.Text("status") == "canceled":
		say("release", held)
	case was.Text("order") == "" && is.Text("order") != "":
		say("assign", amount)
	}
	return list
}
