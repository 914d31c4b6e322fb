// Package steps runs the steps of the features by calling a running server over HTTP, as any client would. It imports
// nothing of the product.
//
// Each file is one area: a struct with what its steps remember within a scenario, and the definitions of
// those steps. What all areas share is the [client]. An area that needs a fact of another, such as the
// current checkout, holds a pointer to it, given to its constructor.
package steps

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"
)

// Target is the server under test.
type Target struct {
	URLs    []string            // one per server process; calls take turns
	Client  *http.Client        // nil is http.DefaultClient
	Advance func(time.Duration) // moves the server's clock forward; nil: it cannot be moved

	// Shop opens a new shop, a tenant with its keys, on the largest plan; ShopOn opens it on another plan.
	Shop   func(ctx context.Context) (Credentials, error)
	ShopOn func(ctx context.Context, plan string) (Credentials, error)
	// Spend records calls that a shop made today; Move moves a shop to another plan, as the platform does.
	Spend func(ctx context.Context, tenantID string, calls int) error
	Move  func(ctx context.Context, tenantID, plan string) error
	// Platform logs an operator of the platform in, who belongs to no other shop, and returns the token.
	Platform func(ctx context.Context) (token string, err error)
	// Mail is the token last mailed to an address for a purpose, "rst" (password reset) or "vfy"
	// (verification). Shops send their own mail; what they send is what the server hands to them.
	Mail func(ctx context.Context, purpose, email string) (token string, err error)
	// Start is the error with which a server refuses to start with these settings; nil if it starts.
	Start func(settings map[string]string) error
	// Serve starts another server with these settings, and opens a shop there; it runs until the tests end.
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

// stepDefinition binds a sentence to the function that runs it.
type stepDefinition struct {
	pattern string
	run     any // a function as godog takes it: of the pattern's groups, maybe a context first
}

// area is a part of the product that has steps of its own.
type area interface{ definitions() []stepDefinition }

// scenario is the areas of one scenario, and what ends with it.
type scenario struct {
	areas []area
	close []func()
}

func (s *scenario) definitions() (all []stepDefinition) {
	for _, a := range s.areas {
		all = append(all, a.definitions()...)
	}
	return all
}

// Sentences are the patterns of all steps, for tests that compare them with the features.
func Sentences() []*regexp.Regexp { return slices.Clone(patterns()) }

// patterns are compiled once: every scenario registers all steps again, and compiling is slow.
var patterns = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, d := range newScenario(Target{}).definitions() {
		all = append(all, regexp.MustCompile(d.pattern))
	}
	return all
})

// Register prepares one scenario against target.
func Register(sc *godog.ScenarioContext, target Target) {
	s := newScenario(target)
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		for _, end := range s.close {
			end()
		}
		return ctx, nil
	})
	compiled := patterns()
	for i, d := range s.definitions() {
		sc.Step(compiled[i], d.run)
	}
}
