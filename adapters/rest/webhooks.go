package rest

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Webhooks takes what payment providers tell. They have no key of ours: the connection in the address names the tenant,
// and the provider signs the bytes of the body, which therefore are read as they came. Success is 200, which some
// providers insist on. Contract 8.
type Webhooks struct {
	// Hear acts on a webhook of a connection. Errors: ports.ErrAbsent, ports.ErrWebhookSignature and others.
	Hear func(ctx context.Context, connection string, n ports.Notice) error
}

// Mount implements Area.
func (w Webhooks) Mount(r fiber.Router) { r.Post("/providers/:connectionId/webhook", w.hear) }

func (w Webhooks) hear(c *fiber.Ctx) error {
	body, err := bodyOf(c).whole()
	if err != nil {
		return err
	}
	if err := w.Hear(c.UserContext(), c.Params("connectionId"), ports.Notice{Header: c.GetReqHeaders(), Body: body}); err != nil {
		return err
	}
	return send(c, fiber.StatusOK, []byte(`{"received":true}`))
}

// Describe implements Describer.
func (Webhooks) Describe() []openapi.Route {
	return []openapi.Route{{Tag: "Payment sessions", Open: true, Takes: []string{"application/json", "application/x-www-form-urlencoded"}, Operation: operation.Operation{
		Name: "providers.webhook", Summary: "Hear from a payment provider that a payment is worth looking up", Method: "POST", Path: "/api/providers/{connectionId}/webhook",
		Params:  []collection.Field{{Name: "connectionId", Kind: collection.Text, Doc: "The connection that the provider's account belongs to."}},
		Output:  []collection.Field{{Name: "received", Kind: collection.Boolean, Required: true, Doc: "True: the event need not be delivered again."}},
		Reasons: []*fault.Error{fault.ErrNotFound, ports.ErrWebhookSignature, ports.ErrProviderUnavailable, fault.ErrUnavailable},
	}}}
}
