package returning

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// Wish is a return as somebody asks for it. Amounts are exact texts in major units of the order's currency, "" when left
// out.
type Wish struct {
	Order                 string
	Lines                 []WishLine
	ReturnShippingFee     collection.Numeral
	InitialShippingRefund collection.Numeral
	AuditNote             string
}

// WishLine is units of an order line.
type WishLine struct {
	OrderLine     string
	Quantity      int64
	RestockingFee collection.Numeral
	Reason        string
	Restock       *bool // nil: yes
}

// shopOnly refuses what customers do not enter.
func (w Wish) shopOnly() error {
	var problems []fault.Field
	set := func(field string, is bool) {
		if is {
			problems = append(problems, fault.Field{Field: field, Message: "Only the shop enters this."})
		}
	}
	for i, l := range w.Lines {
		path := "lines." + strconv.Itoa(i) + "."
		set(path+"restockingFee", l.RestockingFee != "")
		set(path+"restock", l.Restock != nil)
	}
	set("returnShippingFee", w.ReturnShippingFee != "")
	set("initialShippingRefundAmount", w.InitialShippingRefund != "")
	set("auditNote", w.AuditNote != "")
	if len(problems) > 0 {
		return fault.ErrValidation.In(problems...)
	}
	return nil
}

// read is w in the currency of its order. byPolicy has the order's policy fill in the amounts. Errors: fault.ErrValidation.
func (w Wish) read(currency money.Currency, byPolicy bool) (returns.Wish, error) {
	var problems []fault.Field
	amount := func(field string, text collection.Numeral) money.Money {
		if text == "" {
			return money.Of(0, currency)
		}
		m, err := money.Parse(string(text), currency)
		if err != nil {
			problems = append(problems, fault.Field{Field: field, Message: fault.From(err).Message})
		}
		return money.Of(m.Minor, currency)
	}
	out := returns.Wish{
		ReturnShippingFee:     amount("returnShippingFee", w.ReturnShippingFee),
		InitialShippingRefund: amount("initialShippingRefundAmount", w.InitialShippingRefund),
		ByPolicy:              byPolicy, AuditNote: strings.TrimSpace(w.AuditNote),
	}
	for i, l := range w.Lines {
		path := "lines." + strconv.Itoa(i) + "."
		out.Lines = append(out.Lines, returns.Line{
			OrderLine: l.OrderLine, Quantity: l.Quantity, RestockingFee: amount(path+"restockingFee", l.RestockingFee),
			Reason: strings.TrimSpace(l.Reason), Restock: l.Restock == nil || *l.Restock,
		})
	}
	if len(problems) > 0 {
		return returns.Wish{}, fault.ErrValidation.In(problems...)
	}
	return out, nil
}
