package operation

import (
	"maps"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// refundAccountName is the input that names an account of the buyer. It is confidential.
const refundAccountName = "refundAccount"

// refundAccountInput declares it; when says of which refunds.
func refundAccountInput(when string) collection.Field {
	return collection.Field{
		Name: refundAccountName, Kind: collection.Group, Fields: payment.RefundAccountFields,
		Doc: "Bank account of the buyer. " + when + " Kept encrypted, and only until the money is on its way; never shown.",
	}
}

// onlyForRefunds is when an operation that refunds takes an account.
const onlyForRefunds = "Required where the buyer paid by virtual account, which takes money only; other payments go back to where they came from."

// readRefundAccount reads the input that refundAccountInput declares, nil when it is missing.
func readRefundAccount(in *Input) (account *payment.RefundAccount) {
	in.Object(refundAccountName, func(in *Input) {
		a := payment.RefundAccount{Bank: in.Text("bank"), Account: in.Text("account"), Holder: in.Text("holder")}.Normalize()
		if !in.faultless() {
			return
		}
		in.addProblems(a.Problems())
		account = &a
	})
	return account
}

// withoutAccount is a request's input as its fingerprint has it, which is stored. Without a key no request is compared with
// it.
func withoutAccount(input map[string]any, key string) map[string]any {
	account, given := input[refundAccountName]
	if !given {
		return input
	}
	out := maps.Clone(input)
	delete(out, refundAccountName)
	if key != "" {
		out[refundAccountName] = idempotency.HashUnder(key, account)
	}
	return out
}
