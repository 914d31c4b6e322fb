package cartwright

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Version is that of the SDK.
const Version = "0.45.0"

// Defaults of a Config.
const (
	defaultTimeout   = 30 * time.Second
	defaultAttempts  = 4
	defaultBaseDelay = 250 * time.Millisecond
	defaultMaxDelay  = 8 * time.Second
)

// Config says which shop a client is for. It holds a secret: printed or logged it shows the server and the environment.
type Config struct {
	BaseURL    string        // of the server, with or without /api
	ClientKey  string        // pk_live_… or pk_test_…; "": none, the secret key is enough
	SecretKey  string        `json:"-"` // sk_live_… or sk_test_…
	HTTPClient *http.Client  // nil: one of its own. Redirects are never followed: they would carry the secret away
	Pending    PendingStore  // where unsettled operations are written down; nil: memory, which a restart forgets
	Timeout    time.Duration // of one attempt; 0: 30 s
	Language   string        // of messages, as Accept-Language: ko, or ko, en;q=0.5; "": English
	Retry      Retry
}

// Retry says how often and how soon an attempt is repeated.
type Retry struct {
	Attempts  int           // in all; 0: 4; 1: never repeat
	BaseDelay time.Duration // the first pause is random up to this, each further one up to twice the last; 0: 250 ms
	MaxDelay  time.Duration // no pause is longer, unless the server asks for one; 0: 8 s
}

// String names the server and the environment.
func (c Config) String() string {
	return "cartwright.Config(" + shown(c.BaseURL) + ", " + environment(c.SecretKey) + ")"
}

// GoString implements fmt.GoStringer.
func (c Config) GoString() string { return c.String() }

// LogValue implements slog.LogValuer.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Client is a shop's server as seen by its own server programs. It is safe for concurrent use. Make one with
// New and keep it: it remembers the operations in flight and the carts it has seen.
type Client struct {
	Shop            *ShopService
	Addresses       *AddressService
	Search          *SearchService
	Reports         *ReportService
	Products        *ProductService
	Carts           *CartService
	Cart            *PreviousCartService // the previous generation
	Discounts       *DiscountService
	Shipping        *ShippingService
	Checkouts       *CheckoutService
	PaymentSessions *PaymentSessionService
	Orders          *OrderService
	DraftOrders     *DraftOrderService
	ReturnRequests  *ReturnRequestService
	Exports         *ExportService
	Imports         *ImportService
	Prints          *PrintService
	Invitations     *InvitationService
	Pending         *PendingService
	Collections     Collections // the records themselves

	core *core
	name string
}

// String names the server and the environment.
func (c *Client) String() string { return c.name }

// GoString implements fmt.GoStringer.
func (c *Client) GoString() string { return c.name }

// The forms of keys. Nothing else may go into a header.
var (
	secretKey = regexp.MustCompile(`^sk_(live|test)_[A-Za-z0-9_-]+$`)
	clientKey = regexp.MustCompile(`^pk_(live|test)_[A-Za-z0-9_-]+$`)
)

// environment is "live" or "test", by a key; "" if it is no key.
func environment(key string) string {
	for _, form := range []*regexp.Regexp{secretKey, clientKey} {
		if m := form.FindStringSubmatch(key); m != nil {
			return m[1]
		}
	}
	return ""
}

// New makes a client. Errors: the keys or the address are none, or do not belong together; their text holds no key.
func New(config Config) (*Client, error) {
	base, err := baseOf(config.BaseURL)
	if err != nil {
		return nil, err
	}
	if !secretKey.MatchString(config.SecretKey) {
		return nil, errors.New("cartwright: SecretKey must be a secret key: sk_live_… or sk_test_…")
	}
	if config.ClientKey != "" && !clientKey.MatchString(config.ClientKey) {
		return nil, errors.New("cartwright: ClientKey must be a client key: pk_live_… or pk_test_…")
	}
	if config.ClientKey != "" && environment(config.ClientKey) != environment(config.SecretKey) {
		return nil, errors.New("cartwright: one key is for test and the other for live")
	}
	s := newCore(base, config)
	c := &Client{
		Shop: &ShopService{s}, Addresses: &AddressService{s}, Search: &SearchService{s}, Reports: &ReportService{s}, Products: &ProductService{s},
		Carts: &CartService{s}, Cart: &PreviousCartService{s}, Discounts: &DiscountService{s},
		Shipping: &ShippingService{s}, Checkouts: &CheckoutService{s}, Orders: &OrderService{s}, DraftOrders: &DraftOrderService{s},
		PaymentSessions: &PaymentSessionService{s, &CustomPaymentService{s}}, ReturnRequests: &ReturnRequestService{s},
		Exports: &ExportService{s}, Imports: &ImportService{s}, Prints: &PrintService{s}, Invitations: &InvitationService{s},
		Pending: &PendingService{s}, core: s,
		name: "cartwright.Client(" + base + ", " + environment(config.SecretKey) + ")",
	}
	c.Collections.at(s)
	return c, nil
}

