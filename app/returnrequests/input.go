package returnrequests

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// Input is a requested return. Amounts are exact decimal strings in major units of the order's currency, ""
// when omitted.
type Input struct {
	Order                 string
	Lines                 []LineInput
	ReturnShippingFee     collection.JSONNumber
	InitialShippingRefund collection.JSONNumber
	AuditNote             string
	RefundAccount         *payment.RefundAccount // where the money goes, as in refunds.Request; nil if nobody said so far
}

// LineInput is units of an order line.
type LineInput struct {
	OrderLine     string
	Quantity      int64
	RestockingFee collection.JSONNumber
	Reason        string
	Restock       *bool // nil: yes
}

// rejectStaffFields refuses the fields that customers may not enter.
func (w Input) rejectStaffFields() error {
	var problems []fault.Field
	set := func(field string, is bool) {
		if is {
			problems = append(problems, fault.Field{Field: field, Message: "Only the shop may set this."})
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
		return fault.ErrValidation.WithFields(problems...)
	}
	return nil
}

// parse is w in the currency of its order. byPolicy has the order's policy fill in the amounts. Errors:
// fault.ErrValidation.
func (w Input) parse(currency money.Currency, byPolicy bool) (returns.Input, error) {
	var problems []fault.Field
	amount := func(field string, text collection.JSONNumber) money.Money {
		if text == "" {
			return money.Of(0, currency)
		}
		m, err := money.Parse(string(text), currency)
		if err != nil {
			problems = append(problems, fault.Field{Field: field, Message: fault.From(err).Message})
		}
		return money.Of(m.Minor, currency)
	}
	out := returns.Input{
		ReturnShippingFee:     amount("returnShippingFee", w.ReturnShippingFee),
		InitialShippingRefund: amount("initialShippingRefundAmount", w.InitialShippingRefund),
		UsePolicy:             byPolicy, AuditNote: strings.TrimSpace(w.AuditNote),
	}
	for i, l := range w.Lines {
		path := "lines." + strconv.Itoa(i) + "."
		out.Lines = append(out.Lines, returns.Line{
			OrderLine: l.OrderLine, Quantity: l.Quantity, RestockingFee: amount(path+"restockingFee", l.RestockingFee),
			Reason: strings.TrimSpace(l.Reason), Restock: l.Restock == nil || *l.Restock,
		})
	}
	if len(problems) > 0 {
		return returns.Input{}, fault.ErrValidation.WithFields(problems...)
	}
	return out, nil
}
