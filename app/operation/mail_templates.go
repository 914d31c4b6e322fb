package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	mailVariableFields = []collection.Field{
		{Name: "name", Kind: collection.Text, Required: true, Doc: "What stands between the braces: {{name}}."},
		{Name: "doc", Kind: collection.Text, Required: true, Doc: "What it tells, in the language of the caller."},
		{
			Name: "type", Kind: collection.Select, Options: mail.Types, Required: true,
			Doc: "text, number, money, date, time and url are told as they are; boolean is for {{#name}}…{{/name}}, what to say if it is true; " +
				"list for the same, which repeats for each item, or for a table, alone in its line; block has lines of its own, too.",
		},
	}
	mailKindFields = []collection.Field{{
		Name: "kinds", Kind: collection.Array, Required: true, Doc: "The kinds, those to buyers first.", Fields: []collection.Field{
			{Name: "kind", Kind: collection.Select, Options: mail.Kinds, Required: true, Doc: "The kind, as templates name it."},
			{Name: "ofOrder", Kind: collection.Boolean, Required: true, Doc: "Whether it tells of an order, so that previews can."},
			{
				Name: "variables", Kind: collection.Array, Required: true, Doc: "What its templates can tell.", Fields: append(mailVariableFields[:3:3],
					collection.Field{Name: "fields", Kind: collection.Array, Required: true, Fields: mailVariableFields, Doc: "What each item of a list has."}),
			},
			{Name: "defaults", Kind: collection.Array, Required: true, Doc: "What it says as long as the shop has no words of its own.",
				Fields: []collection.Field{
					{Name: "locale", Kind: collection.Text, Required: true, Doc: "Language."},
					{Name: "subject", Kind: collection.Text, Required: true, Doc: "Subject."},
					{Name: "body", Kind: collection.Textarea, Required: true, Doc: "Text."},
				}},
		},
	}}
	mailPreviewInput = []collection.Field{
		{Name: "kind", Kind: collection.Select, Options: mail.Kinds, Required: true, Doc: "Kind of the mail."},
		{Name: "locale", Kind: collection.Text, MaxLength: tenant.MaxLocale, Doc: "Language, a BCP 47 tag; the shop's without one."},
		{Name: "subject", Kind: collection.Text, MaxLength: mail.MaxSubject, Doc: "Subject, as a template has it; without one that which mails have now."},
		{Name: "body", Kind: collection.Textarea, MaxLength: mail.MaxBody, Doc: "Text, as a template has it; without one that which mails have now."},
		{
			Name: "order", Kind: collection.Relation, RelationTo: "orders",
			Doc: "Order to tell of. What no order has by itself, such as a parcel, is made up, as is everything without one.",
		},
	}
	mailPreviewFields = []collection.Field{
		{Name: "locale", Kind: collection.Text, Required: true, Doc: "Language of the texts."},
		{Name: "subject", Kind: collection.Text, Required: true, Doc: "Subject."},
		{Name: "text", Kind: collection.Textarea, Required: true, Doc: "The mail as text."},
		{Name: "html", Kind: collection.Textarea, Required: true,
			Doc: "The mail as an HTML document. It has no scripts, and loads nothing but the shop's logo."},
		{
			Name: "madeUp", Kind: collection.Texts, Required: true,
			Doc: "Names of the variables whose facts are made up: all without an order, else those of what no order has by itself.",
		},
	}
)

// MailTemplates are the operations for those who edit what mails say. Rules mail-22, mail-24.
func MailTemplates(s *mailtexts.Service) []Operation {
	people := []tenant.Kind{tenant.User, tenant.SecretKey}
	return []Operation{
		{
			Name: "mailTemplates.kinds", GraphQL: "mailTemplateKinds", Summary: "List what mails can tell, and their default words",
			Doc:    "For pages that edit templates: which variables each kind has, and what it says in English, Japanese and Korean by itself.",
			Method: get, Path: "/mail-templates/kinds", Surfaces: Root, AllowedKinds: people, Output: mailKindFields, Localized: true,
			Run: func(_ context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				_, err := access.Allowed(call.Principal, mail.Templates, collection.Read)
				return respond(mailKindFields, collection.Record{"kinds": mailKinds(call.Language)}, err)
			},
		},
		{
			Name: "mailTemplates.preview", GraphQL: "mailTemplatePreview", Summary: "Show how a mail will look",
			Doc: "The mail as it would be sent. Nothing is sent, and nothing is kept. A text that could not be saved is refused, " +
				"with the line and column of what is wrong.",
			Method: "POST", Path: "/mail-templates/preview", Surfaces: Root, AllowedKinds: people, Input: mailPreviewInput, Output: mailPreviewFields,
			Reasons: []*fault.Error{ports.ErrNotFound},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				wanted := mailPreview(in)
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				m, err := s.Preview(ctx, call.Principal, wanted)
				return respond(mailPreviewFields, collection.Record{
					"locale": m.Locale, "subject": m.Subject, "text": m.Text, "html": m.HTML, "madeUp": m.MadeUp,
				}, err)
			},
		},
	}
}

// mailPreview reads mailPreviewInput.
func mailPreview(in *Input) mailtexts.Preview {
	return mailtexts.Preview{Kind: mail.Kind(in.Choice("kind")), Draft: mail.Draft{
		Locale: in.Text("locale"), Subject: in.Text("subject"), Body: in.Text("body"), Order: in.Reference("order", nil),
	}}
}

// mailKinds are the kinds of mails as the API tells them.
func mailKinds(l words.Language) []collection.Record {
	var all []collection.Record
	for _, name := range mail.Kinds {
		kind := mail.Kind(name)
		defaults := make([]collection.Record, len(mail.DefaultLanguages))
		for i, language := range mail.DefaultLanguages {
			t, _ := mail.Default(kind, language)
			defaults[i] = collection.Record{"locale": t.Locale, "subject": t.Subject, "body": t.Body}
		}
		all = append(all, collection.Record{
			"kind": name, "ofOrder": kind.IsOfOrder(), "variables": mailVariables(l, mail.VariablesOf(kind)), "defaults": defaults,
		})
	}
	return all
}

func mailVariables(l words.Language, all []mail.Variable) []collection.Record {
	out := make([]collection.Record, len(all))
	for i, v := range all {
		out[i] = collection.Record{"name": v.Name, "doc": l.Variable(v.Name, v.Doc), "type": string(v.Type), "fields": mailVariables(l, v.Fields)}
	}
	return out
}
