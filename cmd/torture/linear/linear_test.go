package linear_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/cmd/torture/linear"
)

var shop = linear.Shop{
	Offers: map[string]linear.Offer{"mug": {Price: 1000, OnHand: 1_000_000}, "lamp": {Price: 500, OnHand: 3}},
	Off:    map[string]int64{"TEN": 10},
}

// op is an operation of a story: sent and told are moments on its clock.
type op struct {
	sent, told int64
	wish       linear.Wish
	outcome    linear.Outcome
}

func add(variant string, n int64) linear.Wish {
	return linear.Wish{Verb: linear.Add, Variant: variant, Quantity: n}
}

func (o op) in(cart int) op {
	o.wish.Cart = cart
	return o
}

// holds is an answer that shows a cart with one line of mugs; without any when n is 0.
func holds(revision, n int64) linear.Outcome {
	c := linear.Cart{Status: "active", Revision: revision, Total: 1000 * n}
	if n > 0 {
		c.Lines = []linear.Line{{ID: "L", Variant: "mug", Quantity: n}}
	}
	return linear.Outcome{Cart: c}
}

func refused(reason string, current int64) linear.Outcome {
	return linear.Outcome{Refusal: reason, Current: current}
}

// expectingOne is o by a client who knows revision 1.
func (o op) expectingOne() op {
	o.wish.Expected = 1
	return o
}

var (
	read    = linear.Wish{Verb: linear.Read}
	empty   = linear.Wish{Verb: linear.Clear}
	peek    = linear.Wish{Verb: linear.Peek}
	unknown = linear.Outcome{Unknown: true}
)

func update(line string, n int64) linear.Wish {
	return linear.Wish{Verb: linear.Update, Line: line, Quantity: n}
}

func at(revision int64) linear.Outcome { return linear.Outcome{Current: revision} }

// check decides on a story of two carts.
func check(story []op) error {
	h := linear.NewHistory(shop, 2)
	for i, o := range story {
		h.Record(i, o.wish, o.sent, o.outcome, o.told)
	}
	return h.Check(time.Minute)
}

func TestWhatOneCartAtATimeCouldAnswerIsAccepted(t *testing.T) {
	t.Parallel()
	for name, story := range map[string][]op{
		"nothing":                  {},
		"one after the other":      {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, add("mug", 2), holds(3, 3)}, {5, 6, read, holds(3, 3)}},
		"at once, the later first": {{1, 9, add("mug", 1), holds(3, 3)}, {2, 8, add("mug", 2), holds(2, 2)}},
		"a read beside a change sees it or not": {
			{1, 9, add("mug", 1), holds(2, 1)}, {2, 3, read, holds(1, 0)}, {4, 5, read, holds(2, 1)},
		},
		"an unanswered change that happened":        {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(2, 1)}},
		"an unanswered change that never did":       {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(1, 0)}},
		"an unanswered change that happened later":  {{1, 0, add("mug", 1), unknown}, {2, 3, read, holds(1, 0)}, {4, 5, read, holds(2, 1)}},
		"an unanswered change of a line it made":    {{1, 0, add("mug", 1), unknown}, {2, 3, add("mug", 1), holds(3, 2)}, {4, 5, update("L", 7), holds(4, 7)}},
		"an unanswered change that would fail":      {{1, 0, update("K", 1), unknown}, {2, 3, read, holds(1, 0)}},
		"a conflict with a change in between":       {{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, empty, refused("cart_revision_conflict", 2)}.expectingOne()},
		"the revision that was asked for":           {op{1, 2, add("mug", 1), holds(2, 1)}.expectingOne(), {3, 4, peek, at(2)}},
		"a line that is gone":                       {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, empty, holds(3, 0)}, {5, 6, update("L", 2), refused("line_not_found", 0)}},
		"quantity zero removes the line":            {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, update("L", 0), holds(3, 0)}},
		"more than there is":                        {{1, 2, add("lamp", 4), refused("out_of_stock", 0)}},
		"more than a line holds":                    {{1, 2, add("mug", 9000), holds(2, 9000)}, {3, 4, add("mug", 1000), refused("quantity_limit", 0)}},
		"two carts that know nothing of each other": {{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, add("mug", 5), holds(2, 5)}.in(1), {5, 6, read, holds(2, 1)}},
	} {
		if err := check(story); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatNoCartCouldAnswerIsRejected(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // for the pages about them
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
		"a conflict telling another": {{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, empty, refused("cart_revision_conflict", 3)}.expectingOne()},
		"a refusal with an effect":   {{1, 2, add("lamp", 4), refused("out_of_stock", 0)}, {3, 4, read, holds(2, 0)}},
		"a refusal without a reason": {{1, 2, add("lamp", 1), refused("out_of_stock", 0)}},
		"a line that changed its id": {{1, 2, add("mug", 1), holds(2, 1)}, {3, 4, update("L", 2), linear.Outcome{Cart: linear.Cart{Status: "active", Revision: 3, Total: 2000, Lines: []linear.Line{{ID: "K", Variant: "mug", Quantity: 2}}}}}},
		"a wrong total":              {{1, 2, add("mug", 1), linear.Outcome{Cart: linear.Cart{Status: "active", Revision: 2, Total: 999, Lines: []linear.Line{{ID: "L", Variant: "mug", Quantity: 1}}}}}},
		"another cart's change":      {{1, 2, add("mug", 1), holds(2, 1)}, op{3, 4, read, holds(2, 1)}.in(1)},
		"lines of nobody":            {{1, 2, read, holds(1, 1)}},
		"a cart that ended":          {{1, 2, read, linear.Outcome{Cart: linear.Cart{Status: "completed", Revision: 1}}}},
	} {
		if err := check(story); !errors.Is(err, linear.ErrImpossible) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnEndlessSearchProvesNothing(t *testing.T) {
	t.Parallel()
	var story []op
	for i := range int64(24) {
		story = append(story, op{i, 0, add("mug", 1+i), unknown})
	}
	story = append(story, op{30, 31, read, holds(2, 9999)})
	h := linear.NewHistory(shop, 1)
	for i, o := range story {
		h.Record(i, o.wish, o.sent, o.outcome, o.told)
	}
	if err := h.Check(20 * time.Millisecond); !errors.Is(err, linear.ErrUndecided) {
		t.Error(err)
	}
}

// A long history of clients who overlap is decided in moments, and one wrong answer in it is found.
func TestOneWrongAnswerAmongThousandsIsFound(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const clients, each = 8, 250
	for name, wrong := range map[string]func(linear.Outcome) linear.Outcome{
		"none":      func(o linear.Outcome) linear.Outcome { return o },
		"revision":  func(o linear.Outcome) linear.Outcome { o.Cart.Revision++; return o },
		"total":     func(o linear.Outcome) linear.Outcome { o.Cart.Total--; return o },
		"quantity":  func(o linear.Outcome) linear.Outcome { return holds(o.Cart.Revision, o.Cart.Revision) },
		"a refusal": func(linear.Outcome) linear.Outcome { return refused("cart_not_active", 0) },
	} {
		h := linear.NewHistory(shop, 1)
		stored := int64(0) // mugs in the cart
		for round := range int64(each) {
			for client := range int64(clients) { // all of a round overlap, and take effect in the order of clients
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
