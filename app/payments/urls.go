package payments

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const maxURL = 2048

// returnURL is one URL that the shopper's browser will be sent to, and the field of the input that has it.
type returnURL struct{ field, raw string }

// returnURLs are the URLs of an action.
func returnURLs(a payment.Action) []returnURL {
	switch {
	case a.Kind == payment.Widget:
		return []returnURL{{"successUrl", a.SuccessURL}, {"failUrl", a.FailURL}}
	case a.Kind.ViaAggregator():
		return []returnURL{{"redirectUrl", a.SuccessURL}}
	}
	return nil
}

// checkURLs refuses values that are no URL, and URLs that contain the caller's checkout token, because URLs
// end up in histories and logs. Errors: fault.ErrValidation naming the fields. Rule payments-12.
func checkURLs(c idempotency.Call, a payment.Action) error {
	return eachURL(a, func(raw string) string {
		switch _, ok := parseWebURL(raw); {
		case raw == "":
			return "This field is required."
		case !ok:
			return "This field takes a web address of at most " + strconv.Itoa(maxURL) + " characters, without a user name."
		case c.CheckoutToken != "" && strings.Contains(raw, c.CheckoutToken):
			return "Do not put the checkout token into a URL."
		}
		return ""
	})
}

// checkURLOrigins refuses URLs of a site that the shopper must not be sent to: its origin must be among the
// tenant's allowed origins; a tenant without any allows every https origin, and in test http on this machine.
// Errors: fault.ErrValidation naming the fields. Rule payments-12.
func checkURLOrigins(p tenant.Principal, a payment.Action) error {
	return eachURL(a, func(raw string) string {
		u, _ := parseWebURL(raw)
		switch allowed := p.Tenant.AllowedOrigins; {
		case len(allowed) > 0 && !slices.ContainsFunc(allowed, func(o string) bool { return sameOrigin(o, u) }):
			return "The site is not among the tenant's allowed origins."
		case len(allowed) == 0 && u.Scheme == "http" && (p.Environment != tenant.Test || !isLoopback(u.Hostname())):
			return "This field takes an https address."
		}
		return ""
	})
}

func eachURL(a payment.Action, problem func(raw string) string) error {
	var problems []fault.Field
	for _, u := range returnURLs(a) {
		if message := problem(u.raw); message != "" {
			problems = append(problems, fault.Field{Field: u.field, Message: message})
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return fault.ErrValidation.WithFields(problems...)
}

// parseWebURL reads an http or https URL that every parser reads the same way: no user, no character that
// browsers drop or replace, an ASCII host.
func parseWebURL(raw string) (*url.URL, bool) {
	if len(raw) > maxURL || strings.ContainsFunc(raw, isUnsafeRune) {
		return nil, false
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Hostname() == "" ||
		strings.ContainsFunc(u.Host, isInvalidHostRune) {
		return nil, false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, false
		}
	}
	return u, true
}

// isUnsafeRune reports spaces, control and format characters, the backslash, which browsers read as a slash,
// and invalid UTF-8.
func isUnsafeRune(r rune) bool {
	return r <= ' ' || r == '\\' || r >= 0x7f && r <= 0xa0 || r == 0xad || r >= 0x2000 && r <= 0x200f ||
		r >= 0x2028 && r <= 0x202f || r >= 0x205f && r <= 0x206f || r == 0x3000 || r == 0xfeff || r == 0xfffd
}

func isInvalidHostRune(r rune) bool { return r == '%' || r > '~' }

// sameOrigin reports whether u is of a listed origin. The default port may be left out in either.
func sameOrigin(listed string, u *url.URL) bool {
	o, err := url.Parse(strings.TrimSuffix(listed, "/"))
	return err == nil && o.Scheme == u.Scheme && strings.EqualFold(o.Hostname(), u.Hostname()) && portOf(o) == portOf(u)
}

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return strings.TrimLeft(port, "0")
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || host == "127.0.0.1" || host == "::1"
}
