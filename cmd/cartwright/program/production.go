package program

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Requirements in production on secrets and on the networks of proxies.
const (
	minDistinctChars = 10 // distinct characters of a secret
	minPrefixV4      = 8  // bits: 10.0.0.0/8 is the largest private network
	minPrefixV6      = 7  // bits: fc00::/7 is the largest private network
	minMetricsToken  = 16
	placeholder      = "change-me"
)

// checkProduction refuses settings that are only acceptable in development. Rule running-1.
func (c Config) checkProduction() (problems []error) {
	fail := func(format string, args ...any) { problems = append(problems, problem(fmt.Sprintf(format, args...))) }
	if !strings.HasPrefix(c.PublicURL, "https://") {
		fail("CARTWRIGHT_PUBLIC_URL: production requires the https:// URL that clients use.")
	}
	for _, u := range []struct{ name, value string }{
		{"CARTWRIGHT_TOSS_URL", c.TossURL}, {"CARTWRIGHT_STRIPE_URL", c.StripeURL}, {"CARTWRIGHT_PORTONE_URL", c.PortOneURL},
	} {
		if u.value != "" && !strings.HasPrefix(u.value, "https://") {
			fail("%s: production requires https://.", u.name)
		}
	}
	if c.Playground == On {
		fail("CARTWRIGHT_PLAYGROUND: production does not serve GraphiQL; remove the setting.")
	}
	if c.SandboxURL != "" {
		fail("CARTWRIGHT_SANDBOX_URL: the sandbox provider is not available in production; remove the setting.")
	}
	if c.BurstPerMinute == 0 {
		fail("CARTWRIGHT_BURST_PER_MINUTE: production requires a burst limit; remove the setting for the default of %d, or set a high number.",
			defaults().BurstPerMinute)
	}
	if c.Failpoint != "" {
		fail("CARTWRIGHT_FAILPOINT: failpoints are not allowed in production; remove the setting.")
	}
	if c.MetricsToken != "" && len(c.MetricsToken) < minMetricsToken {
		fail("CARTWRIGHT_METRICS_TOKEN: production requires at least %d characters; generate one with openssl rand -base64 32.", minMetricsToken)
	}
	if c.DebugAddress != "" && !isLoopback(c.DebugAddress) {
		fail("CARTWRIGHT_DEBUG_ADDR: a profile reveals memory contents; listen on 127.0.0.1, or remove the setting.")
	}
	for _, p := range c.TrustedProxies {
		if isTooWide(p) {
			fail("CARTWRIGHT_TRUSTED_PROXIES: %s lets almost anyone forge client addresses; name only the load balancers, such as 10.0.0.0/24.", p)
		}
	}
	return append(problems, c.checkSecrets()...)
}

// checkSecrets refuses weak and well-known secrets. It never repeats one. Rule running-18.
func (c Config) checkSecrets() (problems []error) {
	if len(c.Secrets) == 0 {
		problems = append(problems, problem("CARTWRIGHT_SECRETS: production requires secrets, such as 1:<32 or more random characters>."))
	}
	for i, s := range c.Secrets {
		_, secret, _ := strings.Cut(s, ":")
		switch {
		case strings.Contains(strings.ToLower(s), placeholder):
			problems = append(problems, problem("CARTWRIGHT_SECRETS: the example secret must be replaced."))
		case isGuessable(secret):
			problems = append(problems,
				problem(fmt.Sprintf("CARTWRIGHT_SECRETS: secret %d is not random enough; generate one with openssl rand -base64 32.", i+1)))
		}
	}
	for _, u := range []struct{ name, value string }{{"CARTWRIGHT_DATABASE_URL", c.Database}, {"CARTWRIGHT_REDIS_URL", c.Redis}} {
		if at, err := url.Parse(u.value); err == nil && at.User != nil {
			if password, _ := at.User.Password(); strings.Contains(strings.ToLower(password), placeholder) {
				problems = append(problems, problem(u.name+": the example password must be replaced."))
			}
		}
	}
	return problems
}

// isGuessable reports whether a secret has few distinct characters, repeats a shorter text, or mostly counts up or
// down as "abcdefgh" does. About one in twenty neighbors of random base64 do that, and one in five of random hex digits.
func isGuessable(secret string) bool {
	seen := map[byte]bool{}
	runs := 0
	for i := range len(secret) {
		seen[secret[i]] = true
		if i > 0 && max(secret[i], secret[i-1])-min(secret[i], secret[i-1]) <= 1 {
			runs++
		}
	}
	return len(seen) < minDistinctChars || runs > len(secret)/2 || repeats(secret)
}

// repeats reports whether a text is a shorter one, written twice or more; the last time may be cut short.
func repeats(text string) bool {
	for period := 1; period <= len(text)/2; period++ {
		if text[period:] == text[:len(text)-period] {
			return true
		}
	}
	return false
}

// isLoopback reports whether host:port is a loopback address.
func isLoopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// isTooWide reports whether a network is larger than the largest private network.
func isTooWide(network string) bool {
	p, err := netip.ParsePrefix(network)
	if err != nil {
		return false
	}
	if p.Addr().Is4() {
		return p.Bits() < minPrefixV4
	}
	return p.Bits() < minPrefixV6
}
