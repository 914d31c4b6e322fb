package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// Config is everything the process reads from its environment; this file is its only reader. Durations are Go durations.
type Config struct {
	Address         string        `env:"CARTWRIGHT_ADDR"`                 // host:port; ":0" picks a free port
	Data            string        `env:"CARTWRIGHT_DATA"`                 // folder of the embedded database, secrets and credentials.json
	Database        string        `env:"CARTWRIGHT_DATABASE_URL"`         // postgres://…; empty: SQLite in Data
	DatabaseWait    time.Duration `env:"CARTWRIGHT_DATABASE_WAIT"`        // how long the start waits for a database that is not there yet
	Redis           string        `env:"CARTWRIGHT_REDIS_URL"`            // redis://…; empty: receipts are cached in process
	Media           string        `env:"CARTWRIGHT_MEDIA_URL"`            // file:///folder or s3://bucket?region=…&endpoint=…; empty: media in Data
	Mode            Mode          `env:"CARTWRIGHT_ENV"`                  // development or production
	PublicURL       string        `env:"CARTWRIGHT_PUBLIC_URL"`           // where clients reach us; empty: http:// + Address
	TokenExpiration int64         `env:"CARTWRIGHT_TOKEN_EXPIRATION"`     // seconds
	ReservationTTL  time.Duration `env:"CARTWRIGHT_RESERVATION_TTL"`      // how long a payment session keeps stock
	ProviderTimeout time.Duration `env:"CARTWRIGHT_PROVIDER_TIMEOUT"`     // confirm; a lookup gets half of it
	ProviderCalls   int           `env:"CARTWRIGHT_PROVIDER_CONCURRENCY"` // calls at the same time per provider connection; as many more may wait a moment
	BreakerFailures uint32        `env:"CARTWRIGHT_BREAKER_FAILURES"`     // failed calls within the window that open a provider connection's circuit
	BreakerWindow   time.Duration `env:"CARTWRIGHT_BREAKER_WINDOW"`
	BreakerOpen     time.Duration `env:"CARTWRIGHT_BREAKER_OPEN"`     // how long no call is made then, before one probe
	QueryTimeout    time.Duration `env:"CARTWRIGHT_QUERY_TIMEOUT"`    // how long a list may take that no index serves
	EventsKept      time.Duration `env:"CARTWRIGHT_EVENT_RETENTION"`  // how long what happened can be read and delivered again; 0: for ever
	DrainTimeout    time.Duration `env:"CARTWRIGHT_SHUTDOWN_TIMEOUT"` // how long accepted work may take after SIGTERM
	DrainDelay      time.Duration `env:"CARTWRIGHT_SHUTDOWN_DELAY"`   // how long to go on accepting after readiness turned, for balancers that poll it
	TrustedProxies  []string      `env:"CARTWRIGHT_TRUSTED_PROXIES"`  // addresses or networks whose X-Forwarded-For counts
	SandboxURL      string        `env:"CARTWRIGHT_SANDBOX_URL"`      // a sandbox provider of its own; empty: the one inside
	TossURL         string        `env:"CARTWRIGHT_TOSS_URL"`         // another Toss Payments than the real one (tests)
	StripeURL       string        `env:"CARTWRIGHT_STRIPE_URL"`       // another Stripe than the real one (tests)
	PortOneURL      string        `env:"CARTWRIGHT_PORTONE_URL"`      // another PortOne than the real one (tests)
	Secrets         []string      `env:"CARTWRIGHT_SECRETS"`          // "version:secret", newest version signs; empty: made in Data
	LogLevel        string        `env:"CARTWRIGHT_LOG_LEVEL"`        // debug, info, warn, error
	Playground      Switch        `env:"CARTWRIGHT_PLAYGROUND"`       // GraphiQL at /api/graphql-playground; empty: on in development, off in production
	Mailbox         Switch        `env:"CARTWRIGHT_MAILBOX"`          // off: carts are serialized by the database alone (tests)
	Failpoint       string        `env:"CARTWRIGHT_FAILPOINT"`        // name of the place at which the process kills itself (kill tests)
	DebugAddress    string        `env:"CARTWRIGHT_DEBUG_ADDR"`       // host:port of the profiler; empty: none
	GarbageTarget   string        `env:"GOGC"`                        // Go's own variables win over our defaults
	MemoryLimit     string        `env:"GOMEMLIMIT"`
	PrivateWebhooks bool          `env:"CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS"` // true: webhook endpoints may be at private addresses, without TLS and at any port
}

// Mode is how careful the server is about its own configuration.
type Mode string

// The modes.
const (
	Development Mode = "development"
	Production  Mode = "production"
)

// Switch is on or off.
type Switch string

// The positions of a Switch.
const (
	On  Switch = "on"
	Off Switch = "off"
)

