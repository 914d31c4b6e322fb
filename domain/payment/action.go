package payment

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Modes are the kinds of session that a provider's aggregator opens: on its own page, or by an action of the browser.
var Modes = []string{string(Hosted), string(Standard)}

// Card is the one channel of a standard action.
const Card = "card"

// Aggregated reports whether sessions of kind k are opened by an aggregator: they are paid without a confirm of ours.
func (k Kind) Aggregated() bool { return slices.Contains(Modes, string(k)) }

var countryForm = regexp.MustCompile(`^[A-Z]{2}$`)

// Check refuses an aggregator's action that leaves out what its mode needs, or has what belongs to the other mode: exactly
// one method for a hosted page, one channel for a standard action. Addresses are not looked at. Errors:
// fault.ErrValidation naming the members as callers know them. Spec 4.6, Contract 8.
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
		if a.Channel != Card {
			problem("channel", "This field takes one of: "+Card+".")
		}
		foreign("method", a.Method)
		foreign("country", a.Country)
	default:
		problem("mode", "This field takes one of: "+strings.Join(Modes, ", ")+".")
	}
	if len(problems) == 0 {
		return nil
	}
	return fault.ErrValidation.In(problems...)
}

// Allowed refuses an action that an account does not take: a hosted page asks for one of the methods that are enabled on it;
// a standard action says its currency as the constant of won. A card of a standard action needs no method. Errors:
// ErrMethodDisabled, ErrNotConfigured. Spec 4.6, Contract 13 "Payments".
func (a Action) Allowed(enabled []string, c money.Currency) error {
	switch {
	case a.Kind == Hosted && !slices.Contains(enabled, a.Method):
		return ErrMethodDisabled.With("method", a.Method)
	case a.Kind == Standard && c != "KRW":
		return ErrNotConfigured.Saying("A standard payment takes KRW only.")
	}
	return nil
}
