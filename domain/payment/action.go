package payment

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// AggregatorKinds are the kinds of session that an aggregator opens: on its own page, or by an action in the
// browser.
var AggregatorKinds = []string{string(Hosted), string(Standard)}

// ChannelCard is the only channel of a standard action.
const ChannelCard = "card"

// ViaAggregator reports whether an aggregator opens sessions of kind k; those are paid without a confirm by
// the server.
func (k Kind) ViaAggregator() bool { return slices.Contains(AggregatorKinds, string(k)) }

var countryForm = regexp.MustCompile(`^[A-Z]{2}$`)

// Check refuses an aggregator's action that lacks a field of its kind, or has one of the other kind: a hosted
// page needs exactly one method, a standard action one channel. URLs are not checked. Errors:
// fault.ErrValidation with field names as callers know them. Rules payments-10, payments-11.
func (a Action) Check() error {
	var problems []fault.Field
	problem := func(field, message string) { problems = append(problems, fault.Field{Field: field, Message: message}) }
	foreign := func(field, value string) {
		if value != "" {
			problem(field, "This field does not belong to "+string(a.Kind)+".")
		}
	}
	switch a.Kind {
	case Hosted:
		if !slices.Contains(Methods, a.Method) {
			problem("method", "This field takes exactly one of: "+strings.Join(Methods, ", ")+".")
		}
		if a.Country != "" && !countryForm.MatchString(a.Country) {
			problem("country", "This field takes an ISO 3166-1 alpha-2 code.")
		}
		foreign("channel", a.Channel)
	case Standard:
		if a.Channel != ChannelCard {
			problem("channel", "This field takes one of: "+ChannelCard+".")
		}
		foreign("method", a.Method)
		foreign("country", a.Country)
	default:
		problem("mode", "This field takes one of: "+strings.Join(AggregatorKinds, ", ")+".")
	}
	if len(problems) == 0 {
		return nil
	}
	return fault.ErrValidation.WithFields(problems...)
}

// CheckEnabled refuses an action that a connection does not support. A hosted page needs one of the
// connection's enabled methods; a standard action must give the currency as the constant for won, and needs
// no method for cards. Errors: ErrMethodDisabled, ErrNotConfigured. Rules payments-10, payments-11.
func (a Action) CheckEnabled(enabled []string, c money.Currency) error {
	switch {
	case a.Kind == Hosted && !slices.Contains(enabled, a.Method):
		return ErrMethodDisabled.WithData("method", a.Method)
	case a.Kind == Standard && c != "KRW":
		return ErrNotConfigured.WithMessage("A standard payment takes KRW only.")
	}
	return nil
}
