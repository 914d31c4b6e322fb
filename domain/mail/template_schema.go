package mail

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Templates declares what a shop's mails say where they do not have the default words. Only admins write them: they also say what is
// in mails that let people into the shop. Rule mail-23.
var Templates = &collection.Schema{
	Slug: "mail-templates", Singular: "MailTemplate", Plural: "MailTemplates",
	Doc: "What mails of a kind say in one language, in place of the default words.",
	Fields: []collection.Field{
		{Name: "kind", Kind: collection.Select, Required: true, Immutable: true, Indexed: true, Options: Kinds, Doc: "Kind of the mails."},
		{
			Name: "locale", Kind: collection.Text, Required: true, Immutable: true, Indexed: true, MaxLength: tenant.MaxLocale,
			Doc: "Language: a BCP 47 tag, such as ko or en-US. A kind has one template for each.",
		},
		{Name: "subject", Kind: collection.Text, Required: true, MaxLength: MaxSubject, Doc: "Subject, with tags such as {{orderNumber}}."},
		{
			Name: "body", Kind: collection.Textarea, Required: true, MaxLength: MaxBody,
			Doc: "Text, with tags for the variables of the kind and a little Markdown: paragraphs, # headings, - lists, **bold**, [links](https://…). A link that is a paragraph of its own is a button.",
		},
		{Name: "active", Kind: collection.Boolean, Default: true, Doc: "Whether it is used. Otherwise mails have the default words."},
	},
	UniqueSets: [][]string{{"kind", "locale"}}, MaxBytes: 128 << 10,
	Access: collection.Access{
		Viewer: []collection.Verb{collection.Read}, Editor: []collection.Verb{collection.Read},
		Admin:     []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
		SecretKey: []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete},
	},
}

// TemplateFrom reads a record of Templates.
func TemplateFrom(r collection.Record) Template {
	return Template{Kind: Kind(r.Text("kind")), Locale: r.Text("locale"), Subject: r.Text("subject"), Body: r.Text("body")}
}

// Saved are the templates of records that are used.
func Saved(all []collection.Record) (out []Template) {
	for _, r := range all {
		if r.Bool("active") {
			out = append(out, TemplateFrom(r))
		}
	}
	return out
}

// Complete brings a template into its stored form: a new one (before is nil) with the usual spelling of its locale. It does not
// change next. A text that stays as it is and is not used is not checked: one that this version cannot read can be switched off.
// Errors: those of Template.Check, and fault.ErrValidation for what is no locale.
func Complete(before, next collection.Record) (collection.Record, error) {
	if before == nil {
		locale, ok := tenant.ParseLocale(next.Text("locale"))
		if !ok {
			return nil, fault.Invalidf("locale", "This is no language tag. Examples: ko, en-US, zh-Hant.")
		}
		next = next.Clone()
		next["locale"] = locale
	}
	if before != nil && !next.Bool("active") && TemplateFrom(before) == TemplateFrom(next) {
		return next, nil
	}
	return next, TemplateFrom(next).Check()
}
