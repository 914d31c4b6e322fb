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

// Webhooks receives webhooks of payment providers. They have no API key: the connection in the URL identifies
// the tenant, and the provider signs the exact bytes of the body, which are passed on unchanged. Success is
// 200, which some providers require. Rule payments-27.
type Webhooks struct {
	// Handle acts on a webhook of a connection. Errors: ports.ErrNotFound, ports.ErrWebhookSignature and others.
	Handle func(ctx context.Context, connection string, n ports.ProviderWebhook) error
}

// Mount implements Area.
func (w Webhooks) Mount(r fiber.Router) { r.Post(webhookRoute, w.receive) }

// webhookRoute is below /api.
const webhookRoute = "/providers/:connectionId/webhook"

func (w Webhooks) receive(c *fiber.Ctx) error {
	in := bodyOf(c)
	in.limit, in.refusal = jsonLimit, nil // the signature takes the place of credentials
	body, err := in.whole()
	if err != nil {
		return err
	}
	if err := w.Handle(c.UserContext(), c.Params("connectionId"), ports.ProviderWebhook{Header: c.GetReqHeaders(), Body: body}); err != nil {
		return err
	}
	return send(c, fiber.StatusOK, []byte(`{"received":true}`))
}

// Describe implements Describer.
func (Webhooks) Describe() []openapi.Route {
	return []openapi.Route{{Tag: "Payment sessions", NoAuth: true, RequestTypes: []string{
		"application/json", "application/x-www-form-urlencoded",
	}, Operation: operation.Operation{
		Name: "providers.webhook", Summary: "Receive a webhook of a payment provider", Method: "POST",
		Path: "/api/providers/{connectionId}/webhook",
		Params: []collection.Field{
			{Name: "connectionId", Kind: collection.Text, Doc: "The connection that the provider's account belongs to."},
		},
		Output: []collection.Field{{
			Name: "received", Kind: collection.Boolean, Required: true,
			Doc: "Always true: the event was accepted and must not be sent again.",
		}},
		Reasons: []*fault.Error{fault.ErrNotFound, ports.ErrWebhookSignature, ports.ErrProviderUnavailable, fault.ErrUnavailable},
	}}}
}
