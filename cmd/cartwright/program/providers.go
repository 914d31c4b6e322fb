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
	for _, p := range adapters(k.config, client, sandboxURL, baseURL, k.now) {
		if name := p.Describe().Name; name != sandbox.Name || sandboxURL != "" {
			all[name] = p
		}
	}
	return all
}

// adapters are all payment providers that connections can name. A new one is a line here.
func adapters(c Config, client *payment.Client, sandboxURL, baseURL string, now func() time.Time) []ports.Provider {
	return []ports.Provider{
		sandbox.New(sandboxURL, baseURL+"/api", client),
		toss.New(c.TossURL, client),
		portone.New(c.PortOneURL, client),
		stripe.New(c.StripeURL, client, now),
	}
}

// descriptions are what all adapters say of themselves.
func descriptions() (all []domain.Provider) {
	for _, p := range adapters(Config{}, nil, "", "", nil) {
		all = append(all, p.Describe())
	}
	return all
}

// newRegistry has all collections of the server.
func newRegistry() (*collection.Registry, error) {
	return collection.NewRegistry(registry.Schemas(descriptions()...)...)
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