// defaults is the configuration of a machine that sets nothing.
func defaults() Config {
	return Config{
		Address: "127.0.0.1:8080", Data: "data", Mode: Development, TokenExpiration: 604_800, LogLevel: "info",
		ReservationTTL: time.Hour, ProviderTimeout: 10 * time.Second, QueryTimeout: 5 * time.Second, DrainTimeout: 20 * time.Second, DatabaseWait: 10 * time.Second, Mailbox: On,
		EventsKept: 30 * 24 * time.Hour, ProviderCalls: 32, BreakerFailures: 5, BreakerWindow: 30 * time.Second, BreakerOpen: 10 * time.Second,
	}
}

// leastEvents is longer than anything may wait for its delivery.
const leastEvents = 96 * time.Hour

// loadConfig reads the variables that getenv knows and reports every problem at once, one per line.
func loadConfig(getenv func(string) string) (Config, error) {
	c := defaults()
	given := map[string]string{}
	fields, err := env.GetFieldParams(&c)
	if err != nil {
		return c, fmt.Errorf("describe the configuration: %w", err)
	}
	for _, f := range fields {
		if v := strings.TrimSpace(getenv(f.Key)); v != "" {
			given[f.Key] = v
		}
	}
	var problems []error
	if err := env.ParseWithOptions(&c, env.Options{Environment: given}); err != nil {
		problems = append(problems, readable(err))
	}
	problems = append(problems, c.check()...)
	if c.Mode == Production {
		problems = append(problems, c.checkProduction()...)
	}
	if len(problems) > 0 {
		return c, fmt.Errorf("the configuration has problems:\n%w", errors.Join(problems...))
	}
	c.Data, err = filepath.Abs(c.Data)
	return c, err
}

// readable names the variable instead of the Go field.
func readable(err error) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	names := map[string]string{"TokenExpiration": "CARTWRIGHT_TOKEN_EXPIRATION: seconds as a whole number", "ReservationTTL": "CARTWRIGHT_RESERVATION_TTL: a duration such as 60m",
		"ProviderTimeout": "CARTWRIGHT_PROVIDER_TIMEOUT: a duration such as 10s", "QueryTimeout": "CARTWRIGHT_QUERY_TIMEOUT: a duration such as 5s", "DrainTimeout": "CARTWRIGHT_SHUTDOWN_TIMEOUT: a duration such as 20s",
		"EventsKept": "CARTWRIGHT_EVENT_RETENTION: a duration such as 720h", "DrainDelay": "CARTWRIGHT_SHUTDOWN_DELAY: a duration such as 5s", "DatabaseWait": "CARTWRIGHT_DATABASE_WAIT: a duration such as 10s",
		"ProviderCalls": "CARTWRIGHT_PROVIDER_CONCURRENCY: a whole number", "BreakerFailures": "CARTWRIGHT_BREAKER_FAILURES: a whole number", "PrivateWebhooks": "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS: true or false", "BreakerWindow": "CARTWRIGHT_BREAKER_WINDOW: a duration such as 30s", "BreakerOpen": "CARTWRIGHT_BREAKER_OPEN: a duration such as 10s"}
	var out []error
	for _, e := range all.Errors {
		var parse env.ParseError
		if errors.As(e, &parse) && names[parse.Name] != "" {
			e = problem(names[parse.Name] + " is needed.")
		}
		out = append(out, e)
	}
	return errors.Join(out...)
}

func problem(text string) error { return errors.New("  " + text) }

func (c Config) check() (problems []error) {
	fail := func(format string, args ...any) { problems = append(problems, problem(fmt.Sprintf(format, args...))) }
	if _, port, err := net.SplitHostPort(c.Address); err != nil || !validPort(port) {
		fail("CARTWRIGHT_ADDR: %q is no host:port, such as 127.0.0.1:8080.", c.Address)
	}
	if c.Mode != Development && c.Mode != Production {
		fail("CARTWRIGHT_ENV: %q is neither development nor production.", c.Mode)
	}
	if c.Mailbox != On && c.Mailbox != Off {
		fail("CARTWRIGHT_MAILBOX: %q is neither on nor off.", c.Mailbox)
	}
	if c.Playground != "" && c.Playground != On && c.Playground != Off {
		fail("CARTWRIGHT_PLAYGROUND: %q is neither on nor off.", c.Playground)
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, c.LogLevel) {
		fail("CARTWRIGHT_LOG_LEVEL: %q is none of debug, info, warn, error.", c.LogLevel)
	}
	problems = append(problems, c.checkURLs()...)
	for _, d := range []struct {
		name string
		ok   bool
	}{
		{"CARTWRIGHT_TOKEN_EXPIRATION", c.TokenExpiration > 0}, {"CARTWRIGHT_RESERVATION_TTL", c.ReservationTTL > 0},
		{"CARTWRIGHT_PROVIDER_TIMEOUT", c.ProviderTimeout > 0}, {"CARTWRIGHT_SHUTDOWN_TIMEOUT", c.DrainTimeout > 0}, {"CARTWRIGHT_QUERY_TIMEOUT", c.QueryTimeout > 0}, {"CARTWRIGHT_DATABASE_WAIT", c.DatabaseWait >= 0},
		{"CARTWRIGHT_PROVIDER_CONCURRENCY", c.ProviderCalls > 0}, {"CARTWRIGHT_BREAKER_FAILURES", c.BreakerFailures > 0}, {"CARTWRIGHT_BREAKER_WINDOW", c.BreakerWindow > 0}, {"CARTWRIGHT_BREAKER_OPEN", c.BreakerOpen > 0},
	} {
		if !d.ok {
			fail("%s: a value above zero is needed.", d.name)
		}
	}
	if c.EventsKept != 0 && c.EventsKept < leastEvents {
		fail("CARTWRIGHT_EVENT_RETENTION: at least %s are needed, since deliveries are tried for three days; 0 keeps everything.", leastEvents)
	}
	for _, p := range c.TrustedProxies {
		_, network := netip.ParsePrefix(p)
		if _, single := netip.ParseAddr(p); network != nil && single != nil {
			fail("CARTWRIGHT_TRUSTED_PROXIES: %q is neither an address nor a network.", p)
		}
	}
	if _, err := parseSecrets(c.Secrets); err != nil {
		fail("CARTWRIGHT_SECRETS: %s", err)
	}
	return problems
}

