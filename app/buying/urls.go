package buying

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const maxURL = 2048

// returnURL is one address that the shopper's browser will be sent to, by the name its caller knows.
type returnURL struct{ field, raw string }

// returnURLs are the addresses of an action.
func returnURLs(a payment.Action) []returnURL {
	switch {
	case a.Kind == payment.Widget:
		return []returnURL{{"successUrl", a.SuccessURL}, {"failUrl", a.FailURL}}
	case a.Kind.Aggregated():
		return []returnURL{{"redirectUrl", a.SuccessURL}}
	}
	return nil
}

// checkForm refuses addresses that are none, whoever asks, and the caller's capability in one: addresses end up in
// histories and logs. Errors: fault.ErrValidation naming the members. Contract 8.
func checkForm(c once.Call, a payment.Action) error {
	return eachURL(a, func(raw string) string {
		switch _, ok := webAddress(raw); {
		case raw == "":
			return "This field is required."
		case !ok:
			return "This field takes a web address of at most " + strconv.Itoa(maxURL) + " characters, without a user's name."
		case c.CheckoutToken != "" && strings.Contains(raw, c.CheckoutToken):
			return "The checkout's token does not belong into an address."
		}
		return ""
	})
}

// checkOrigins refuses addresses on a site the shopper must not be sent to: its origin is one the tenant allows, or when it
// lists none any https one, and http on this machine in test. Errors: fault.ErrValidation naming the members. Contract 8.
func checkOrigins(p tenant.Principal, a payment.Action) error {
	return eachURL(a, func(raw string) string {
		u, _ := webAddress(raw)
		switch allowed := p.Tenant.AllowedOrigins; {
		case len(allowed) > 0 && !slices.ContainsFunc(allowed, func(o string) bool { return sameOrigin(o, u) }):
			return "The site is not among the tenant's allowed origins."
		case len(allowed) == 0 && u.Scheme == "http" && (p.Environment != tenant.Test || !loopback(u.Hostname())):
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
	return fault.ErrValidation.In(problems...)
}

// webAddress reads an http or https address that every reader takes for the same: no user, nothing that browsers drop or
// turn into something else, a host of ASCII.
func webAddress(raw string) (*url.URL, bool) {
	if len(raw) > maxURL || strings.ContainsFunc(raw, unprintable) {
		return nil, false
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Hostname() == "" || strings.ContainsFunc(u.Host, notOfHosts) {
		return nil, false
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, false
		}
	}
	return u, true
}

// unprintable are blanks, control and format characters, those that browsers read as a slash, and what was no text.
func unprintable(r rune) bool {
	return r <= ' ' || r == '\\' || r >= 0x7f && r <= 0xa0 || r == 0xad || r >= 0x2000 && r <= 0x200f ||
		r >= 0x2028 && r <= 0x202f || r >= 0x205f && r <= 0x206f || r == 0x3000 || r == 0xfeff || r == 0xfffd
}

func notOfHosts(r rune) bool { return r == '%' || r > '~' }

// sameOrigin reports whether u is of a listed origin. Browsers leave the usual port out.
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

func loopback(host string) bool {
	return strings.EqualFold(host, "localhost") || host == "127.0.0.1" || host == "::1"
}
