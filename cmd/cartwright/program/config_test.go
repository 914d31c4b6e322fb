package program

import (
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/token"
)

func TestConfigReportsAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"CARTWRIGHT_ADDR": "here", "CARTWRIGHT_ENV": "staging", "CARTWRIGHT_TOKEN_EXPIRATION": "a week", "CARTWRIGHT_RESERVATION_TTL": "60",
		"CARTWRIGHT_PROVIDER_TIMEOUT": "-1s", "CARTWRIGHT_DATABASE_URL": "mysql://root:hunter2@db/shop",
		"CARTWRIGHT_REDIS_URL": "memcached://cache", "CARTWRIGHT_TRUSTED_PROXIES": "10.0.0.0/8,everyone", "CARTWRIGHT_SECRETS": "1:short",
		"CARTWRIGHT_MAILBOX": "maybe", "CARTWRIGHT_LOG_LEVEL": "chatty", "CARTWRIGHT_PLAYGROUND": "perhaps",
		"CARTWRIGHT_TOSS_URL": "api.example", "CARTWRIGHT_STRIPE_URL": "stripe.example", "CARTWRIGHT_PORTONE_URL": "api.example",
	}
	_, err := loadConfig(func(name string) string { return env[name] })
	if err == nil {
		t.Fatal("the configuration was accepted")
	}
	for name := range env {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not reported:\n%s", name, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a password is shown:\n%s", err)
	}
}

// A developer's receiver is on the same machine; in production the network behind the server is not for its tenants.
func TestPrivateWebhooksAreForDevelopment(t *testing.T) {
	for _, c := range []struct {
		mode, setting string
		allowed       bool
	}{{"", "", true}, {"development", "false", false}, {"development", "true", true}, {"production", "", false}, {"production", "true", true}} {
		got, _ := loadConfig(func(name string) string { // other settings of production are missing
			return map[string]string{"CARTWRIGHT_ENV": c.mode, "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS": c.setting}[name]
		})
		if p := got.webhookPolicy(); got.AllowPrivateWebhooks != c.allowed || p.AllowHTTP != c.allowed || p.AllowAnyPort != c.allowed {
			t.Errorf("%q with %q: %v, %+v", c.mode, c.setting, got.AllowPrivateWebhooks, p)
		}
	}
}

func TestPlaygroundOnlyInDevelopment(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		mode Mode
		set  Switch
		want bool
	}{{Development, "", true}, {Development, Off, false}, {Production, "", false}, {Production, On, false}} {
		if got := (Config{Mode: one.mode, Playground: one.set}).playgroundEnabled(); got != one.want {
			t.Errorf("%+v: %t", one, got)
		}
	}
}

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	c, err := loadConfig(func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	if c.Address != "127.0.0.1:8080" || c.TokenExpiration != 604_800 || c.ReservationTTL != time.Hour || c.Mode != Development ||
		c.Mailbox != On {
		t.Errorf("defaults are %+v", c)
	}
}

// Only tests lower the cost, see process.passwordCost.
func TestPasswordsAreHashedAtTheRecommendedCost(t *testing.T) {
	t.Parallel()
	p := osProcess()
	p.getenv = func(string) string { return "" }
	if c, err := p.config(); err != nil || c.PasswordCost != token.RecommendedCost {
		t.Errorf("%+v %v", c.PasswordCost, err)
	}
}