// setting is a named address.
type setting struct{ name, value, schemes string }

// providers are the addresses of payment providers other than the real ones.
func (c Config) providers() []setting {
	return []setting{
		{"CARTWRIGHT_TOSS_URL", c.TossURL, "http https"}, {"CARTWRIGHT_STRIPE_URL", c.StripeURL, "http https"},
		{"CARTWRIGHT_PORTONE_URL", c.PortOneURL, "http https"},
	}
}

func (c Config) checkURLs() (problems []error) {
	for _, u := range append([]setting{
		{"CARTWRIGHT_DATABASE_URL", c.Database, "postgres postgresql"}, {"CARTWRIGHT_REDIS_URL", c.Redis, "redis rediss redis+sentinel rediss+sentinel redis+cluster rediss+cluster"},
		{"CARTWRIGHT_PUBLIC_URL", c.PublicURL, "http https"}, {"CARTWRIGHT_SANDBOX_URL", c.SandboxURL, "http https"},
	}, c.providers()...) {
		if at, err := url.Parse(u.value); u.value != "" && (err != nil || at.Host == "" || !slices.Contains(strings.Fields(u.schemes), at.Scheme)) {
			problems = append(problems, problem(fmt.Sprintf("%s: not a URL that starts with %s://.", u.name, strings.Fields(u.schemes)[0]))) // never the value: it may hold a password
		}
	}
	if at, err := url.Parse(c.Media); c.Media != "" && (err != nil || (at.Scheme != "file" || at.Path == "") && (at.Scheme != "s3" || at.Host == "")) {
		problems = append(problems, problem("CARTWRIGHT_MEDIA_URL: not a URL such as file:///folder or s3://bucket?region=eu-central-1."))
	}
	return problems
}

// mediaURL is where uploaded files are kept.
func (c Config) mediaURL() string {
	if c.Media != "" {
		return c.Media
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(c.File("media"))}).String()
}

func validPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n <= 65535
}

// checkProduction refuses what is only good enough on one's own machine. Contract 12.
func (c Config) checkProduction() (problems []error) {
	if len(c.Secrets) == 0 {
		problems = append(problems, problem("CARTWRIGHT_SECRETS: production needs its own secrets, such as 1:<32 or more random characters>."))
	}
	for _, s := range c.Secrets {
		if strings.Contains(strings.ToLower(s), "change-me") {
			problems = append(problems, problem("CARTWRIGHT_SECRETS: the example secret is still in place."))
		}
	}
	if !strings.HasPrefix(c.PublicURL, "https://") {
		problems = append(problems, problem("CARTWRIGHT_PUBLIC_URL: production needs the https:// address clients use."))
	}
	for _, u := range c.providers() {
		if u.value != "" && !strings.HasPrefix(u.value, "https://") {
			problems = append(problems, problem(u.name+": production sends keys over https:// only."))
		}
	}
	if c.Playground == On {
		problems = append(problems, problem("CARTWRIGHT_PLAYGROUND: production does not serve GraphiQL."))
	}
	return problems
}

// playground reports whether GraphiQL is served. Contract 12.
func (c Config) playground() bool { return c.Mode == Development && c.Playground != Off }

// webhooksAt is where webhook endpoints may be: at web servers that are spoken to by TLS, unless they may be at home.
func (c Config) webhooksAt() webhook.Where {
	home := c.PrivateWebhooks || c.Mode == Development
	return webhook.Where{Plain: home, AnyPort: home}
}

// BaseURL is where clients reach the server that listens on addr.
func (c Config) BaseURL(addr net.Addr) string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// publicHost is the host[:port] of the public URL, "" when there is none.
func (c Config) publicHost() string {
	u, err := url.Parse(c.PublicURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// File is a path in the data folder.
func (c Config) File(name string) string { return filepath.Join(c.Data, name) }

// openData makes the data folder and proves that it can be written.
func (c Config) openData() error {
	err := os.MkdirAll(c.Data, 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(c.Data, ".probe-*"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("the data folder %s cannot be written: set CARTWRIGHT_DATA to a folder this user may write (%w)", c.Data, err)
	}
	return nil
}
