package paymentbed

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/gofiber/fiber/v2"
)

// fakeAuthenticator knows credentials of the bed's tenant, and one of another tenant.
type fakeAuthenticator struct{ b *Bed }

// IsSameSite implements rest.Authenticator.
func (fakeAuthenticator) IsSameSite(access.Credentials) bool { return true }

func (d fakeAuthenticator) Authenticate(_ context.Context, c access.Credentials) (tenant.Principal, error) {
	p := tenant.Principal{Tenant: d.b.Shop, Environment: tenant.Test, CanRead: true, CanWrite: true, ID: "k", Kind: tenant.Anonymous}
	switch {
	case c.APIKey == "sk":
		p.Kind = tenant.SecretKey
	case c.APIKey == "sk_stranger":
		p.Kind, p.Tenant.ID = tenant.SecretKey, "outsider"
	case c.APIKey == "sk_live":
		p.Kind, p.Environment = tenant.SecretKey, tenant.Live
	case c.APIKey == "sk_reader":
		p.Kind, p.CanWrite = tenant.SecretKey, false
	case c.Bearer != "":
		p.Kind, p.ID = tenant.Customer, c.Bearer
	case c.ClientKey == "pk":
		p.Kind = tenant.ClientKey
	case c.ClientKey == "pk_stranger":
		p.Kind, p.Tenant.ID = tenant.ClientKey, "outsider"
	case c.ClientKey == "pk_live":
		p.Kind, p.Environment = tenant.ClientKey, tenant.Live
	}
	return p, nil
}

// Web is the bed's use cases over HTTP.
type Web struct {
	b   *Bed
	app *fiber.App
}

// Do performs a request.
func (w Web) Do(r *http.Request) (*http.Response, error) { return w.app.Test(r, -1) }

// Ask performs a request and parses its answer.
func (w Web) Ask(method, path, body string, headers ...string) (int, Answer) {
	w.b.T.Helper()
	status, s := shops.Do(w.b.T, w.Do, method, path, body, headers...)
	return status, Answer(s)
}

// NewWeb serves the bed's instance.
func NewWeb(b *Bed) Web {
	return Web{b, rest.New(rest.Options{
		Log: slog.New(slog.DiscardHandler), Access: fakeAuthenticator{b}, NewID: shops.NewID, Now: b.Now,
		Areas: []rest.Area{
			rest.Operations(slices.Concat(operation.Checkouts(b.Checkouts, b.Refunds.Attention),
				operation.Payments(b.Payments, b.Reconciler), operation.Returns(b.Returns))),
			rest.Webhooks{Handle: b.Webhooks.HandleWebhook},
		},
	})}
}
