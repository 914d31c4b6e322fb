// Package steps makes the sentences of the features true or false by speaking HTTP to a running server, as any client
// would. It imports nothing of the product.
package steps

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"
)

// Target is the server under test.
type Target struct {
	URLs    []string                                       // one per server process; calls take turns
	Advance func(time.Duration)                            // moves the server's clock; nil: it cannot be moved
	Shop    func(ctx context.Context) (Credentials, error) // opens a new shop: a tenant with its keys
	// ShopOn is Shop on another plan than the largest.
	ShopOn func(ctx context.Context, plan string) (Credentials, error)
	// Spend has a shop have made calls today; Move moves it to another plan, as the platform does.
	Spend  func(ctx context.Context, tenantID string, calls int) error
	Move   func(ctx context.Context, tenantID, plan string) error
	Client *http.Client // nil is http.DefaultClient
	// Mail is the token last mailed to an address for a purpose, "rst" or "vfy". Shops send their own mail; what they
	// send is what the server hands to them.
	Mail func(ctx context.Context, purpose, email string) (token string, err error)
	// Start says what a server that is started with these settings has against them; nil is nothing.
	Start func(settings map[string]string) error
	// Serve starts a server of its own with these settings; it runs until the tests end.
	Serve func(ctx context.Context, settings map[string]string) (url string, shop Credentials, err error)
}

// Credentials are what the owner of a new shop is given; the names are those of credentials.json.
type Credentials struct {
	AdminEmail    string `json:"adminEmail"`
	AdminPassword string `json:"adminPassword"`
	TenantID      string `json:"tenantId"`
	ClientKey     string `json:"clientKey"`
	SecretKey     string `json:"secretKey"`
	TestClientKey string `json:"testClientKey"`
	TestSecretKey string `json:"testSecretKey"`
}

// world is what one scenario knows.
type world struct {
	target  Target
	turn    atomic.Int64
	shop    Credentials
	other   Credentials
	goods   map[string]good // by name
	markets map[string]string

	cart      cartView
	another   cartView // the cart made before it
	checkout  checkoutView
	seen      []checkoutView // every checkout made, oldest first
	payment   paymentView
	before    paymentView // the payment opened before it
	sold      string      // id of the order last placed
	draft     string      // id of the draft order last made
	drafted   any         // and what it said then
	imported  request     // that brought it in
	parcels   []string    // ids of its parcels, oldest first
	sheet     [][]string  // the file for carriers that the shop last got
	first     shopper     // the first of two shoppers
	bank      bankView    // the payment at a bank of the shop's own
	firstBank bankView    // the one before it
	returning returnView
	late      string // the payment whose money came too late
	session   session
	elsewhere session
	mailed    string // the token last used
	newKey    string // of the API key last made
	oldKey    string // before it was rotated
	keyID     string
	receiver  string            // id of the webhook endpoint last made
	signing   string            // and its secret
	resigning string            // the one that took its place
	listeners []*listener       // that are told of changes
	people    map[string]string // tokens of customers by name
	records   map[string]string // ids of brands by name
	file      file
	objection error // to a start
	program   program

	sent request // the last request of the person the scenario is about
	got  answer  // and its answer
	all  []answer
	key  string // idempotency key of the last request
}

// good is something the shop sells.
type good struct{ product, variant string }

// definition binds a sentence to what it does.
type definition struct {
	sentence string
	do       any
}

func (w *world) definitions() []definition {
	var all []definition
	for _, some := range [][]definition{w.shopSteps(), w.catalogSteps(), w.listingSteps(), w.stockSteps(), w.cartSteps(), w.mergeSteps(), w.previousSteps(), w.customerSteps(), w.discountSteps(), w.estimateSteps(), w.keySteps(), w.checkoutSteps(), w.paymentSteps(), w.refundSteps(), w.draftSteps(), w.orderSteps(), w.fulfilmentSteps(), w.carrierFileSteps(), w.returnSteps(), w.bridgeSteps(), w.pageSteps(), w.reconcileSteps(), w.attentionSteps(), w.stepKeySteps(), w.promiseSteps(), w.recordSteps(), w.searchSteps(), w.fileSteps(), w.postSteps(), w.peopleSteps(), w.recoverySteps(), w.memberSteps(), w.apiKeySteps(), w.webhookSteps(), w.listeningSteps(), w.graphqlSteps(), w.kindSteps(), w.eventSteps(), w.limitSteps()} {
		all = append(all, some...)
	}
	return all
}

// Sentences are the patterns of all steps, for tests that compare them with the features.
func Sentences() []*regexp.Regexp { return slices.Clone(compiled()) }

// compiled is made once: each scenario registers every step anew, and a pattern is slow to compile.
var compiled = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, d := range (&world{}).definitions() {
		all = append(all, regexp.MustCompile(d.sentence))
	}
	return all
})

// Register prepares one scenario against target.
func Register(sc *godog.ScenarioContext, target Target) {
	w := &world{target: target, goods: map[string]good{}, markets: map[string]string{}, records: map[string]string{}, people: map[string]string{}}
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		w.deafen()
		return ctx, nil
	})
	patterns := compiled()
	for i, d := range w.definitions() {
		sc.Step(patterns[i], d.do)
	}
}

// newKey is a random idempotency key of the form the SDK's generator makes.
func newKey() string {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	key := []byte("ik_")
	for range 32 {
		key = append(key, letters[rand.IntN(len(letters))])
	}
	return string(key)
}

// wait lets time pass for the server.
func (w *world) wait(amount int, unit string) error {
	if w.target.Advance == nil {
		return errors.New("this server's clock cannot be moved; tag the scenario @clock")
	}
	w.target.Advance(time.Duration(amount) * units[unit])
	return nil
}

// units of time, as sentences call them.
var units = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
