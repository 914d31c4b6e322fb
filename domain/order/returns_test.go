package order_test

import (
	"errors"
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

func TestWhichOrdersCanBeReturned(t *testing.T) {
	t.Parallel()
	want := map[Status]Status{
		Delivered: ReturnRequested, Confirmed: ReturnRequested, ReturnRequested: ReturnRequested, ReturnProcessing: ReturnProcessing,
	}
	for _, from := range Statuses {
		o, err := Order{Status: from}.BeginReturn()
		switch to, may := want[from]; {
		case !may && (!errors.Is(err, ErrNotReturnable) || o.Status != from):
			t.Errorf("%s: %s %v", from, o.Status, err)
		case may && (err != nil || o.Status != to):
			t.Errorf("%s: %s %v", from, o.Status, err)
		}
		if (err == nil || from == Returned) != (Order{Status: from}).WasDelivered() {
			t.Errorf("%s was delivered, or not", from)
		}
	}
}

func TestEndReturnsRestoresPreviousStatus(t *testing.T) {
	t.Parallel()
	for _, before := range []Status{Delivered, Confirmed} {
		o := Order{Status: before, Lines: []Line{{Line: sale.Line{ID: "l1", Quantity: 2}}}}
		first, _ := o.BeginReturn()
		second, _ := first.ProcessReturn().BeginReturn()
		if first.StatusBeforeReturn != before || second.StatusBeforeReturn != before || second.Status != ReturnProcessing {
			t.Errorf("%+v", second)
		}
		for _, open := range []Order{first, second, second.AddReturned(map[string]int64{"l1": 1})} {
			if back := open.EndReturns(); back.Status != before || back.StatusBeforeReturn != "" {
				t.Errorf("%+v", back)
			}
		}
		all := second.AddReturned(map[string]int64{"l1": 1}).AddReturned(map[string]int64{"l1": 1})
		back := all.EndReturns()
		if back.Status != Returned || back.Lines[0].Returned != 2 || o.Lines[0].Returned != 0 {
			t.Errorf("%+v", back)
		}
		if again := back.ReopenReturn(); again.Status != Returned {
			t.Errorf("%+v", again)
		}
		if again := o.ReopenReturn(); again.Status != ReturnProcessing || again.StatusBeforeReturn != before ||
			again.EndReturns().Status != before {
			t.Errorf("%+v", again)
		}
		if closed := o.EndReturns(); closed.Status != before {
			t.Errorf("%+v", closed)
		}
	}
}

func TestEveryStepOfAReturnIsInTheTable(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses {
		for _, units := range []int64{0, 1} {
			o := Order{
				Status: from, StatusBeforeReturn: Confirmed, Lines: []Line{{Line: sale.Line{ID: "l1", Quantity: 1}, Returned: units}},
			}
			begun, _ := o.BeginReturn()
			for _, to := range []Status{begun.Status, o.ProcessReturn().Status, o.EndReturns().Status} {
				if to != from && CheckTransition(from, to) != nil {
					t.Errorf("%s to %s", from, to)
				}
			}
		}
	}
	if imported := (Order{Status: ReturnProcessing, Lines: []Line{{Line: sale.Line{Quantity: 1}}}}).EndReturns(); imported.Status != Delivered {
		t.Errorf("%+v", imported)
	}
}

func TestAnOrderThatIsBeingCanceledIsNotReturned(t *testing.T) {
	t.Parallel()
	if _, err := (Order{Status: Delivered, CancelKey: "k"}).BeginReturn(); !errors.Is(err, ErrNotReturnable) {
		t.Error(err)
	}
}
