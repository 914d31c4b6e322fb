package payment

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// CustomProvider is the provider of custom sessions and of manual payments: it has no adapter, and nobody can
// be asked about its payments.
const CustomProvider = "custom"

// Provider describes a payment provider: which payments its adapter takes, and what a connection needs. The
// schema of connections, the documentation, `cartwright doctor` and GET /payment-providers are made from it.
// Rule payments-35.
type Provider struct {
	Name        string // in records: lower-case letters and digits, "toss"
	Title       string // for people: "Toss Payments"
	Account     string // what a connection's account key is there: "MID"
	Kinds       []Kind
	Methods     []string // of Methods, that its hosted page can be opened for; none without hosted sessions
	Credentials []Credential
	// SignsWebhooks: a connection needs the secret that signs its webhooks, or they are refused.
	SignsWebhooks bool
	Currencies    []money.Currency // that it takes; nil: it decides by account
	Limits        Limits
	// CapturesLater: payments can be authorized at checkout and captured, in part or whole, or voided afterwards.
	CapturesLater bool
	// RefundAccounts are the payments whose refunds go to a bank account that the buyer names.
	RefundAccounts RefundAccounts
	// TaxFree are the kinds of session at which the provider is told which part of a payment, and of its refunds, has no
	// value added tax; elsewhere it takes all of it as taxed.
	TaxFree []Kind
	// CashReceipts are the kinds of session at which the provider is told which cash receipt the buyer asks for.
	CashReceipts []Kind
	// VATCountry is the country, ISO 3166-1 alpha-2, whose value added tax in the rest of such a payment the provider is told, too; ""
	// where it works that out. VATPercent is what that tax is of a price without it, in whole percent, where the shop computes none.
	VATCountry string
	VATPercent int64
}

// Credential is one of the keys of an account that a connection has.
type Credential struct {
	Name   string // "secretKey"
	Doc    string // what it is, for the operator who looks for it
	Secret bool   // it never reaches a browser
	For    []Kind // the kinds of session that need it; nil: it is optional
	// Form is a regular expression that all of a value has to match; nil: any value is taken.
	Form *regexp.Regexp
	// Prefixes are what values begin with; nil: any.
	Prefixes []string
	// IsAccount: a value has to be the account key of the connection.
	IsAccount bool
}

// Limits are what a provider takes at most.
type Limits struct {
	OrderName    int // characters of the name of an order; 0: MaxOrderName
	RefundReason int // characters of the reason of a refund; 0: MaxRefundReason
	// MinPageLife and MaxPageLife bound how long a hosted page can be paid; a MaxPageLife of 0: the provider decides.
	MinPageLife, MaxPageLife time.Duration
}

// PageEnd is until when a hosted page that is opened at now shall be payable: until the reservation ends, as far as the
// provider can, so that money comes late by minutes at most. Zero: the provider decides. Rule payments-55.
func (l Limits) PageEnd(reservation, now time.Time) time.Time {
	if l.MaxPageLife == 0 {
		return time.Time{}
	}
	return now.Add(min(max(reservation.Sub(now), l.MinPageLife), l.MaxPageLife))
}

// RefundAccounts are the payments that are refunded to a bank account of the buyer. The zero value: none, refunds go back
// to where the money came from, or the provider asks the buyer itself.
type RefundAccounts struct {
	// Required are the methods, in the provider's words, that are not refunded without an account. So are payments with
	// Instructions, if there is any such method.
	Required []string
	Accepted []string // methods that are refunded to an account if one is given
	Banks    []string // codes of the banks; nil: the provider does not publish them all
}

// What every provider takes: characters of the name of an order, and of the reason of a refund.
const (
	MaxOrderName    = 100
	MaxRefundReason = 200
)

// providerName is the form of a provider's name.
var providerName = regexp.MustCompile(`^[a-z][a-z0-9]{1,31}$`)

// CheckProviders refuses descriptions of which no collections can be made: a name that is malformed, taken or that
// of CustomProvider, no title, account or kind, and a kind or method that there is not. The error names the provider.
func CheckProviders(all []Provider) error {
	taken := map[string]bool{CustomProvider: true}
	for _, p := range all {
		switch {
		case !providerName.MatchString(p.Name):
			return fmt.Errorf("the payment provider %q needs a name of 2 to 32 lower-case letters and digits", p.Name)
		case taken[p.Name]:
			return fmt.Errorf("there are two payment providers %q", p.Name)
		case p.Title == "" || p.Account == "" || len(p.Kinds) == 0:
			return fmt.Errorf("the payment provider %q needs a title, the name of its account key, and a kind of session", p.Name)
		case slices.ContainsFunc(p.Kinds, func(k Kind) bool { return k != Widget && !k.ViaAggregator() }):
			return fmt.Errorf("the payment provider %q has a kind of session that there is not: %s", p.Name, joinKinds(p.Kinds))
		case slices.ContainsFunc(p.Methods, func(m string) bool { return !slices.Contains(Methods, m) }):
			return fmt.Errorf("the payment provider %q has a method that there is not: %s", p.Name, strings.Join(p.Methods, ", "))
		case slices.ContainsFunc(p.TaxFree, func(k Kind) bool { return !p.Supports(k) }):
			return fmt.Errorf("the payment provider %q is told tax-free parts at kinds of session that it does not have: %s", p.Name, joinKinds(p.TaxFree))
		case slices.ContainsFunc(p.CashReceipts, func(k Kind) bool { return !p.Supports(k) }):
			return fmt.Errorf("the payment provider %q is told cash receipts at kinds of session that it does not have: %s", p.Name, joinKinds(p.CashReceipts))
		case p.Supports(Hosted) != (len(p.Methods) > 0):
			return fmt.Errorf("the payment provider %q needs methods for hosted sessions, and for no others", p.Name)
		}
		taken[p.Name] = true
	}
	return nil
}

