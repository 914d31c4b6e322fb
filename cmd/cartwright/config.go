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

// Config is everything the process reads from its environment; this file is its only reader. One line is one setting: its
// tags are the reference (`cartwright config`, CONFIGURATION.md) and the rules that every value has to meet, see setting.
type Config struct {
	Address        string   `doc:"host:port to listen on; port 0 picks a free one"                                                                                                             env:"CARTWRIGHT_ADDR"            example:"0.0.0.0:8080"            section:"Where it listens"`
	PublicURL      string   `doc:"where clients reach the server; without it http:// and the address. Production needs https://"                                                               env:"CARTWRIGHT_PUBLIC_URL"      example:"https://shop.example"    schemes:"http https"`
	TrustedProxies []string `doc:"addresses or networks of the balancers whose X-Forwarded-For is believed. Production refuses networks that hold half the world"                              env:"CARTWRIGHT_TRUSTED_PROXIES" example:"10.0.0.0/24,192.168.1.7"`
	Mode           Mode     `doc:"how careful the server is about its own configuration: production refuses what is only good enough at home, founds no demo shop and has no sandbox provider" env:"CARTWRIGHT_ENV"             example:"production"              values:"development production"`

	Data         string        `doc:"folder of the embedded database, of uploaded files, generated secrets and credentials.json"                                                                                                                                         env:"CARTWRIGHT_DATA"            example:"/var/lib/cartwright"                                                           section:"Where it keeps things"`
	Database     string        `doc:"Postgres, shared by any number of instances; without it an SQLite file in the data folder"                                                                                                                                          env:"CARTWRIGHT_DATABASE_URL"    example:"postgres://cartwright:password@db.example:5432/cartwright?sslmode=verify-full" hidden:"yes"                    schemes:"postgres postgresql"`
	DatabaseWait time.Duration `doc:"how long the start waits for a database that is not there yet"                                                                                                                                                                      env:"CARTWRIGHT_DATABASE_WAIT"   example:"1m"`
	Redis        string        `doc:"a shared fast copy of receipts and counters; without it each instance has its own in memory. It may vanish: slower, still correct"                                                                                                  env:"CARTWRIGHT_REDIS_URL"       example:"rediss://:password@cache.example:6379/0"                                       hidden:"yes"                    schemes:"redis rediss redis+sentinel rediss+sentinel redis+cluster rediss+cluster"`
	Media        string        `doc:"where uploaded files are kept: file:///folder, or s3://bucket?region=… with &endpoint=https://… for other services than Amazon's, whose credentials come from the usual AWS_… variables; without it media in the data folder"       env:"CARTWRIGHT_MEDIA_URL"       example:"s3://bucket?region=eu-central-1"`
	EventsKept   time.Duration `doc:"how long what happened can be read and delivered again, at least 96h; 0 keeps everything"                                                                                                                                           env:"CARTWRIGHT_EVENT_RETENTION" example:"720h"`

	Secrets         []string `doc:"versions of the server's secret as version:secret, at least 32 characters each. The highest version signs and seals, the others stay readable; without any, development makes one in the data folder" env:"CARTWRIGHT_SECRETS"          example:"2:<random>,1:<random>" hidden:"yes"    section:"Secrets and logins"`
	TokenExpiration int64    `doc:"life of a login in seconds"                                                                                                                                                                           env:"CARTWRIGHT_TOKEN_EXPIRATION" example:"86400"                 need:"positive"`

	ReservationTTL  time.Duration `doc:"how long a payment keeps the stock it reserved"                                                                            env:"CARTWRIGHT_RESERVATION_TTL"      example:"30m"                            need:"positive"      section:"Payments"`
	ProviderTimeout time.Duration `doc:"how long a payment provider may take to confirm or refund; a lookup gets half of it"                                       env:"CARTWRIGHT_PROVIDER_TIMEOUT"     example:"10s"                            need:"positive"`
	ProviderCalls   int           `doc:"calls at the same time to each connection of a provider; as many more may wait a moment"                                   env:"CARTWRIGHT_PROVIDER_CONCURRENCY" example:"64"                             need:"positive"`
	BreakerFailures uint32        `doc:"failed calls within the window after which a connection is left alone"                                                     env:"CARTWRIGHT_BREAKER_FAILURES"     example:"10"                             need:"positive"`
	BreakerWindow   time.Duration `doc:"the time within which these failures count"                                                                                env:"CARTWRIGHT_BREAKER_WINDOW"       example:"1m"                             need:"positive"`
	BreakerOpen     time.Duration `doc:"how long a connection is left alone then, before one call tries it again"                                                  env:"CARTWRIGHT_BREAKER_OPEN"         example:"30s"                            need:"positive"`
	SandboxURL      string        `doc:"a sandbox provider that runs as a process of its own (cartwright sandbox); without it the one inside. Never in production" env:"CARTWRIGHT_SANDBOX_URL"          example:"http://sandbox.example:8090"    schemes:"http https"`
	TossURL         string        `doc:"where Toss Payments answers, for a test double or a proxy"                                                                 env:"CARTWRIGHT_TOSS_URL"             example:"https://toss-double.example"    schemes:"http https"`
	StripeURL       string        `doc:"where Stripe answers, for a test double or a proxy"                                                                        env:"CARTWRIGHT_STRIPE_URL"           example:"https://stripe-double.example"  schemes:"http https"`
	PortOneURL      string        `doc:"where PortOne answers, for a test double or a proxy"                                                                       env:"CARTWRIGHT_PORTONE_URL"          example:"https://portone-double.example" schemes:"http https"`

	QueryTimeout    time.Duration `doc:"how long a list may take: text search and filters on fields without an index read the whole tenant, and are refused as query_too_slow beyond it"                                          env:"CARTWRIGHT_QUERY_TIMEOUT"          example:"2s"   need:"positive" section:"Limits and shutdown"`
	BurstPerMinute  int           `doc:"calls a minute of each secret key, person, cart or checkout, and visitor (client key and address); 0 is no limit, for registrations neither. Calls a month follow from the plan"          env:"CARTWRIGHT_BURST_PER_MINUTE"       example:"300"`
	DrainDelay      time.Duration `doc:"after SIGTERM, how long to go on accepting once readiness turned, so that balancers that poll it send no more"                                                                            env:"CARTWRIGHT_SHUTDOWN_DELAY"         example:"5s"`
	DrainTimeout    time.Duration `doc:"after that, how long accepted work may take"                                                                                                                                              env:"CARTWRIGHT_SHUTDOWN_TIMEOUT"       example:"30s"  need:"positive"`
	PrivateWebhooks bool          `doc:"true lets webhook endpoints be at private addresses, and without TLS and at any port, which development allows anyway. Whoever may make endpoints then reaches into the server's network" env:"CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS" example:"true"`
	GarbageTarget   string        `doc:"Go's garbage collection target in percent; without it 400"                                                                                                                                env:"GOGC"                              example:"100"`
	MemoryLimit     string        `doc:"the size of the heap at which Go collects harder instead of growing; without it 1GiB"                                                                                                     env:"GOMEMLIMIT"                        example:"4GiB"`

	LogLevel     string `doc:"the least that is logged; info has a line for every request"                                                                                                                                                                              env:"CARTWRIGHT_LOG_LEVEL"                example:"warn"                                     section:"Looking inside"                                                                                         values:"debug info warn error"`
	LogFormat    string `doc:"how it is logged; without a value text on a terminal of development, and JSON elsewhere"                                                                                                                                                  env:"CARTWRIGHT_LOG_FORMAT"               example:"json"                                     values:"json text"`
	DebugAddress string `doc:"host:port of Go's profiler; without it there is none. Production allows it on a loopback address only: a profile tells what a server holds in memory"                                                                                     env:"CARTWRIGHT_DEBUG_ADDR"               example:"127.0.0.1:6060"`
	Collector    string `doc:"an OpenTelemetry collector that takes traces and metrics over HTTP, below /v1; without any endpoint there are no traces. The libraries' own variables hold beside these, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES" env:"OTEL_EXPORTER_OTLP_ENDPOINT"         example:"http://collector.example:4318"            hidden:"yes"                                                                                                     schemes:"http https"`
	Traces       string `doc:"the whole address that takes traces, if they go elsewhere or alone"                                                                                                                                                                       env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"  example:"http://collector.example:4318/v1/traces"  hidden:"yes"                                                                                                     schemes:"http https"`
	Measures     string `doc:"the whole address that takes metrics, if they go elsewhere or alone: those of /metrics, once a minute"                                                                                                                                    env:"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT" example:"http://collector.example:4318/v1/metrics" hidden:"yes"                                                                                                     schemes:"http https"`
	Protocol     string `doc:"how they are sent"                                                                                                                                                                                                                        env:"OTEL_EXPORTER_OTLP_PROTOCOL"         example:"http/protobuf"                            values:"http/protobuf"`
	Sampler      string `doc:"which requests are traced; without it parentbased_always_on: all, unless the caller's traceparent says not to. Those that begin with parentbased leave it to callers that send one"                                                       env:"OTEL_TRACES_SAMPLER"                 example:"parentbased_traceidratio"                 values:"always_on always_off traceidratio parentbased_always_on parentbased_always_off parentbased_traceidratio"`
	SampleRatio  string `doc:"the share that the samplers by ratio take, from 0 to 1; without it 1"                                                                                                                                                                     env:"OTEL_TRACES_SAMPLER_ARG"             example:"0.01"`
	Service      string `doc:"name under which traces and metrics stand in the collector"                                                                                                                                                                               env:"OTEL_SERVICE_NAME"                   example:"shop-eu"`
	Playground   Switch `doc:"GraphiQL at /api/graphql-playground; without a value it is on in development. Production refuses on"                                                                                                                                      env:"CARTWRIGHT_PLAYGROUND"               example:"off"                                      values:"on off"`

	Mailbox   Switch `doc:"off serializes carts by the database alone: as correct, and slower"       env:"CARTWRIGHT_MAILBOX"   example:"off"            section:"For tests of the server itself" values:"on off"`
	Failpoint string `doc:"name of the place at which the process kills itself. Never in production" env:"CARTWRIGHT_FAILPOINT" example:"confirm.sent:3"`
}

