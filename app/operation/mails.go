package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	mailDeliveryParam = collection.Field{
		Name: "id", Alias: "mailDeliveryId", Kind: collection.Relation, RelationTo: mail.Deliveries.Slug, Doc: "The delivery.",
	}
	mailDeliveryOutput = []collection.Field{
		messageMember,
		{
			Name: "delivery", Kind: collection.Relation, RelationTo: mail.Deliveries.Slug, Required: true,
			Doc: "The delivery as it is now; its outcome is stored shortly afterwards.",
		},
	}
	mailStatusOutput = []collection.Field{
		{Name: "sends", Kind: collection.Boolean, Required: true, Doc: "Whether mails leave the server: those about live data, where it has a mail server."},
		{Name: "from", Kind: collection.Text, Doc: "Address that they come from; null where none leaves."},
		{Name: "page", Kind: collection.Text, Doc: "Path of the page on which a development server shows those that do not leave it; null for none."},
		{Name: "down", Kind: collection.Boolean, Required: true, Doc: "Whether the mail server could not be reached lately, so that mails wait."},
		{Name: "waiting", Kind: collection.Integer, Required: true, Doc: "How many mails wait."},
		{Name: "failed", Kind: collection.Integer, Required: true, Doc: "How many mails of the last week were given up."},
		{
			Name: "messages", Kind: collection.Group, Required: true, Doc: "The messages to telephones.", Fields: []collection.Field{
				{Name: "waiting", Kind: collection.Integer, Required: true, Doc: "How many messages wait."},
				{Name: "failed", Kind: collection.Integer, Required: true, Doc: "How many messages of the last week were given up."},
			},
		},
	}
)

// Mails are the operations of a shop's people on mails, besides reads. Rules: features/mail/RULES.md.
func Mails(s *mails.Service) []Operation {
	return []Operation{
		{
			Name: "mail.status", GraphQL: "mailStatus", Summary: "Show whether mails are sent",
			Doc: "Of the environment of the call, and what waits or was given up of its mails and messages to telephones. Without a mail server a shop " +
				"mails by itself, by what its webhook endpoints are told.",
			Method: get, Path: "/mail/status", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Output: mailStatusOutput,
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				found, err := s.Show(ctx, call.Principal)
				return respond(mailStatusOutput, collection.Record{
					"sends": found.Sends, "from": collection.TextOrNull(found.From), "page": collection.TextOrNull(found.Page), "down": found.Down,
					"waiting": found.Mails.Waiting, "failed": found.Mails.Failed,
					"messages": collection.Record{"waiting": found.Messages.Waiting, "failed": found.Messages.Failed},
				}, err)
			},
		},
		{
			Name: "mailDeliveries.resend", GraphQL: "mailDeliveryResend", Summary: "Send a mail again",
			Doc: "To the address that the record has now. One that waits is tried at once. Mails with a link for one person, notifications of the " +
				"team, test mails and those whose cause is gone are not sent again. `resendable` of the delivery says so as far as it can tell.",
			Method: "POST", Path: "/mail-deliveries/{id}/resend", Mutates: true, Surfaces: Root, KeyPolicy: KeyOptional,
			AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Params: []collection.Field{mailDeliveryParam}, Output: mailDeliveryOutput,
			Reasons: []*fault.Error{
				mail.ErrSending, mail.ErrTestMail, mail.ErrTokenMail, mail.ErrNotice, mail.ErrRecipientErased, mail.ErrCauseGone,
			},
			Run: byID(s.Resend),
		},
		testMail(s),
	}
}

// testMail sends what a preview shows to its caller.
func testMail(s *mails.Service) Operation {
	return Operation{
		Name: "mailTemplates.test", GraphQL: "mailTemplateTest", Summary: "Send a test mail to yourself",
		Doc: "What the preview of the same input shows, to the address of the user who is logged in, by the queue of other mails: 30 an hour, " +
			"and while fewer than 20 of the shop wait. It counts as a live mail in both environments. The text need not be saved, and is kept until it is sent.",
		Method: "POST", Path: "/mail-templates/test", Mutates: true, Surfaces: Root, KeyPolicy: KeyOptional,
		AllowedKinds: []tenant.Kind{tenant.User}, Input: mailPreviewInput, Output: mailDeliveryOutput,
		Reasons: []*fault.Error{mails.ErrNoMailServer, mails.ErrTooManyTests, access.ErrNotMember, ports.ErrNotFound},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			wanted := mailPreview(in)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.SendTest(ctx, call, wanted)
		},
	}
}
