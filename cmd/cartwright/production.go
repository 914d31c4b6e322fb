package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// What production asks of a secret and of the networks of its proxies.
const (
	fewestLetters = 10 // different ones in a secret: fewer are a pattern
	widestV4      = 8  // bits: 10.0.0.0/8 is the largest network that is anybody's own
	widestV6      = 7  // bits: fc00::/7 is
	placeholder   = "change-me"
)

// checkProduction refuses what is only good enough on one's own machine. Contract 12.
func (c Config) checkProduction() (problems []error) {
	fail := func(format string, args ...any) { problems = append(problems, problem(fmt.Sprintf(format, args...))) }
	if !strings.HasPrefix(c.PublicURL, "https://") {
		fail("CARTWRIGHT_PUBLIC_URL: production needs the https:// address clients use.")
	}
	for _, u := range []struct{ name, value string }{
		{"CARTWRIGHT_TOSS_URL", c.TossURL}, {"CARTWRIGHT_STRIPE_URL", c.StripeURL}, {"CARTWRIGHT_PORTONE_URL", c.PortOneURL},
	} {
		if u.value != "" && !strings.HasPrefix(u.value, "https://") {
			fail("%s: production sends keys over https:// only.", u.name)
		}
	}
	if c.Playground == On {
		fail("CARTWRIGHT_PLAYGROUND: production does not serve GraphiQL; leave it away.")
	}
	if c.SandboxURL != "" {
		fail("CARTWRIGHT_SANDBOX_URL: production has no sandbox provider, it moves nobody's money; leave it away.")
	}
	if c.BurstPerMinute == 0 {
		fail("CARTWRIGHT_BURST_PER_MINUTE: production limits calls, registrations above all; leave it away for %d, or set a high number.", defaults().BurstPerMinute)
	}
	if c.Failpoint != "" {
		fail("CARTWRIGHT_FAILPOINT: production does not kill itself; leave it away.")
	}
	if c.DebugAddress != "" && !loopback(c.DebugAddress) {
		fail("CARTWRIGHT_DEBUG_ADDR: a profile tells what a server holds in memory; listen on 127.0.0.1, or leave it away.")
	}
	for _, p := range c.TrustedProxies {
		if tooWide(p) {
			fail("CARTWRIGHT_TRUSTED_PROXIES: %s trusts everybody to say who they are; name the balancers, such as 10.0.0.0/24.", p)
		}
	}
	return append(problems, c.checkSecrets()...)
}

// checkSecrets refuses secrets that others know or guess. It never repeats one.
func (c Config) checkSecrets() (problems []error) {
	if len(c.Secrets) == 0 {
		problems = append(problems, problem("CARTWRIGHT_SECRETS: production needs its own secrets, such as 1:<32 or more random characters>."))
	}
	for i, s := range c.Secrets {
		_, secret, _ := strings.Cut(s, ":")
		switch {
		case strings.Contains(strings.ToLower(s), placeholder):
			problems = append(problems, problem("CARTWRIGHT_SECRETS: the example secret is still in place."))
		case fewDifferent(secret):
			problems = append(problems, problem(fmt.Sprintf("CARTWRIGHT_SECRETS: item %d is a pattern, not random; openssl rand -base64 32 makes a good one.", i+1)))
		}
	}
	for _, u := range []struct{ name, value string }{{"CARTWRIGHT_DATABASE_URL", c.Database}, {"CARTWRIGHT_REDIS_URL", c.Redis}} {
		if at, err := url.Parse(u.value); err == nil && at.User != nil {
			if password, _ := at.User.Password(); strings.Contains(strings.ToLower(password), placeholder) {
				problems = append(problems, problem(u.name+": the example password is still in place."))
			}
		}
	}
	return problems
}

func fewDifferent(secret string) bool {
	seen := map[rune]bool{}
	for _, r := range secret {
		seen[r] = true
	}
	return len(seen) < fewestLetters
}

// loopback reports whether host:port is an address of this machine alone.
func loopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// tooWide reports whether a network holds more than anybody's own machines.
func tooWide(network string) bool {
	p, err := netip.ParsePrefix(network)
	if err != nil {
		return false
	}
	if p.Addr().Is4() {
		return p.Bits() < widestV4
	}
	return p.Bits() < widestV6
}