// Supports reports whether sessions of a kind can be opened at p.
func (p Provider) Supports(k Kind) bool { return slices.Contains(p.Kinds, k) }

// RefundAccountOf is the account that a refund of s's payment is sent with: given, or nil where the provider takes none.
// Errors: ErrRefundAccountRequired, fault.ErrValidation for a bank that the provider does not have.
func (p Provider) RefundAccountOf(s Session, given *RefundAccount) (*RefundAccount, error) {
	a := p.RefundAccounts
	required := len(a.Required) > 0 && (s.Instructions != nil || slices.Contains(a.Required, s.PaymentMethod()))
	switch {
	case !required && !slices.Contains(a.Accepted, s.PaymentMethod()):
		return nil, nil
	case given == nil && required:
		return nil, ErrRefundAccountRequired
	case given != nil && a.Banks != nil && !slices.Contains(a.Banks, given.Bank):
		return nil, fault.Invalidf("refundAccount.bank", "%s has no bank with this code. GET /payment-providers lists its banks.", p.Title)
	}
	return given, nil
}

// Missing names the credentials that sessions of a kind need and that are not given.
func (p Provider) Missing(k Kind, given map[string]string) (names []string) {
	for _, c := range p.Credentials {
		if slices.Contains(c.For, k) && given[c.Name] == "" {
			names = append(names, c.Name)
		}
	}
	return names
}

// Malformed says of each given credential what is wrong with its form, in the order of p.Credentials. accountKey is that
// of the connection. Fields: "credentials.<name>".
func (p Provider) Malformed(accountKey string, given map[string]string) (problems []fault.Field) {
	for _, c := range p.Credentials {
		value, problem := given[c.Name], ""
		switch {
		case value == "":
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
			problem = "This has a line break or another character that no credential has."
		case c.Prefixes != nil && !slices.ContainsFunc(c.Prefixes, func(p string) bool { return strings.HasPrefix(value, p) }):
			problem = "This field takes a value that begins with " + strings.Join(c.Prefixes, " or ") + "."
		case c.Form != nil && c.Form.FindString(value) != value:
			problem = "This is not " + c.Doc + "."
		case c.IsAccount && value != accountKey:
			problem = "This has to be the connection's accountKey."
		}
		if problem != "" {
			problems = append(problems, fault.Field{Field: "credentials." + c.Name, Message: problem})
		}
	}
	return problems
}

// CheckCredentials refuses credentials that p does not know or whose form is wrong, and those with which no session can be
// opened. accountKey is that of the connection. Errors: fault.ErrValidation with the fields "credentials.<name>".
func (p Provider) CheckCredentials(accountKey string, given map[string]string) error {
	problems := p.Malformed(accountKey, given)
	var known []string
	for _, c := range p.Credentials {
		known = append(known, c.Name)
	}
	for name := range given {
		if !slices.Contains(known, name) {
			problems = append(problems, fault.Field{
				Field: "credentials." + name, Message: fmt.Sprintf("%s has no such credential. It has: %s.", p.Title, strings.Join(known, ", ")),
			})
		}
	}
	usable := slices.ContainsFunc(p.Kinds, func(k Kind) bool { return len(p.Missing(k, given)) == 0 })
	if !usable {
		for _, name := range p.Missing(p.Kinds[0], given) {
			problems = append(problems, fault.Field{Field: "credentials." + name, Message: "This field is required."})
		}
	}
	if len(problems) == 0 {
		return nil
	}
	slices.SortFunc(problems, func(a, b fault.Field) int { return strings.Compare(a.Field, b.Field) })
	return fault.ErrValidation.WithFields(problems...)
}

// CheckCapture refuses to capture payments of p later if it cannot. Errors: fault.ErrValidation.
func (p Provider) CheckCapture(m checkout.CaptureMode) error {
	if m.Later() && !p.CapturesLater {
		return fault.Invalidf("capture", "%s collects the money with the approval: this field takes %s.", p.Title, checkout.CaptureAtOnce)
	}
	return nil
}

// describe tells operators which credentials p has.
func (p Provider) describe() string {
	all := make([]string, 0, len(p.Credentials))
	for _, c := range p.Credentials {
		need := "optional"
		if len(c.For) > 0 {
			need = "for " + joinKinds(c.For)
		}
		all = append(all, fmt.Sprintf("%s (%s; %s)", c.Name, c.Doc, need))
	}
	return p.Name + ": " + strings.Join(all, ", ")
}

func joinKinds(kinds []Kind) string {
	all := make([]string, len(kinds))
	for i, k := range kinds {
		all[i] = string(k)
	}
	return strings.Join(all, " and ")
}
