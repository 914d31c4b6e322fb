package stripefake

import "net/url"

// BadForm is a POST that Stripe's own description of its API refuses.
type BadForm struct {
	Path string
	Form url.Values
}

// GoodSession is the form of a session that Stripe takes.
func GoodSession() url.Values {
	const line = "line_items[0]"
	return url.Values{
		"mode": {"payment"}, "success_url": {"https://shop.example/thanks"}, line + "[quantity]": {"1"}, line + "[price_data][currency]": {"krw"},
		line + "[price_data][unit_amount]": {"15000"}, line + "[price_data][product_data][name]": {"Tea"},
	}
}

// With is a form with a parameter set, or removed where value is "".
func With(form url.Values, name, value string) url.Values {
	form.Set(name, value)
	if value == "" {
		form.Del(name)
	}
	return form
}

// BadForms are the rows of CHECKS.md that are marked stripe-mock, for the intent of a payment and a session.
func BadForms(intent, session string) map[string]BadForm {
	const sessions, line = "/v1/checkout/sessions", "line_items[0][price_data]"
	refund := func(name, value string) BadForm {
		return BadForm{"/v1/refunds", With(url.Values{"payment_intent": {intent}, "amount": {"5000"}}, name, value)}
	}
	return map[string]BadForm{
		"session: a parameter that Stripe does not know": {sessions, With(GoodSession(), "amount", "15000")},
		"session: a mode that there is not":              {sessions, With(GoodSession(), "mode", "pay")},
		"session: a line without its currency":           {sessions, With(GoodSession(), line+"[currency]", "")},
		"session: a line without its name": {sessions, With(With(GoodSession(), line+"[product_data][name]", ""),
			line+"[product_data][description]", "green")},
		"session: an amount with a fraction":             {sessions, With(GoodSession(), line+"[unit_amount]", "15000.5")},
		"expire: a parameter that Stripe does not know":  {sessions + "/" + session + "/expire", url.Values{"reason": {"late"}}},
		"capture: an amount with a fraction":             {"/v1/payment_intents/" + intent + "/capture", url.Values{"amount_to_capture": {"50.5"}}},
		"capture: a parameter that Stripe does not know": {"/v1/payment_intents/" + intent + "/capture", url.Values{"amount": {"5000"}}},
		"cancel: a reason that there is not":             {"/v1/payment_intents/" + intent + "/cancel", url.Values{"cancellation_reason": {"late"}}},
		"refund: an amount with a fraction":              refund("amount", "50.5"),
		"refund: a reason that there is not":             refund("reason", "unloved"),
		"refund: a parameter that Stripe does not know":  refund("sum", "5000"),
	}
}
