package main

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
	"github.com/cartwright-dev/cartwright/ports"
)

// providers are the payment providers of this installation, called through client. Their webhooks are sent to
// the API at baseURL.
func (k *platform) providers(client *payment.Client, sandboxURL, baseURL string) map[string]ports.Provider {
	all := map[string]ports.Provider{
		"portone": portone.New(k.config.PortOneURL, client),
		"toss":    toss.New(k.config.TossURL, client),
		"stripe":  stripe.New(k.config.StripeURL, client, k.now),
	}
	if sandboxURL != "" {
		all["sandbox"] = sandbox.New(sandboxURL, baseURL+"/api", client)
	}
	return all
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