// baseOf is the address without /api and a slash at its end. Errors: it is no address of a server.
func baseOf(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("cartwright: BaseURL must be the address of the server, such as https://shop.example")
	}
	return strings.TrimSuffix(strings.TrimRight(text, "/"), "/api"), nil
}

// shown is an address without what may be secret in it.
func shown(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "?"
	}
	return u.Scheme + "://" + u.Host
}

// Option changes one call.
type Option func(*options)

type options struct {
	key     string
	timeout time.Duration
}

// WithIdempotencyKey gives a mutation a key of the caller's own: 16 to 255 visible characters, random, one
// for each logical operation. The caller keeps it until the outcome is known. Without it the client makes and
// keeps one.
func WithIdempotencyKey(key string) Option { return func(o *options) { o.key = key } }

// WithTimeout bounds each attempt of the call; the context bounds the call as a whole.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// core is what the services share.
type core struct {
	base      string
	authorize func(http.Header, *person) // a function, for what is printed of one tells nothing; nil: as the shop
	http      *http.Client
	timeout   time.Duration
	retry     Retry
	scope     string // of pending operations
	pending   PendingStore
	language  string
	flights   flights
	carts     cartCache
	now       func() time.Time
	pause     func(context.Context, time.Duration) error
}

func newCore(base string, c Config) *core {
	secret, public := c.SecretKey, c.ClientKey
	client := http.Client{}
	if c.HTTPClient != nil {
		client = *c.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s := &core{
		base: base, http: &client, timeout: orDefault(c.Timeout, defaultTimeout), scope: scopeOf(base, secret), pending: c.Pending,
		language: c.Language, now: time.Now, pause: pause,
	}
	s.retry = Retry{
		orDefault(c.Retry.Attempts, defaultAttempts), orDefault(c.Retry.BaseDelay, defaultBaseDelay),
		orDefault(c.Retry.MaxDelay, defaultMaxDelay),
	}
	s.authorize = func(h http.Header, as *person) {
		switch {
		case as == nil:
			h.Set("X-API-Key", secret)
		case as.userToken != "":
			h.Set("Authorization", "Bearer "+as.userToken)
			return // the client key would ask for a member of this shop, which the person is not yet
		}
		if public != "" {
			h.Set("X-Client-Key", public)
		}
	}
	if s.pending == nil {
		s.pending = NewMemoryStore()
	}
	return s
}

func orDefault[T int | time.Duration](given, otherwise T) T {
	if given <= 0 {
		return otherwise
	}
	return given
}

// call does an operation and reads its answer into out.
func (c *core) call(ctx context.Context, o operation, in, out any, opts []Option) (answer, error) {
	r, err := o.request(in)
	if err != nil {
		return answer{}, invalid(o.name, err)
	}
	return c.do(ctx, r, out, opts)
}

func (c *core) do(ctx context.Context, r request, out any, opts []Option) (a answer, err error) {
	set := options{timeout: c.timeout}
	for _, change := range opts {
		change(&set)
	}
	if ctx.Err() != nil {
		return a, aborted(ctx, r.name)
	}
	if r.keyed {
		a, err = c.mutate(ctx, r, set)
	} else {
		a, err = c.ask(ctx, r, set.timeout)
	}
	if err != nil {
		return a, err
	}
	return a, a.read(r.name, out)
}

// ask does an operation that changes nothing.
func (c *core) ask(ctx context.Context, r request, timeout time.Duration) (answer, error) {
	a, failed := c.send(ctx, r, "", timeout, func(*Error) {})
	if failed != nil {
		return a, failed
	}
	return a, nil
}

func invalid(op string, cause error) *Error {
	return &Error{Operation: op, Reason: ReasonInvalidInput, Message: fmt.Sprint(cause), cause: cause}
}
