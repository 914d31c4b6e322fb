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

// authorized is the session whose intent a request is about, if that waits for its capture; else nil, and the refusal.
func (f *Stripe) authorized(r *http.Request) (c *Session, status int, refusal any) {
	c = f.find(func(c *Session) bool {
		return c.Intent == r.PathValue("id") && c.Intent != "" && c.Account == accountOf(r)
	})
	switch {
	case c == nil:
		status, refusal = notFound()
	case c.IntentStatus != "requires_capture":
		c, status, refusal = nil, 400, refuse("invalid_request_error", "payment_intent_unexpected_state")
	}
	return c, status, refusal
}

func (f *Stripe) capture(r *http.Request) (int, any) {
	c, status, refusal := f.authorized(r)
	if c == nil {
		return status, refusal
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

// cancelIntent refuses intents that nobody paid, too, which Stripe cancels: the adapter expires their session instead.
func (f *Stripe) cancelIntent(r *http.Request) (int, any) {
	c, status, refusal := f.authorized(r)
	if c == nil {
		return status, refusal
	}
	c.release()
	return http.StatusOK, f.fullIntent(c)
}

// release is what accounts with an older version of the API see: what is released counts as refunded.
func (c *Session) release() { c.IntentStatus, c.Refunded = "canceled", c.Total }

// Release ends the authorization of a session's payment, as Stripe does when its time is over.
func (f *Stripe) Release(session string) { f.ChangeSession(session, (*Session).release) }