// textLog is the LogFormat for people.
const textLog = "text"

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
		ReservationTTL: time.Hour, ProviderTimeout: 10 * time.Second, QueryTimeout: 5 * time.Second, DrainTimeout: 20 * time.Second, DatabaseWait: 10 * time.Second, Mailbox: On, Service: "cartwright",
		BurstPerMinute: 600, EventsKept: 30 * 24 * time.Hour, ProviderCalls: 32, BreakerFailures: 5, BreakerWindow: 30 * time.Second, BreakerOpen: 10 * time.Second,
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
		return c, errors.Join(append([]error{errMisconfigured}, problems...)...)
	}
	c.Data, err = filepath.Abs(c.Data)
	return c, err
}

// readable names the variable instead of the Go field, and never repeats what it was set to.
func readable(err error) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	var out []error
	for _, e := range all.Errors {
		if parse, ok := errors.AsType[env.ParseError](e); ok {
			if s, known := settingOf(parse.Name); known {
				e = problem(s.Name + ": " + s.form() + " is needed.")
			}
		}
		out = append(out, e)
	}
	return errors.Join(out...)
}

var errMisconfigured = errors.New("the configuration has problems:")

func problem(text string) error { return errors.New("  " + text) }

func (c Config) check() (problems []error) {
	fail := func(format string, args ...any) { problems = append(problems, problem(fmt.Sprintf(format, args...))) }
	if _, port, err := net.SplitHostPort(c.Address); err != nil || !validPort(port) {
		fail("CARTWRIGHT_ADDR: %q is no host:port, such as 127.0.0.1:8080.", c.Address)
	}
	problems = append(problems, c.checkValues()...)
	problems = append(problems, c.checkURLs()...)
	if c.DebugAddress != "" {
		if _, port, err := net.SplitHostPort(c.DebugAddress); err != nil || !validPort(port) {
			fail("CARTWRIGHT_DEBUG_ADDR: %q is no host:port, such as 127.0.0.1:6060.", c.DebugAddress)
		}
	}
	if err := c.sampler().Check(); err != nil {
		fail("OTEL_TRACES_SAMPLER_ARG: %s.", err)
	}
	if c.EventsKept != 0 && c.EventsKept < leastEvents {
		fail("CARTWRIGHT_EVENT_RETENTION: at least %s are needed, since deliveries are tried for three days; 0 keeps everything.", leastEvents)
	}
	if c.BurstPerMinute < 0 {
		fail("CARTWRIGHT_BURST_PER_MINUTE: %d is below zero; 0 is no limit.", c.BurstPerMinute)
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

func (c Config) checkURLs() (problems []error) {
	for _, s := range settings() {
		value, _ := c.value(s).(string)
		if at, err := url.Parse(value); len(s.Schemes) > 0 && value != "" && (err != nil || at.Host == "" || !slices.Contains(s.Schemes, at.Scheme)) {
			problems = append(problems, problem(fmt.Sprintf("%s: not a URL that starts with %s://.", s.Name, s.Schemes[0]))) // never the value: it may hold a password
		}
	}
	if at, err := url.Parse(c.PublicURL); err == nil && (at.User != nil || at.RawQuery != "" || at.Fragment != "") {
		problems = append(problems, problem("CARTWRIGHT_PUBLIC_URL: an address without user, query and fragment is needed, such as https://shop.example."))
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
