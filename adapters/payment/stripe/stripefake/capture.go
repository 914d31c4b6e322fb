package stripefake

import (
	"net/http"
	"strconv"
	"time"
)

// holdsFor is how long an authorized card payment is held. Fact stripe-14.
const holdsFor = 7 * 24 * time.Hour

// manual reports whether the shop asked for a payment that is captured later.
func (c *Session) manual() bool { return c.Form.Get("payment_intent_data[capture_method]") == "manual" }

// ofIntent is the session whose intent a request is about; nil if the account has none.
func (f *Stripe) ofIntent(r *http.Request) *Session {
	return f.find(func(c *Session) bool {
		return c.Intent == r.PathValue("id") && c.Intent != "" && c.Account == accountOf(r)
	})
}

func (f *Stripe) capture(r *http.Request) (int, any) {
	c := f.ofIntent(r)
	switch {
	case c == nil:
		return notFound()
	case c.IntentStatus != "requires_capture":
		return 400, refuse("invalid_request_error", "payment_intent_unexpected_state")
	}
	amount := c.Total
	if given := r.PostForm.Get("amount_to_capture"); given != "" {
		amount, _ = strconv.ParseInt(given, 10, 64) // refuseForm has checked it
	}
	switch {
	case amount <= 0:
		return 400, refuse("invalid_request_error", "parameter_invalid_integer")
	case amount > c.Total:
		return 400, refuse("invalid_request_error", "amount_too_large")
	}
	c.Received, c.IntentStatus, c.PaymentStatus = amount, "succeeded", "paid"
	return http.StatusOK, f.fullIntent(c)
}

// cancelIntent also serves intents that nobody paid, which the adapter never cancels: their session is expired instead.
func (f *Stripe) cancelIntent(r *http.Request) (int, any) {
	c := f.ofIntent(r)
	switch {
	case c == nil:
		return notFound()
	case c.IntentStatus != "requires_capture":
		return 400, refuse("invalid_request_error", "payment_intent_unexpected_state")
	}
	c.IntentStatus, c.Refunded = "canceled", c.Total // as accounts with an older version of the API see it
	return http.StatusOK, f.fullIntent(c)
}

// Release ends the authorization of a session's payment, as Stripe does when its time is over.
func (f *Stripe) Release(session string) {
	f.ChangeSession(session, func(c *Session) { c.IntentStatus, c.Refunded = "canceled", c.Total })
}
