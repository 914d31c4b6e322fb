package buying

import (
	"net/url"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const maxURL = 2048

// checkURL refuses an address the shopper must not be sent to: its origin is one the tenant allows, or when it lists none
// any https one, and http on this machine in test. Errors: fault.ErrValidation naming field. Contract 8.
func checkURL(field, raw string, p tenant.Principal) error {
	u, err := url.Parse(raw)
	switch {
	case raw == "":
		return fault.Invalidf(field, "This field is required.")
	case err != nil || len(raw) > maxURL || strings.ContainsFunc(raw, unprintable) || u.Host == "" || u.Hostname() == "" || u.User != nil:
		return fault.Invalidf(field, "This field takes a web address without user name.")
	case u.Scheme != "https" && u.Scheme != "http":
		return fault.Invalidf(field, "This field takes an https address.")
	}
	origin := strings.ToLower(u.Scheme + "://" + u.Host)
	if allowed := p.Tenant.AllowedOrigins; len(allowed) > 0 {
		if !slices.ContainsFunc(allowed, func(o string) bool { return strings.EqualFold(strings.TrimSuffix(o, "/"), origin) }) {
			return fault.Invalidf(field, "The site is not among the tenant's allowed origins.")
		}
		return nil
	}
	if u.Scheme == "http" && (p.Environment != tenant.Test || !loopback(u.Hostname())) {
		return fault.Invalidf(field, "This field takes an https address.")
	}
	return nil
}

func unprintable(r rune) bool { return r <= ' ' || r == 0x7f || r >= 0x80 && r <= 0xa0 || r == '\\' }

func loopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }
