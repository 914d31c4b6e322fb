package bank

import (
	"net/http"
	"regexp"
)

// refundAccount is the account of a buyer that a virtual account's money goes back to. It is checked and not kept: no money
// moves here.
type refundAccount struct {
	Bank   string `json:"bank"`
	Number string `json:"accountNumber"`
	Holder string `json:"holder"`
}

var errNoRefundAccount = refuse(http.StatusBadRequest, "REFUND_ACCOUNT_REQUIRED",
	"The buyer paid by virtual account: refundAccount says where the money goes.")

var refundNumberPattern = regexp.MustCompile(`^[0-9]{1,20}$`)

// check refuses an account that no bank could pay to; none passes.
func (a *refundAccount) check() error {
	if a != nil && (a.Bank == "" || a.Holder == "" || !refundNumberPattern.MatchString(a.Number)) {
		return refuse(http.StatusBadRequest, "REFUND_ACCOUNT_INVALID", "refundAccount has bank, accountNumber (digits) and holder.")
	}
	return nil
}
