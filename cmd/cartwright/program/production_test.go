package program

import (
	"maps"
	"strings"
	"testing"
)

const goodSecret = "1:q8f7w6e5r4t3y2u1i0o9p8a7s6d5f4g3"

// inProduction is a valid production environment with changes.
func inProduction(change map[string]string) map[string]string {
	env := map[string]string{
		"CARTWRIGHT_ENV": "production", "CARTWRIGHT_SECRETS": goodSecret, "CARTWRIGHT_PUBLIC_URL": "https://shop.example",
	}
	maps.Copy(env, change)
	return env
}

func TestProductionRejectsDevelopmentSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		variable, value, problem string // problem "": accepted
	}{
		"everything in place": {"", "", ""},
		"no secrets":          {"CARTWRIGHT_SECRETS", "", "production requires secrets"},
		"the example secrets": {"CARTWRIGHT_SECRETS", "1:change-me-change-me-change-me-change-me", "example secret"},
		"a secret that is a pattern": {
			"CARTWRIGHT_SECRETS", goodSecret + ",2:abababababababababababababababababab", "secret 2 is not random enough",
		},
		"a secret that repeats": {
			"CARTWRIGHT_SECRETS", "1:q8f7w6e5r4t3y2u1q8f7w6e5r4t3y2u1", "secret 1 is not random enough",
		},
		"a secret that repeats, cut short": {
			"CARTWRIGHT_SECRETS", "1:k3Jx8qLw0ZpVbk3Jx8qLw0ZpVbk3Jx8qLw", "secret 1 is not random enough",
		},
		"a secret that counts up": {
			"CARTWRIGHT_SECRETS", "1:abcdefghijklmnopqrstuvwxyz0123456789", "secret 1 is not random enough",
		},
		"a secret that counts down": {
			"CARTWRIGHT_SECRETS", "1:9876543210zyxwvutsrqponmlkjihgfedcba", "secret 1 is not random enough",
		},
		"hex digits": {
			"CARTWRIGHT_SECRETS", "1:3f9a1c77e0b24d8856f1ca09d37be4526a0f8c91d2e7b345", "",
		},
		"two good secrets":            {"CARTWRIGHT_SECRETS", goodSecret + ",2:Zq0oWnE5r4t3y2u1i0o9p8a7s6d5f4gx", ""},
		"no public address":           {"CARTWRIGHT_PUBLIC_URL", "", "CARTWRIGHT_PUBLIC_URL"},
		"a plain HTTP address":        {"CARTWRIGHT_PUBLIC_URL", "http://shop.example", "https://"},
		"a playground":                {"CARTWRIGHT_PLAYGROUND", "on", "CARTWRIGHT_PLAYGROUND"},
		"no playground":               {"CARTWRIGHT_PLAYGROUND", "off", ""},
		"a sandbox provider":          {"CARTWRIGHT_SANDBOX_URL", "https://sandbox.example", "CARTWRIGHT_SANDBOX_URL"},
		"no limit of bursts":          {"CARTWRIGHT_BURST_PER_MINUTE", "0", "CARTWRIGHT_BURST_PER_MINUTE"},
		"a failpoint":                 {"CARTWRIGHT_FAILPOINT", "confirm.sent:1", "CARTWRIGHT_FAILPOINT"},
		"a profiler on all of IPv4":   {"CARTWRIGHT_DEBUG_ADDR", "0.0.0.0:6060", "CARTWRIGHT_DEBUG_ADDR"},
		"a profiler on every address": {"CARTWRIGHT_DEBUG_ADDR", ":6060", "CARTWRIGHT_DEBUG_ADDR"},
		"a profiler on loopback":      {"CARTWRIGHT_DEBUG_ADDR", "127.0.0.1:6060", ""},
		"a profiler on IPv6 loopback": {"CARTWRIGHT_DEBUG_ADDR", "[::1]:6060", ""},
		"a short token of metrics":    {"CARTWRIGHT_METRICS_TOKEN", "scrape", "CARTWRIGHT_METRICS_TOKEN"},
		"a token of metrics":          {"CARTWRIGHT_METRICS_TOKEN", "q8f7w6e5r4t3y2u1", ""},
		"all of IPv4 is proxies":      {"CARTWRIGHT_TRUSTED_PROXIES", "0.0.0.0/0", "0.0.0.0/0 lets almost anyone forge"},
		"half of IPv4 is proxies":     {"CARTWRIGHT_TRUSTED_PROXIES", "10.0.0.0/24,128.0.0.0/1", "128.0.0.0/1 lets almost anyone forge"},
		"all of IPv6 is proxies":      {"CARTWRIGHT_TRUSTED_PROXIES", "::/0", "::/0 lets almost anyone forge"},
		"the balancers are proxies":   {"CARTWRIGHT_TRUSTED_PROXIES", "10.0.0.0/8,fd00::/8,192.168.1.7", ""},
		"Toss without TLS":            {"CARTWRIGHT_TOSS_URL", "http://pay.example", "CARTWRIGHT_TOSS_URL"},
		"Stripe without TLS":          {"CARTWRIGHT_STRIPE_URL", "http://pay.example", "CARTWRIGHT_STRIPE_URL"},
		"PortOne without TLS":         {"CARTWRIGHT_PORTONE_URL", "http://pay.example", "CARTWRIGHT_PORTONE_URL"},
		"Toss by TLS":                 {"CARTWRIGHT_TOSS_URL", "https://pay.example", ""},
		"Stripe by TLS":               {"CARTWRIGHT_STRIPE_URL", "https://pay.example", ""},
		"PortOne by TLS":              {"CARTWRIGHT_PORTONE_URL", "https://pay.example", ""},
		"the example password of the database": {
			"CARTWRIGHT_DATABASE_URL", "postgres://u:change-me@db/shop", "CARTWRIGHT_DATABASE_URL: the example password",
		},
		"another password of the database": {"CARTWRIGHT_DATABASE_URL", "postgres://u:fh3487fh3@db/shop", ""},
		"the example password of Redis": {
			"CARTWRIGHT_REDIS_URL", "redis://:Change-Me@cache", "CARTWRIGHT_REDIS_URL: the example password",
		},
		"a public address with a key in it": {
			"CARTWRIGHT_PUBLIC_URL", "https://u:hunter2@shop.example", "CARTWRIGHT_PUBLIC_URL: must be a URL without user",
		},
		"a public address that begins in capital": {"CARTWRIGHT_PUBLIC_URL", "HTTP://shop.example", "CARTWRIGHT_PUBLIC_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := inProduction(map[string]string{c.variable: c.value})
			_, err := loadConfig(func(name string) string { return env[name] })
			if c.problem == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), c.problem) {
				t.Errorf("got %v, want …%s…", err, c.problem)
			}
			if _, password, found := strings.Cut(c.value, ":"); err != nil && c.variable == "CARTWRIGHT_SECRETS" && found &&
				strings.Contains(err.Error(), password) {
				t.Errorf("a secret is printed: %v", err)
			}
		})
	}
}

