package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	messageServiceTestFields = testFields("service", "Whether the service answered that it takes what the secret signs.", []collection.Field{
		{Name: "problem", Kind: collection.Text, Doc: "Why it does not work, in the words of the service where it had any; null where it does."},
	})
	messagePreviewInput = append([]collection.Field{
		{Name: "kind", Kind: collection.Select, Options: mail.MessageKinds, Required: true, Doc: "Kind of the message."},
		{Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale, Doc: "Language, a BCP 47 tag; the shop's without one."},
		{
			Name: "order", Kind: collection.Relation, RelationTo: "orders",
			Doc: "Order to tell of. What no order has by itself, such as a parcel, is made up, as is everything without one.",
		},
	}, mail.MessageTextFields...)
	messagePreviewFields = []collection.Field{
		{Name: "locale", Kind: collection.Text, Required: true, Doc: "Language of the texts."},
		{Name: "templateCode", Kind: collection.Text, Required: true, Doc: "Code under which the message service has approved the text."},
		{Name: "text", Kind: collection.Textarea, Required: true, Doc: "The message, of at most 1,000 characters."},
		{Name: "fallbackText", Kind: collection.Textarea, Doc: "What may be sent as a plain text message; null for nothing."},
		{
			Name: "variables", Kind: collection.Array, Required: true, Doc: "What the variables were replaced with.", Fields: []collection.Field{
				{Name: "name", Kind: collection.Text, Required: true, Doc: "What stands between #{ and }."},
				{Name: "value", Kind: collection.Text, Required: true, Doc: "What it says, in one line."},
			},
		},
		{
			Name: "buttons", Kind: collection.Array, Required: true, Doc: "The buttons below it.", Fields: []collection.Field{
				{Name: "name", Kind: collection.Text, Required: true, Doc: "What it says."},
				{Name: "url", Kind: collection.Text, Required: true, Doc: "Where it leads."},
			},
		},
		{
			Name: "madeUp", Kind: collection.Texts, Required: true,
			Doc: "Names of the variables of mails whose facts are made up: all without an order, else those of what no order has by itself.",
		},
	}
)

// Messages are the operations for those who set up messages to telephones. Rules mail-38, mail-40.
func Messages(s *messages.Service, tester *messages.Tester) []Operation {
	people := []tenant.Kind{tenant.User, tenant.SecretKey}
	return []Operation{
		{
			Name: "messageTemplates.preview", GraphQL: "messageTemplatePreview", Summary: "Show what a message will say",
			Doc: "The message as it would be sent, by the shop's template or by the texts that come with the call, which need not be saved. " +
				"Nothing is sent, and nothing is kept. Texts that could not be saved are refused, with the line and column of what is wrong.",
			Method: "POST", Path: "/message-templates/preview", Surfaces: Root, AllowedKinds: people, Input: messagePreviewInput,
			Output: messagePreviewFields, Reasons: []*fault.Error{ports.ErrNotFound, messages.ErrNoTemplate},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				wanted := messagePreview(in)
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				m, err := s.Preview(ctx, call.Principal, wanted)
				return respond(messagePreviewFields, messageRecord(m), err)
			},
		},
		{
			Name: "messageServices.test", GraphQL: "messageServiceTest", Summary: "Test a message service",
			Doc: "Asks the service whether it takes what its secret signs, by a request of the kind connection_test, which has no message. " +
				"A service that is switched off can be tested, too.",
			Method: "POST", Path: "/message-services/{id}/test", Surfaces: Root, AllowedKinds: people,
			Params: []collection.Field{{
				Name: "id", Alias: "messageServiceId", Kind: collection.Relation, RelationTo: mail.MessageServices.Slug, Doc: "The service.",
			}},
			Output: messageServiceTestFields, Reasons: []*fault.Error{ports.ErrNotFound},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				r, err := tester.Test(ctx, call.Principal, in.Param("id"))
				return respond(messageServiceTestFields, collection.Record{
					"ok": r.Problem == "", "checkedAt": r.CheckedAt, "latencyMs": r.Latency.Milliseconds(), "problem": collection.TextOrNull(r.Problem),
				}, err)
			},
		},
	}
}

// messagePreview reads messagePreviewInput.
func messagePreview(in *Input) messages.Preview {
	t := mail.MessageTemplate{
		Kind: mail.Kind(in.Choice("kind")), Locale: in.Text("locale"), Code: in.Text("templateCode"), Text: in.Text("text"),
		FallbackText: in.Text("fallbackText"),
	}
	in.Objects("variables", func(in *Input) {
		t.Variables = append(t.Variables, mail.MessageVariable{Name: in.Text("name"), Tells: in.Text("tells"), Default: in.Text("default")})
	})
	in.Objects("buttons", func(in *Input) {
		t.Buttons = append(t.Buttons, mail.MessageButton{Name: in.Text("name"), URL: in.Text("url")})
	})
	return messages.Preview{MessageTemplate: t, Order: in.Reference("order", nil)}
}

func messageRecord(m messages.Shown) collection.Record {
	variables, buttons := make([]collection.Record, len(m.Variables)), make([]collection.Record, len(m.Buttons))
	for i, v := range m.Variables {
		variables[i] = collection.Record{"name": v.Name, "value": v.Value}
	}
	for i, b := range m.Buttons {
		buttons[i] = collection.Record{"name": b.Name, "url": b.URL}
	}
	return collection.Record{
		"locale": m.Locale, "templateCode": m.TemplateCode, "text": m.Text, "fallbackText": collection.TextOrNull(m.FallbackText),
		"variables": variables, "buttons": buttons, "madeUp": m.MadeUp,
	}
}
