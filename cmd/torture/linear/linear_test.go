package linear_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/cmd/torture/linear"
)

var shop = linear.Shop{
	Offers:    map[string]linear.Offer{"mug": {Price: 1000, OnHand: 1_000_000}, "lamp": {Price: 500, OnHand: 3}},
	Discounts: map[string]int64{"TEN": 10},
}

// op is an operation of a test; sent and answered are its times.
type op struct {
	sent, answered int64
	operation      linear.Operation
	outcome        linear.Result
}

func add(variant string, n int64) linear.Operation {
	return linear.Operation{Verb: linear.Add, Variant: variant, Quantity: n}
}

// inOther is o with the second cart.
func (o op) inOther() op {
	o.operation.Cart = 1
	return o
}

// holds is an answer with one line of n mugs; without lines for n = 0.
func holds(revision, n int64) linear.Result {
	c := linear.Cart{Status: "active", Revision: revision, Total: 1000 * n}
	if n > 0 {
		c.Lines = []linear.Line{{ID: "L", Variant: "mug", Quantity: n}}
	}
	return linear.Result{Cart: c}
}

func refused(reason string, current int64) linear.Result {
	return linear.Result{Refusal: reason, Current: current}
}

// expectingOne is o by a client that expects revision 1.
func (o op) expectingOne() op {
	o.operation.Expected = 1
	return o
}

// with is an answer with a line of mugs and other members.
func with(revision, n int64, more func(*linear.Cart)) linear.Result {
	o := holds(revision, n)
	more(&o.Cart)
	return o
}

func named(text string) func(*linear.Cart) {
	return func(c *linear.Cart) { c.Attributes = map[string]string{"note": text} }
}

func code(text string, total int64) func(*linear.Cart) {
	return func(c *linear.Cart) { c.Codes, c.Total = []string{text}, total }
}

func merged(c *linear.Cart) { c.Status = "merged" }

var (
	describe = linear.Operation{Verb: linear.SetAttributes, Attributes: map[string]string{"note": "gift"}}
	redeem   = linear.Operation{Verb: linear.SetCodes, Codes: []string{"TEN"}}
	invent   = linear.Operation{Verb: linear.SetCodes, Codes: []string{"NONE"}}
	merge    = linear.Operation{Verb: linear.Merge, Source: 1}

	read    = linear.Operation{Verb: linear.Read}
	empty   = linear.Operation{Verb: linear.Clear}
	peek    = linear.Operation{Verb: linear.Peek}
	unknown = linear.Result{Unknown: true}
)

func update(line string, n int64) linear.Operation {
	return linear.Operation{Verb: linear.Update, Line: line, Quantity: n}
}

func at(revision int64) linear.Result { return linear.Result{Current: revision} }

// check decides on a history of two carts.
func check(story []op) error {
	h := linear.NewHistory(shop, 2)
	for i, o := range story {
		h.Record(i, o.operation, o.sent, o.outcome, o.answered)
	}
	return h.Check(time.Minute)
}

