package tossfake

import (
	"regexp"
	"strings"
)

// RefundAccount is where the money of a virtual account goes back to. Fact toss-19.
type RefundAccount struct {
	Bank   string `json:"bank"`
	Number string `json:"accountNumber"`
	Holder string `json:"holderName"`
}

var bankCodePattern = regexp.MustCompile(`^[0-9A-Z]{2,3}$`)

// noAccount ends the numbers that no bank of the fake knows.
const noAccount = "000000"

// refusal is the code with which Toss refuses to refund a deposit to a, "" if it does not; refusedForm has checked its
// members. Fact toss-19.
func (a *RefundAccount) refusal() string {
	switch {
	case a == nil:
		return "INVALID_REFUND_ACCOUNT_INFO"
	case !bankCodePattern.MatchString(a.Bank):
		return "INVALID_BANK"
	case strings.HasSuffix(a.Number, noAccount):
		return "INVALID_REFUND_ACCOUNT_NUMBER"
	}
	return ""
}
