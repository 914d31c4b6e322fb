package returns_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	. "github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/team"
)

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func TestEveryStepOfAReturn(t *testing.T) {
	t.Parallel()
	allowed := map[string]bool{
		"requested approved": true, "requested rejected": true, "requested canceled": true, "approved received": true,
		"approved refunded": true, "approved rejected": true, "approved canceled": true, "received refunded": true,
	}
	for _, from := range Statuses {
		for _, to := range Statuses {
			r := Request{Status: from}
			step := fmt.Sprint(from, " ", to)
			if err := r.CheckTransition(to); (err == nil) != allowed[step] || err != nil && !errors.Is(err, ErrTransition) {
				t.Errorf("%s: %v", step, err)
			}
		}
	}
}

// steps are the methods that change a request, by the status they lead to.
var steps = map[Status]func(Request) (Request, error){
	Approved: func(r Request) (Request, error) { return r.Approve(now) },
	Received: func(r Request) (Request, error) { return r.Receive(now) },
	Refunded: func(r Request) (Request, error) { return r.MarkRefunded(now) },
	Rejected: func(r Request) (Request, error) { return r.EndAs(Rejected, "worn") },
	Canceled: func(r Request) (Request, error) { return r.EndAs(Canceled, "kept") },
}

func TestRefusedTransitionChangesNothing(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses {
		for to, step := range steps {
			r := Request{Status: from}
			next, err := step(r)
			if err != nil {
				if !reflect.DeepEqual(next, r) {
					t.Errorf("%s %s was refused and changed: %+v", from, to, next)
				}
				continue
			}
			back := to == Received || to == Refunded
			if next.Status != to || next.UnitsReturned() != back || next.ApprovedAt.IsZero() == (to == Approved) ||
				next.ReceivedAt.IsZero() == (to == Received) || next.RefundedAt.IsZero() == (to == Refunded) ||
				(next.StatusReason != "") == to.Counts() {
				t.Errorf("%s %s: %+v", from, to, next)
			}
		}
	}
}

func refund(id string, state payment.RefundState) payment.Refund {
	return payment.Refund{ID: id, State: state}
}

func begun(t *testing.T, from Status) Request {
	t.Helper()
	r, err := Request{Status: from}.BeginRefund("t1")
	if err != nil || r.RefundStatus != "pending" || r.Transaction != "t1" || r.Status != from {
		t.Fatalf("%+v %v", r, err)
	}
	return r
}

func TestApplyRefund(t *testing.T) {
	t.Parallel()
	r := begun(t, Approved)
	if r.ApplyRefund(refund("t1", payment.RefundRequested), "", now).Status != Approved {
		t.Error("no refund was requested yet")
	}
	for _, to := range []Status{Received, Rejected, Canceled} {
		if _, err := steps[to](r); !errors.Is(err, payment.ErrRefundInProgress) {
			t.Errorf("%s while the money is on its way: %v", to, err)
		}
	}
	refused := r.ApplyRefund(refund("t1", payment.RefundRefused), "no", now)
	if refused.Status != Approved || refused.RefundStatus != "failed" || refused.RefundProblem != "no" || refused.UnitsReturned() ||
		refused.CheckTransition(Canceled) != nil {
		t.Errorf("%+v", refused)
	}
	later := r.ApplyRefund(refund("t1", payment.RefundPending), "", now)
	if later.Status != Refunded || later.RefundStatus != "pending" || !later.UnitsReturned() {
		t.Errorf("%+v", later)
	}
	done := later.ApplyRefund(refund("t1", payment.RefundSucceeded), "", now.Add(time.Hour))
	if done.Status != Refunded || done.RefundStatus != "refunded" || !done.RefundedAt.Equal(now) {
		t.Errorf("%+v", done)
	}
	owed := done.ApplyRefund(refund("t1", payment.RefundFailed), "late", now)
	if owed.Status != Approved || owed.RefundStatus != "failed" || owed.RefundProblem != "late" || !owed.RefundedAt.IsZero() ||
		!owed.UnitsReturned() {
		t.Errorf("%+v", owed)
	}
	if owed.CheckTransition(Refunded) != nil || owed.CheckTransition(Canceled) == nil || owed.CheckTransition(Rejected) == nil {
		t.Error("a request whose refund failed can only be refunded")
	}
	received, err := begun(t, Received).Receive(now)
	if err == nil {
		t.Errorf("received twice: %+v", received)
	}
}

func TestFailRefundWithoutRemainingMoney(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses {
		r := Request{Status: from, Transaction: "t1", RefundStatus: "failed", RefundProblem: "before"}
		open := from == Requested || from == Approved || from == Received
		if short := r.FailRefund("3000 are left"); short.Status != from || short.RefundStatus != "failed" ||
			(short.RefundProblem == "3000 are left") != open {
			t.Errorf("%s: %+v", from, short)
		}
	}
	under := Request{Status: Approved, Transaction: "t1", RefundStatus: "pending"}
	if short := under.FailRefund("nothing is left"); !reflect.DeepEqual(short, under) {
		t.Errorf("while a refund is pending: %+v", short)
	}
}