func TestLinearizableHistoriesAreAccepted(t *testing.T) {
	t.Parallel()
	for name, story := range map[string][]op{
		"nothing":                  {},
		"one after the other":      {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, add("mug", 2), holds(3, 3)}, {5, 6, read, holds(3, 3)}},
		"at once, the later first": {{1, 9, add("mug", 1), holds(3, 3)}, {2, 8, add("mug", 2), holds(2, 2)}},
		"a read beside a change sees it or not": {
			{1, 9, add("mug", 1), holds(2, 1)}, {2, 3, read, holds(1, 0)}, {4, 5, read, holds(2, 1)},
		},
		"an unanswered change that happened":       {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(2, 1)}},
		"an unanswered change that never did":      {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(1, 0)}},
		"an unanswered change that happened later": {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(1, 0)}, {4, 5, read, holds(2, 1)}},
		"an unanswered change of a line it made": {
			{1, 0, add("mug", 1), unknown}, {2, 3, add("mug", 1), holds(3, 2)}, {4, 5, update("L", 7), holds(4, 7)},
		},
		"an unanswered change that would fail": {{1, 0, update("K", 1), unknown}, {2, 3, read, holds(1, 0)}},
		"a conflict with a change in between": {
			{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, empty, refused("cart_revision_conflict", 2)}.expectingOne(),
		},
		"the revision that was asked for": {op{1, 2, add("mug", 1), holds(2, 1)}.expectingOne(), {3, 4, peek, at(2)}},
		"a line that is gone": {
			{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, empty, holds(3, 0)}, {5, 6, update("L", 2), refused("line_not_found", 0)},
		},
		"quantity zero removes the line": {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, update("L", 0), holds(3, 0)}},
		"more than there is":             {{1, 2, add("lamp", 4), refused("out_of_stock", 0)}},
		"more than a line holds": {
			{1, 2, add("mug", 9000), holds(2, 9000)}, {3, 4, add("mug", 1000), refused("quantity_limit", 0)},
		},
		"two carts that know nothing of each other": {
			{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, add("mug", 5), holds(2, 5)}.inOther(), {5, 6, read, holds(2, 1)},
		},
		"attributes as a whole": {{1, 2, describe, with(2, 0, named("gift"))}, {3, 4, add("mug", 1), with(3, 1, named("gift"))}},
		"a code that takes something off": {
			{1, 2, redeem, with(2, 0, code("TEN", 0))}, {3, 4, add("mug", 1), with(3, 1, code("TEN", 900))}, {5, 6, empty, holds(4, 0)},
		},
		"an unknown code": {{1, 2, invent, with(2, 0, code("NONE", 0))}, {3, 4, add("mug", 1), with(3, 1, code("NONE", 1000))}},
		"two carts become one": {
			{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, add("mug", 5), holds(2, 5)}.inOther(), {5, 6, merge, holds(3, 6)},
			op{7, 8, read, with(3, 5, merged)}.inOther(), op{9, 10, add("mug", 1), refused("cart_not_active", 3)}.inOther(),
			{11, 12, merge, refused("cart_not_active", 3)},
		},
		"a merge brings codes and attributes": {
			op{1, 2, redeem, with(2, 0, code("TEN", 0))}.inOther(),
			op{3, 4, describe, with(3, 0, func(c *linear.Cart) { code("TEN", 0)(c); named("gift")(c) })}.inOther(),
			{5, 6, add("mug", 1), holds(2, 1)}, {7, 8, merge, with(3, 1, func(c *linear.Cart) { code("TEN", 900)(c); named("gift")(c) })},
		},
		"an unanswered merge that happened": {
			op{1, 2, add("mug", 5), holds(2, 5)}.inOther(), {3, 0, merge, unknown}, {4, 5, read, holds(2, 5)},
		},
		"an unanswered merge that did not": {
			op{1, 2, add("mug", 5), holds(2, 5)}.inOther(), {3, 0, merge, unknown}, op{4, 5, add("mug", 1), holds(3, 6)}.inOther(),
		},
	} {
		if err := check(story); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNonLinearizableHistoriesAreRejected(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // for the pages of the searches
	for name, story := range map[string][]op{
		"a lost update":              {{1, 9, add("mug", 1), holds(2, 1)}, {2, 8, add("mug", 2), holds(3, 3)}, {10, 11, read, holds(3, 2)}},
		"an update that was lost":    {{1, 9, add("mug", 1), holds(2, 1)}, {2, 8, add("mug", 2), holds(2, 2)}},
		"a double effect":            {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, read, holds(3, 2)}},
		"a double effect, unnoticed": {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, read, holds(2, 2)}},
		"an unanswered change twice": {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(3, 2)}},
		"a revision gap":             {{1, 2, add("mug", 1), holds(3, 1)}},
		"a gap between changes":      {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, add("mug", 1), holds(4, 2)}},
		"a stale read":               {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, read, holds(1, 0)}},
		"a read that goes back":      {{1, 9, add("mug", 1), holds(2, 1)}, {2, 3, read, holds(2, 1)}, {4, 5, read, holds(1, 0)}},
		"a stale revision":           {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, peek, at(1)}},
		"a change that came undone":  {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, empty, holds(3, 0)}, {5, 6, read, holds(2, 1)}},
		"a conflict with nothing":    {op{1, 2, add("mug", 1), refused("cart_revision_conflict", 1)}.expectingOne()},
		"a conflict not noticed":     {{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, add("mug", 1), holds(3, 2)}.expectingOne()},
		"a conflict telling another": {
			{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, empty, refused("cart_revision_conflict", 3)}.expectingOne(),
		},
		"a refusal with an effect":   {{1, 2, add("lamp", 4), refused("out_of_stock", 0)}, {3, 4, read, holds(2, 0)}},
		"a refusal without a reason": {{1, 2, add("lamp", 1), refused("out_of_stock", 0)}},
		"a line that changed its id": {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, update("L", 2), linear.Result{
			Cart: linear.Cart{Status: "active", Revision: 3, Total: 2000, Lines: []linear.Line{{ID: "K", Variant: "mug", Quantity: 2}}},
		}}},
		"a wrong total": {{1, 2, add("mug", 1), linear.Result{
			Cart: linear.Cart{Status: "active", Revision: 2, Total: 999, Lines: []linear.Line{{ID: "L", Variant: "mug", Quantity: 1}}},
		}}},
		"another cart's change":       {{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, read, holds(2, 1)}.inOther()},
		"lines that were never added": {{1, 2, read, holds(1, 1)}},
		"a cart that ended":           {{1, 2, read, linear.Result{Cart: linear.Cart{Status: "completed", Revision: 1}}}},
		"an attribute that stayed":    {{1, 2, describe, with(2, 0, named("other"))}},
		"a code without effect":       {{1, 2, redeem, with(2, 0, code("TEN", 0))}, {3, 4, add("mug", 1), with(3, 1, code("TEN", 1000))}},
		"a code that disappeared":     {{1, 2, redeem, holds(2, 0)}},
		"a unit lost in a merge": {
			op{1, 9, add("mug", 5), holds(2, 5)}.inOther(), {2, 8, merge, holds(2, 0)}, op{10, 11, read, with(3, 5, merged)}.inOther(),
			{12, 13, read, holds(2, 0)},
		},
		"half a merge": {
			op{1, 2, add("mug", 5), holds(2, 5)}.inOther(), {3, 4, merge, holds(2, 5)}, op{5, 6, read, holds(2, 5)}.inOther(),
		},
		"a merge done twice": {op{1, 2, add("mug", 5), holds(2, 5)}.inOther(), {3, 4, merge, holds(2, 5)}, {5, 6, merge, holds(3, 10)}},
		"a change of a merged cart": {
			op{1, 2, add("mug", 5), holds(2, 5)}.inOther(), {3, 4, merge, holds(2, 5)},
			op{5, 6, add("mug", 1), with(4, 6, merged)}.inOther(),
		},
	} {
		if err := check(story); !errors.Is(err, linear.ErrImpossible) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSearchTimeoutIsUndecided(t *testing.T) {
	t.Parallel()
	var story []op
	for i := range int64(24) {
		story = append(story, op{i, 0, add("mug", 1+i), unknown})
	}
	story = append(story, op{30, 31, read, holds(2, 9999)})
	h := linear.NewHistory(shop, 1)
	for i, o := range story {
		h.Record(i, o.operation, o.sent, o.outcome, o.answered)
	}
	if err := h.Check(20 * time.Millisecond); !errors.Is(err, linear.ErrUndecided) {
		t.Error(err)
	}
}

// A long history of concurrent clients is decided quickly, and one wrong answer in it is found.
func TestWrongAnswerInLongHistoryIsFound(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const clients, each = 8, 250
	for name, wrong := range map[string]func(linear.Result) linear.Result{
		"none":      func(o linear.Result) linear.Result { return o },
		"revision":  func(o linear.Result) linear.Result { o.Cart.Revision++; return o },
		"total":     func(o linear.Result) linear.Result { o.Cart.Total--; return o },
		"quantity":  func(o linear.Result) linear.Result { return holds(o.Cart.Revision, o.Cart.Revision) },
		"a refusal": func(linear.Result) linear.Result { return refused("cart_not_active", 0) },
	} {
		h := linear.NewHistory(shop, 1)
		stored := int64(0) // mugs in the cart
		for round := range int64(each) {
			for client := range int64(clients) { // operations of a round overlap, and take effect in the order of clients
				stored++
				o := holds(stored+1, stored)
				if round == each/2 && client == 3 {
					o = wrong(o)
				}
				h.Record(int(client), add("mug", 1), 10*round+clients-client, o, 10*round+9)
			}
		}
		if err := h.Check(time.Minute); (err == nil) != (name == "none") || errors.Is(err, linear.ErrUndecided) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