// All problems of production settings are reported together; development accepts the same settings.
func TestProductionReportsAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"CARTWRIGHT_SECRETS": "1:change-me-change-me-change-me-change-me", "CARTWRIGHT_PUBLIC_URL": "http://shop.example",
		"CARTWRIGHT_PLAYGROUND": "on", "CARTWRIGHT_SANDBOX_URL": "http://sandbox.example", "CARTWRIGHT_FAILPOINT": "confirm.sent:1",
		"CARTWRIGHT_DEBUG_ADDR": ":6060", "CARTWRIGHT_TRUSTED_PROXIES": "0.0.0.0/0", "CARTWRIGHT_TOSS_URL": "http://toss.example",
		"CARTWRIGHT_STRIPE_URL": "http://stripe.example", "CARTWRIGHT_PORTONE_URL": "http://portone.example",
		"CARTWRIGHT_DATABASE_URL": "postgres://u:change-me@db/shop",
	}
	if _, err := loadConfig(func(name string) string { return env[name] }); err != nil {
		t.Errorf("development rejects them: %v", err)
	}
	_, err := loadConfig(func(name string) string { return inProduction(env)[name] })
	if err == nil {
		t.Fatal("production accepts them")
	}
	for name := range env {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported:\n%v", name, err)
		}
	}
}
