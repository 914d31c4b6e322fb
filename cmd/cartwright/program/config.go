package program

import (
	"errors"
	"fmt"
	"io/fs"
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

	"github.com/cartwright-dev/cartwright/adapters/smtp"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// Config is everything that the process reads from its environment; only this file reads it. One field is one
// setting: its tags are the reference (`cartwright config`, CONFIGURATION.md) and the rules that its value
// must meet, see setting.
type Config struct {
	Address        string   `doc:"host:port to listen on; port 0 picks a free one"                                                                                                             env:"CARTWRIGHT_ADDR"            example:"0.0.0.0:8080"            section:"Network"`
	PublicURL      string   `doc:"URL at which clients reach the server (default: http:// and the listen address). Production requires https://. Passkeys belong to its domain"                                                               env:"CARTWRIGHT_PUBLIC_URL"      example:"https://shop.example"    schemes:"http https"`
	TrustedProxies []string `doc:"addresses or networks of the load balancers whose X-Forwarded-For is trusted. Production rejects overly large networks"                              env:"CARTWRIGHT_TRUSTED_PROXIES" example:"10.0.0.0/24,192.168.1.7"`
	Mode           Mode     `doc:"development or production. Production rejects insecure settings, creates no demo shop and has no sandbox provider" env:"CARTWRIGHT_ENV"             example:"production"              values:"development production"`

	Data           string        `doc:"folder for the embedded database, uploaded files, generated secrets and credentials.json"                                                                                                                                         env:"CARTWRIGHT_DATA"            example:"/var/lib/cartwright"                                                           section:"Storage"`
	Database       string        `doc:"URL of a Postgres database, which any number of instances can share (default: an SQLite file in the data folder)"                                                                                                                                          env:"CARTWRIGHT_DATABASE_URL"    example:"postgres://cartwright:password@db.example:5432/cartwright?sslmode=verify-full" hidden:"yes"                    schemes:"postgres postgresql"`
	DatabaseWait   time.Duration `doc:"how long to wait at startup for a database that is not reachable yet"                                                                                                                                                                      env:"CARTWRIGHT_DATABASE_WAIT"   example:"1m"`
	Redis          string        `doc:"URL of a Redis that caches idempotency receipts and counters for all instances (default: each instance caches in memory). Losing it makes requests slower, never wrong"                                                                                                  env:"CARTWRIGHT_REDIS_URL"       example:"rediss://:password@cache.example:6379/0"                                       hidden:"yes"                    schemes:"redis rediss redis+sentinel rediss+sentinel redis+cluster rediss+cluster"`
	Media          string        `doc:"where uploaded files are stored: file:///folder, or s3://bucket?region=… with &endpoint=https://… for S3-compatible services; credentials come from the usual AWS_… variables (default: media in the data folder)"       env:"CARTWRIGHT_MEDIA_URL"       example:"s3://bucket?region=eu-central-1"`
	EventRetention time.Duration `doc:"how long events can be read and replayed, at least 96h; 0 keeps them forever"                                                                                                                                           env:"CARTWRIGHT_EVENT_RETENTION" example:"720h"`

	Secrets         []string `doc:"versions of the server's secret as version:secret, at least 32 characters each. The highest version signs and encrypts; older versions can still be read. Development generates one in the data folder if none is set" env:"CARTWRIGHT_SECRETS"          example:"2:<random>,1:<random>" hidden:"yes"    section:"Secrets and logins"`
	TokenExpiration int64    `doc:"lifetime of a login token in seconds"                                                                                                                                                                           env:"CARTWRIGHT_TOKEN_EXPIRATION" example:"86400"                 need:"positive"`

	SMTP        string `doc:"URL of the mail server that sends mails to buyers, customers and users, with user and password: smtps://, or smtp:// for a server that offers STARTTLS, which any but this machine has to (default: none; development then shows mails at /mailbox, and in production shops mail by what their webhook endpoints are told)" env:"CARTWRIGHT_SMTP_URL"      example:"smtps://user:password@mail.example:465" hidden:"yes" schemes:"smtp smtps" section:"Mails"`
	MailFrom    string `doc:"sender of all mails: an address, or a name with one in angle brackets. The name of the shop takes the place of that name. Required with a mail server"                                                                                                                                                                      env:"CARTWRIGHT_MAIL_FROM"     example:"no-reply@shop.example"`
	MailPerHour int    `doc:"mails that each shop sends within an hour at most; others wait. 0 turns the limit off"                                                                                                                                                                                                                                      env:"CARTWRIGHT_MAIL_PER_HOUR" example:"500"`

	ReservationTTL      time.Duration `doc:"how long a payment session holds its stock reservation"                                                                            env:"CARTWRIGHT_RESERVATION_TTL"      example:"30m"                            need:"positive"      section:"Payments"`
	ProviderTimeout     time.Duration `doc:"timeout of a confirm or refund call to a payment provider; lookups get half of it"                                       env:"CARTWRIGHT_PROVIDER_TIMEOUT"     example:"10s"                            need:"positive"`
	ProviderConcurrency int           `doc:"concurrent calls per provider connection; as many again may wait briefly"                                   env:"CARTWRIGHT_PROVIDER_CONCURRENCY" example:"64"                             need:"positive"`
	BreakerFailures     uint32        `doc:"failed calls within the window that open the circuit breaker of a connection"                                                     env:"CARTWRIGHT_BREAKER_FAILURES"     example:"10"                             need:"positive"`
	BreakerWindow       time.Duration `doc:"time window in which failures are counted"                                                                                env:"CARTWRIGHT_BREAKER_WINDOW"       example:"1m"                             need:"positive"`
	BreakerOpen         time.Duration `doc:"how long the circuit breaker stays open before one trial call"                                                  env:"CARTWRIGHT_BREAKER_OPEN"         example:"30s"                            need:"positive"`
	SandboxURL          string        `doc:"URL of a separate sandbox provider process (cartwright sandbox); without it the built-in one is used, whose payments are in sandbox.db in the data folder, so that servers on several machines need one. Not allowed in production" env:"CARTWRIGHT_SANDBOX_URL"          example:"http://sandbox.example:8090"    schemes:"http https"`
	TossURL             string        `doc:"base URL of Toss Payments, for a test double or a proxy"                                                                 env:"CARTWRIGHT_TOSS_URL"             example:"https://toss-double.example"    schemes:"http https"`
	StripeURL           string        `doc:"base URL of Stripe, for a test double or a proxy"                                                                        env:"CARTWRIGHT_STRIPE_URL"           example:"https://stripe-double.example"  schemes:"http https"`
	PortOneURL          string        `doc:"base URL of PortOne, for a test double or a proxy"                                                                       env:"CARTWRIGHT_PORTONE_URL"          example:"https://portone-double.example" schemes:"http https"`

	QueryTimeout         time.Duration `doc:"time limit of a list query; text search and filters on unindexed fields scan the whole tenant and fail with query_too_slow beyond it"                                          env:"CARTWRIGHT_QUERY_TIMEOUT"          example:"2s"   need:"positive" section:"Limits and shutdown"`
	BurstPerMinute       int           `doc:"calls per minute of each secret key, user, cart or checkout token, and visitor (client key and address); 0 turns the limit off, for registrations too. The monthly quota comes from the plan"          env:"CARTWRIGHT_BURST_PER_MINUTE"       example:"300"`
	ShutdownDelay        time.Duration `doc:"after SIGTERM, how long to keep accepting requests after readiness turned to 503, so that load balancers notice"                                                                            env:"CARTWRIGHT_SHUTDOWN_DELAY"         example:"5s"`
	ShutdownTimeout      time.Duration `doc:"after that delay, how long accepted requests may take to finish"                                                                                                                                              env:"CARTWRIGHT_SHUTDOWN_TIMEOUT"       example:"30s"  need:"positive"`
	AllowPrivateWebhooks bool          `doc:"true allows webhook endpoints at private addresses, without TLS and at any port: anyone who may create endpoints can then reach the server's network (default: true in development, so that a receiver on the same machine just works, false in production)" env:"CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS" example:"true"`
	GCPercent            string        `doc:"Go's garbage collection target in percent (default: 400)"                                                                                                                                env:"GOGC"                              example:"100"`
	MemoryLimit          string        `doc:"Go's soft memory limit (default: 1GiB)"                                                                                                     env:"GOMEMLIMIT"                        example:"4GiB"`

	LogLevel        string `doc:"minimum log level; info logs every request"                                                                                                                                                                              env:"CARTWRIGHT_LOG_LEVEL"                example:"warn"                                     section:"Observability"                                                                                         values:"debug info warn error"`
	LogFormat       string `doc:"log format (default: text on a terminal in development, otherwise JSON)"                                                                                                                                                  env:"CARTWRIGHT_LOG_FORMAT"               example:"json"                                     values:"json text"`
	MetricsToken    string `doc:"token that Prometheus sends to /metrics as Authorization: Bearer (default: none is needed in development; production then does not serve /metrics)" env:"CARTWRIGHT_METRICS_TOKEN" example:"<random>" hidden:"yes"`
	DebugAddress    string `doc:"host:port of Go's profiler (default: off). Production allows loopback addresses only, because a profile reveals memory contents"                                                                                     env:"CARTWRIGHT_DEBUG_ADDR"               example:"127.0.0.1:6060"`
	OTLPEndpoint    string `doc:"base URL of an OpenTelemetry collector that takes traces and metrics over HTTP below /v1; without any endpoint nothing is traced. Other standard variables such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES also apply" env:"OTEL_EXPORTER_OTLP_ENDPOINT"         example:"http://collector.example:4318"            hidden:"yes"                                                                                                     schemes:"http https"`
	TracesEndpoint  string `doc:"full URL for traces, if it differs from the collector's or only traces are sent"                                                                                                                                                                       env:"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"  example:"http://collector.example:4318/v1/traces"  hidden:"yes"                                                                                                     schemes:"http https"`
	MetricsEndpoint string `doc:"full URL for metrics, if it differs from the collector's or only metrics are sent; the metrics of /metrics are pushed once a minute"                                                                                                                                    env:"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT" example:"http://collector.example:4318/v1/metrics" hidden:"yes"                                                                                                     schemes:"http https"`
	OTLPProtocol    string `doc:"export protocol"                                                                                                                                                                                                                        env:"OTEL_EXPORTER_OTLP_PROTOCOL"         example:"http/protobuf"                            values:"http/protobuf"`
	Sampler         string `doc:"which requests are traced (default: parentbased_always_on, which traces all requests unless the caller's traceparent says not to). parentbased samplers follow the caller's decision"                                                       env:"OTEL_TRACES_SAMPLER"                 example:"parentbased_traceidratio"                 values:"always_on always_off traceidratio parentbased_always_on parentbased_always_off parentbased_traceidratio"`
	SampleRatio     string `doc:"sampling ratio of the ratio samplers, from 0 to 1 (default: 1)"                                                                                                                                                                     env:"OTEL_TRACES_SAMPLER_ARG"             example:"0.01"`
	ServiceName     string `doc:"service name of traces and metrics"                                                                                                                                                                               env:"OTEL_SERVICE_NAME"                   example:"shop-eu"`
	Playground      Switch `doc:"GraphiQL at /api/graphql-playground (default: on in development). Production rejects on"                                                                                                                                      env:"CARTWRIGHT_PLAYGROUND"               example:"off"                                      values:"on off"`

	Mailbox   Switch `doc:"off serializes cart changes through the database alone: equally correct, slower"       env:"CARTWRIGHT_MAILBOX"   example:"off"            section:"Testing the server" values:"on off"`
	Failpoint string `doc:"failpoint at which the process kills itself, for crash tests. Not allowed in production" env:"CARTWRIGHT_FAILPOINT" example:"confirm.sent:3"`

	// Providers make the adapters of payment providers besides those of the product. No variable sets them: they
	// are given to Main.
	Providers []NewProvider
	// PasswordCost is the cost of hashing a password. No variable sets it; tests, which log in hundreds of
	// times, lower it.
	PasswordCost token.Cost
}

// textLog is the LogFormat for terminals.
const textLog = "text"

// Mode is how strictly the server checks its own configuration.
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

// defaults is the configuration without any variables set.
func defaults() Config {
	return Config{
		Address: "127.0.0.1:8080", Data: "data", Mode: Development, TokenExpiration: 604_800, LogLevel: "info",
		ReservationTTL: time.Hour, ProviderTimeout: 10 * time.Second, QueryTimeout: 5 * time.Second, ShutdownTimeout: 20 * time.Second,
		DatabaseWait: 10 * time.Second, Mailbox: On, ServiceName: "cartwright", BurstPerMinute: 600, EventRetention: 30 * 24 * time.Hour,
		ProviderConcurrency: 32, BreakerFailures: 5, BreakerWindow: 30 * time.Second, BreakerOpen: 10 * time.Second,
		PasswordCost: token.RecommendedCost, AllowPrivateWebhooks: true, MailPerHour: 2000,
	}
}

// privateWebhooks is the setting whose default depends on the mode.
const privateWebhooks = "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS"

// minEventRetention is longer than the retries of a delivery.
const minEventRetention = 96 * time.Hour

// loadConfig reads the variables from getenv and reports all problems together, one per line.
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
		problems = append(problems, nameVariables(err))
	}
	if given[privateWebhooks] == "" {
		c.AllowPrivateWebhooks = c.Mode == Development
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

// nameVariables names the variable instead of the Go field, and never repeats its value.
func nameVariables(err error) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	var out []error
	for _, e := range all.Errors {
		if parse, ok := errors.AsType[env.ParseError](e); ok {
			if s, known := settingByField(parse.Name); known {
				e = problem(s.Name + ": " + s.expectedFormat() + " is required.")
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
		fail("CARTWRIGHT_ADDR: %q is not a host:port such as 127.0.0.1:8080.", c.Address)
	}
	problems = append(problems, c.checkValues()...)
	problems = append(problems, c.checkURLs()...)
	if c.DebugAddress != "" {
		if _, port, err := net.SplitHostPort(c.DebugAddress); err != nil || !validPort(port) {
			fail("CARTWRIGHT_DEBUG_ADDR: %q is not a host:port such as 127.0.0.1:6060.", c.DebugAddress)
		}
	}
	if err := c.sampler().Check(); err != nil {
		fail("OTEL_TRACES_SAMPLER_ARG: %s.", err)
	}
	if c.EventRetention != 0 && c.EventRetention < minEventRetention {
		fail("CARTWRIGHT_EVENT_RETENTION: must be at least %s, because webhook deliveries are retried for three days; 0 keeps all events.",
			minEventRetention)
	}
	if c.BurstPerMinute < 0 {
		fail("CARTWRIGHT_BURST_PER_MINUTE: %d must not be negative; 0 means no limit.", c.BurstPerMinute)
	}
	for _, p := range c.TrustedProxies {
		_, network := netip.ParsePrefix(p)
		if _, single := netip.ParseAddr(p); network != nil && single != nil {
			fail("CARTWRIGHT_TRUSTED_PROXIES: %q is neither an address nor a network.", p)
		}
	}
	switch _, err := smtp.ParseFrom(c.MailFrom); {
	case c.SMTP != "" && c.MailFrom == "":
		fail("CARTWRIGHT_MAIL_FROM: a mail server needs a sender, such as no-reply@shop.example.")
	case c.MailFrom != "" && err != nil:
		fail("CARTWRIGHT_MAIL_FROM: %q is no address such as no-reply@shop.example or Shop <no-reply@shop.example>.", c.MailFrom)
	}
	if _, err := parseSecrets(c.Secrets); err != nil {
		fail("CARTWRIGHT_SECRETS: %s", err)
	}
	return problems
}

func (c Config) checkURLs() (problems []error) {
	for _, s := range settings() {
		value, _ := c.value(s).(string)
		if at, err := url.Parse(value); len(s.Schemes) > 0 && value != "" &&
			(err != nil || at.Host == "" || !slices.Contains(s.Schemes, at.Scheme)) {
			// never the value: it may hold a password
			problems = append(problems, problem(fmt.Sprintf("%s: must be a URL that starts with %s://.", s.Name, s.Schemes[0])))
		}
	}
	if at, err := url.Parse(c.PublicURL); err == nil && (at.User != nil || at.RawQuery != "" || at.Fragment != "") {
		problems = append(problems,
			problem("CARTWRIGHT_PUBLIC_URL: must be a URL without user, query and fragment, such as https://shop.example."))
	}
	if at, err := url.Parse(c.Media); c.Media != "" &&
		(err != nil || (at.Scheme != "file" || at.Path == "") && (at.Scheme != "s3" || at.Host == "")) {
		problems = append(problems,
			problem("CARTWRIGHT_MEDIA_URL: must be a URL such as file:///folder or s3://bucket?region=eu-central-1."))
	}
	return problems
}

// mediaURL is the URL of the store of uploaded files.
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

// playgroundEnabled reports whether GraphiQL is served. Rule graphql-10.
func (c Config) playgroundEnabled() bool { return c.Mode == Development && c.Playground != Off }

// webhookPolicy is which addresses webhook endpoints may have: public https ports, unless private networks
// are allowed.
func (c Config) webhookPolicy() webhook.AddressPolicy {
	return webhook.AddressPolicy{AllowHTTP: c.AllowPrivateWebhooks, AllowAnyPort: c.AllowPrivateWebhooks}
}

// BaseURL is the URL of the server that listens on addr.
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

// publicOrigin is scheme and host[:port] of the public URL, "" when there is none.
func (c Config) publicOrigin() string {
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// File is a path in the data folder.
func (c Config) File(name string) string { return filepath.Join(c.Data, name) }

// prepareDataDir creates the data folder, checks that it is writable, and has the databases in it private.
func (c Config) prepareDataDir() error {
	err := os.MkdirAll(c.Data, 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(c.Data, ".probe-*"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err == nil {
		err = c.hideDatabases()
	}
	if err != nil {
		return c.unwritable(err)
	}
	return nil
}

func (c Config) unwritable(err error) error {
	return fmt.Errorf("the data folder %s cannot be written: set CARTWRIGHT_DATA to a folder this user may write (%w)", c.Data, err)
}

// hideDatabases takes the right to read them from others, which older versions left to the umask. The files of another
// user are left alone.
func (c Config) hideDatabases() error {
	for _, name := range []string{storeFile, sandboxFile} {
		for _, beside := range []string{"", "-wal", "-shm"} {
			err := os.Chmod(c.File(name+beside), 0o600)
			if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				return err
			}
		}
	}
	return nil
}