func TestOlderRefundIsIgnored(t *testing.T) {
	t.Parallel()
	r := begun(t, Approved).ApplyRefund(refund("t1", payment.RefundRefused), "no", now)
	r, _ = r.BeginRefund("t2")
	if again := r.ApplyRefund(refund("t1", payment.RefundFailed), "no", now); !reflect.DeepEqual(again, r) {
		t.Errorf("%+v", again)
	}
	done := r.ApplyRefund(refund("t2", payment.RefundSucceeded), "", now)
	for _, state := range []payment.RefundState{payment.RefundFailed, payment.RefundSucceeded, payment.RefundPending} {
		if again := done.ApplyRefund(refund("t1", state), "no", now); !reflect.DeepEqual(again, done) {
			t.Errorf("%s: %+v", state, again)
		}
	}
	refused := r.ApplyRefund(refund("t2", payment.RefundRefused), "no", now)
	if after := refused.ApplyRefund(refund("t1", payment.RefundSucceeded), "", now); after.Status != Refunded || after.Transaction != "t1" {
		t.Errorf("the first refund succeeded after all: %+v", after)
	}
	ended, _ := refused.EndAs(Canceled, "")
	if after := ended.ApplyRefund(refund("t2", payment.RefundSucceeded), "", now); after.Status != Canceled ||
		after.RefundStatus != "refunded" {
		t.Errorf("%+v", after)
	}
}

func TestRestockUnits(t *testing.T) {
	t.Parallel()
	o := order.Order{Source: order.FromCheckout}
	for id, l := range map[string]sale.Line{
		"mug": {Variant: "v-mug", Kind: "physical"}, "spare": {Variant: "v-mug", Kind: "physical"},
		"seat": {Variant: "v-seat", Kind: "event"},
		"file": {Variant: "v-file", Kind: "digital"}, "torn": {Variant: "v-torn", Kind: "physical"},
		"endless": {Variant: "v-endless", Kind: "physical"},
	} {
		l.ID = id
		o.Lines = append(o.Lines, order.Line{Line: l, StockTaken: id != "endless"})
	}
	r := Request{Quote: Quote{Lines: []Line{
		{OrderLine: "mug", Quantity: 2, Restock: true}, {OrderLine: "spare", Quantity: 1, Restock: true},
		{OrderLine: "seat", Quantity: 1, Restock: true}, {OrderLine: "file", Quantity: 1, Restock: true},
		{OrderLine: "endless", Quantity: 1, Restock: true}, {OrderLine: "torn", Quantity: 1},
	}}}
	if got := r.RestockUnits(o); !slices.Equal(got, []inventory.Demand{{Variant: "v-mug", Quantity: 3}, {Variant: "v-seat", Quantity: 1}}) {
		t.Errorf("%+v", got)
	}
	if got := r.Units(); !maps.Equal(got, map[string]int64{"mug": 2, "spare": 1, "seat": 1, "file": 1, "endless": 1, "torn": 1}) {
		t.Errorf("%v", got)
	}
}

func TestRequestRecordRoundTrip(t *testing.T) {
	t.Parallel()
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	r := Request{
		Quote: Quote{
			Lines:       []Line{{OrderLine: "l1", Quantity: 2, RestockingFee: won(1), Reason: "torn", Restock: true, LineRefund: won(2)}},
			LineRefunds: won(3), RestockingFees: won(4), InitialShippingRefund: won(5), SuggestedShippingRefund: won(6),
			ReturnShippingFee: won(7), RefundAmount: won(8),
		},
		ID: "r1", Tenant: "t", Environment: "test", Order: "o", Customer: "c", Currency: "KRW", Status: Received, AuditNote: "a",
		StatusReason: "s", Transaction: "t1", RefundStatus: "failed", RefundProblem: "p", ApprovedAt: now,
		ReceivedAt: now.Add(1 * time.Hour), RefundedAt: now.Add(2 * time.Hour), ReturnedAt: now.Add(3 * time.Hour), Notes: "n",
		RefundAccount: "v1:sealed", AccountEnding: "6789", Metadata: map[string]any{"a": "b"},
		Assignment: team.Assignment{Tags: []string{"vip"}, Assignee: "u1"},
	}
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s empty", v.Type().Field(i).Name)
		}
	}
	if got := FromRecord(r.Record()); !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v\nwant %+v", got, r)
	}
	for name := range r.Record() {
		if _, ok := Schema.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
	if got := FromRecord(Request{ID: "r1"}.Record()); !reflect.DeepEqual(got, Request{ID: "r1"}) {
		t.Errorf("an empty one: %+v", got)
	}
}

// The account of a refund is kept until the money is on its way, or the request ended without it.
func TestAccountIsForgottenWhenItIsNotNeeded(t *testing.T) {
	t.Parallel()
	asked := Request{ID: "r1", Status: Received, ReceivedAt: now, RefundAccount: "v1:sealed", AccountEnding: "6789"}
	begun, err := asked.BeginRefund("t1")
	if err != nil {
		t.Fatal(err)
	}
	approved := asked
	approved.Status, approved.ReceivedAt = Approved, time.Time{}
	ended, err := approved.EndAs(Canceled, "")
	if err != nil {
		t.Fatal(err)
	}
	apply := func(s payment.RefundState) Request {
		return begun.ApplyRefund(payment.Refund{ID: "t1", State: s}, "", now)
	}
	for name, c := range map[string]struct {
		r    Request
		kept bool
	}{
		"unanswered": {begun, true}, "refused": {apply(payment.RefundRefused), true}, "pending": {apply(payment.RefundPending), false},
		"done": {apply(payment.RefundSucceeded), false}, "failed at once": {apply(payment.RefundFailed), true}, "canceled": {ended, false},
	} {
		if (c.r.RefundAccount != "") != c.kept || (c.r.AccountEnding != "") != c.kept {
			t.Errorf("%s: kept is %t", name, !c.kept)
		}
	}
}
