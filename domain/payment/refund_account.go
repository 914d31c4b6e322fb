package payment

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// RefundAccount is a buyer's bank account for a refund that cannot go back to where the money came from. Rule
// payments-59. It is confidential: printed, it shows its last digits alone.
type RefundAccount struct {
	Bank    string // its code, as the provider of the payment writes it: "88", "SHINHAN"
	Account string // number: digits
	Holder  string // in whose name it is
}

// What an account has at most: characters of the bank's code and the holder's name, digits of its number. Fact toss-19.
const (
	MaxRefundBank    = 40
	MaxRefundAccount = 20
	MaxRefundHolder  = 60
)

// ErrRefundAccountRequired refuses a refund without an account of a payment that cannot be refunded to where it came from.
var ErrRefundAccountRequired = fault.New(fault.Unprocessable, "refund_account_required",
	"This payment can only be refunded to a bank account of the buyer: name it in refundAccount.")

// RefundAccountFields declare a RefundAccount as input.
var RefundAccountFields = []collection.Field{
	{
		Name: "bank", Kind: collection.Text, Required: true, MaxLength: MaxRefundBank,
		Doc: "Code of the bank, as the payment's provider writes it: GET /payment-providers lists them where the provider publishes them all.",
	},
	{
		Name: "account", Kind: collection.Text, Required: true, MaxLength: 2 * MaxRefundAccount,
		Doc: "Number of the account: at most 20 digits; dashes and spaces are left out.",
	},
	{Name: "holder", Kind: collection.Text, Required: true, MaxLength: MaxRefundHolder, Doc: "In whose name the account is."},
}

var bankForm = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// Normalize is a without spaces around its parts, and without the spaces and dashes of its number.
func (a RefundAccount) Normalize() RefundAccount {
	return RefundAccount{Bank: strings.TrimSpace(a.Bank), Holder: strings.TrimSpace(a.Holder), Account: withoutSeparators(a.Account)}
}

// withoutSeparators is a number without the spaces and dashes with which people write it.
func withoutSeparators(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
			return -1
		}
		return r
	}, number)
}

// Problems are what is wrong with the parts of a, which is normalized; none quotes it.
func (a RefundAccount) Problems() (problems []fault.Field) {
	check := func(field, value string, wrong bool, message string) {
		switch {
		case value == "":
			problems = append(problems, fault.Field{Field: field, Message: "This field is required."})
		case wrong:
			problems = append(problems, fault.Field{Field: field, Message: message})
		}
	}
	check("bank", a.Bank, !bankForm.MatchString(a.Bank) || len(a.Bank) > MaxRefundBank,
		"This field takes the code of a bank: letters, digits and _.")
	notDigit := func(r rune) bool { return r < '0' || r > '9' }
	check("account", a.Account, strings.ContainsFunc(a.Account, notDigit) || len(a.Account) > MaxRefundAccount,
		"This field takes at most "+strconv.Itoa(MaxRefundAccount)+" digits.")
	check("holder", a.Holder, strings.ContainsFunc(a.Holder, unicode.IsControl) || utf8.RuneCountInString(a.Holder) > MaxRefundHolder,
		"This field takes at most "+strconv.Itoa(MaxRefundHolder)+" characters on one line.")
	return problems
}

// Ending is the last four digits of the number, by which its owner knows it; "" if there are hardly more.
func (a RefundAccount) Ending() string {
	const shown, hidden = 4, 3
	if len(a.Account) < shown+hidden {
		return ""
	}
	return a.Account[len(a.Account)-shown:]
}

// String implements fmt.Stringer, so that no log shows an account.
func (a RefundAccount) String() string { return "account …" + a.Ending() }

// GoString implements fmt.GoStringer, for the same reason.
func (a RefundAccount) GoString() string { return a.String() }
