package stripefake

import (
	"cmp"
	"net/http"
	"slices"
)

// Dispute is a step of a dispute of a session's payment: of "needs_response", which withdraws the money, or
// "warning_needs_response", which does not, and then any other status; "won" reinstates what was withdrawn. Fact stripe-10.
func (f *Stripe) Dispute(session, status string) {
	f.ChangeSession(session, func(c *Session) {
		if len(c.Disputes) == 0 {
			c.Disputes = append(c.Disputes, map[string]any{
				"object": "dispute", "id": "dp_" + c.Intent, "amount": c.Received, "currency": c.Currency, "charge": "ch_" + c.Intent,
				"payment_intent": c.Intent, "reason": "product_not_received", "created": f.Now.Unix(), "livemode": f.Live,
				"evidence_details": map[string]any{"due_by": f.Now.Unix() + 7*24*60*60}, "balance_transactions": []any{},
			})
		}
		d := c.Disputes[len(c.Disputes)-1]
		d["status"] = status
		moved := d["balance_transactions"].([]any)
		switch {
		case status == "needs_response" && len(moved) == 0:
			d["balance_transactions"] = append(moved, movement(-c.Received))
		case status == "won" && len(moved) == 1:
			d["balance_transactions"] = append(moved, movement(c.Received-15)) // in the currency of the account, after exchange
		}
	})
}

func movement(amount int64) map[string]any {
	return map[string]any{"object": "balance_transaction", "amount": amount, "currency": "usd"}
}

func (f *Stripe) listDisputes(r *http.Request) (int, any) {
	data := []any{}
	intent := cmp.Or(r.Form.Get("payment_intent"), "none")
	if c := f.find(func(c *Session) bool { return c.Intent == intent && c.Account == accountOf(r) }); c != nil {
		for _, d := range slices.Backward(c.Disputes) { // the newest first
			data = append(data, d)
		}
	}
	return http.StatusOK, map[string]any{"object": "list", "data": data, "has_more": false}
}
