package program

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox"
	"github.com/cartwright-dev/cartwright/adapters/payment/stripe"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss"
	"github.com/cartwright-dev/cartwright/domain/collection"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/ports"
)

// providers are the adapters of this installation, by the name of their payment provider, called through client. Their
// webhooks are sent to the API at baseURL.
func (k *platform) providers(client *payment.Client, sandboxURL, baseURL string) map[string]ports.Provider {
	all := map[string]ports.Provider{}
	for _, p := range k.config.adapters(client, sandboxURL, baseURL, k.now) {
		if name := p.Describe().Name; name != sandbox.Name || sandboxURL != "" {
			all[name] = p
		}
	}
	return all
}

// NewProvider makes the adapter of a payment provider that is not part of the product. It calls its provider with
// client, which has the limits of the server's settings and a circuit for each connection; client is nil where
// the adapter is only asked to describe itself. The guide to writing one is adapters/payment/GUIDE.md.
type NewProvider func(client *payment.Client) ports.Provider

// adapters are all payment providers that connections can name. A new one of the product is a line here.
func (c Config) adapters(client *payment.Client, sandboxURL, baseURL string, now func() time.Time) []ports.Provider {
	all := []ports.Provider{
		sandbox.New(sandboxURL, baseURL+"/api", client),
		toss.New(c.TossURL, client),
		portone.New(c.PortOneURL, client),
		stripe.New(c.StripeURL, client, now),
	}
	for _, newProvider := range c.Providers {
		all = append(all, newProvider(client))
	}
	return all
}

// descriptions are what all adapters say of themselves.
func (c Config) descriptions() (all []domain.Provider) {
	for _, p := range c.adapters(nil, "", "", nil) {
		all = append(all, p.Describe())
	}
	return all
}

// newRegistry has all collections of the server. Errors: those of domain.CheckProviders.
func (c Config) newRegistry() (*collection.Registry, error) {
	providers := c.descriptions()
	if err := domain.CheckProviders(providers); err != nil {
		return nil, err
	}
	return collection.NewRegistry(registry.Schemas(providers...)...)
}

// openSandbox starts the sandbox provider on its own loopback address, unless one is configured. Production
// has none. Its payment page is below publicURL.
func (k *platform) openSandbox(ctx context.Context, publicURL string) (url string, err error) {
	if k.config.Mode == Production {
		return "", nil
	}
	if k.config.SandboxURL != "" {
		return k.config.SandboxURL, nil
	}
	b, err := openSandboxProvider(ctx, k.config, k, publicURL)
	if err != nil {
		return "", err
	}
	l, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return "", errors.Join(err, b.Close())
	}
	server := &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	k.background.Task("sandbox").Start(func() { _ = server.Serve(l) }) // ends with Close, which the closer below calls
	k.closers = append(k.closers, func() error { return errors.Join(server.Close(), b.Close()) })
	return "http://" + l.Addr().String(), nil
}
