package stripefake

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

func (f *Stripe) refund(r *http.Request) (int, any) {
	intent := r.PostForm.Get("payment_intent")
	c := f.find(func(c *Session) bool { return c.Intent == intent && intent != "" && c.Account == accountOf(r) })
	switch {
	case intent == "":
		return 400, refuse("invalid_request_error", "parameter_missing")
	case c == nil:
		return notFound()
	}
	amount := c.Received - c.Refunded
	if given := r.PostForm.Get("amount"); given != "" {
		amount, _ = strconv.ParseInt(given, 10, 64) // refuseForm has checked it
	}
	switch {
	case c.Refunded == c.Received && c.Received > 0:
		return 400, refuse("invalid_request_error", "charge_already_refunded")
	case amount <= 0:
		return 400, refuse("invalid_request_error", "parameter_invalid_integer")
	case c.Method == "konbini" && cmp.Or(r.PostForm.Get("instructions_email"), c.Form.Get("customer_email")) == "": // Fact stripe-11
		return 400, refuse("invalid_request_error", "parameter_missing")
	case amount > c.Received-c.Refunded:
		return 400, refuse("invalid_request_error", "")
	}
	c.Refunded += amount
	metadata := map[string]any{}
	for name := range r.PostForm {
		if inner, ok := strings.CutPrefix(name, "metadata["); ok {
			metadata[strings.TrimSuffix(inner, "]")] = r.PostForm.Get(name)
		}
	}
	made := map[string]any{
		"object": "refund", "id": fmt.Sprintf("re_%d", len(f.Refunds)+1), "payment_intent": intent, "amount": amount,
		"currency": c.Currency, "status": "succeeded", "metadata": metadata, "balance_transaction": nil,
	}
	if c.Balance != nil {
		made["balance_transaction"] = balanceJSON(made["id"].(string), &Balance{c.Balance.Currency, -amount, 0})
	}
	if c.Method == "konbini" { // Fact stripe-11: it waits for what the buyer answers
		made["status"], made["instructions_email"] = "requires_action", r.PostForm.Get("instructions_email")
	}
	if f.DelayNextRefund {
		made["status"], f.DelayNextRefund = "pending", false
	}
	f.Refunds = append(f.Refunds, made)
	return http.StatusOK, made
}

// ConsoleRefund refunds a part of a session's payment in the dashboard: the refund has none of the shop's
// metadata.
func (f *Stripe) ConsoleRefund(session string, amount int64) {
	f.ChangeSession(session, func(c *Session) {
		r := &http.Request{
			Header:   http.Header{"Stripe-Account": {c.Account}},
			PostForm: url.Values{"payment_intent": {c.Intent}, "amount": {strconv.FormatInt(amount, 10)}},
		}
		if status, said := f.refund(r); status != http.StatusOK {
			panic(said)
		}
	})
}

// FinishRefunds finishes or fails the pending refunds of a session's payment, as the bank does.
func (f *Stripe) FinishRefunds(session string, succeeds bool) {
	f.ChangeSession(session, func(c *Session) {
		for _, one := range f.Refunds {
			switch {
			case one["payment_intent"] != c.Intent || one["status"] != "pending" && one["status"] != "requires_action":
			case succeeds:
				one["status"] = "succeeded"
			default:
				one["status"] = "failed"
				c.Refunded -= one["amount"].(int64)
			}
		}
	})
}

// listRefunds pages by two, newest first, as Stripe does by hundreds.
func (f *Stripe) listRefunds(r *http.Request) (int, any) {
	intent := r.Form.Get("payment_intent")
	ours := f.find(func(c *Session) bool { return c.Intent == intent && c.Account == accountOf(r) }) != nil
	var of []map[string]any
	for _, one := range slices.Backward(f.Refunds) {
		if ours && one["payment_intent"] == intent {
			of = append(of, one)
		}
	}
	if after := r.Form.Get("starting_after"); after != "" {
		of = of[slices.IndexFunc(of, func(one map[string]any) bool { return one["id"] == after })+1:]
	}
	return http.StatusOK, map[string]any{"object": "list", "data": of[:min(2, len(of))], "has_more": len(of) > 2}
}
