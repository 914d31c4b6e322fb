package mail

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// MessageTextFields declare what a message says, of a template and of a preview.
var MessageTextFields = []collection.Field{
	{
		Name: "templateCode", Kind: collection.Text, MaxLength: maxTemplateCode,
		Doc: "Code under which the message service has approved the text.",
	},
	{
		Name: "text", Kind: collection.Textarea, MaxLength: MaxMessage,
		Doc: "The text as it was approved, with variables such as #{orderNumber}, or #{주문번호} if variables says what that tells.",
	},
	{
		Name: "fallbackText", Kind: collection.Textarea, MaxLength: MaxMessage,
		Doc: "What the message service may send as a plain text message if this one cannot be delivered, with the same variables; null: nothing.",
	},
	{
		Name: "variables", Kind: collection.Array, Doc: "What the variables of the texts tell. Those that are called as in mails need no entry.",
		Fields: []collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, MaxLength: maxVariable, Doc: "What stands between #{ and }, such as 주문번호."},
			{
				Name: "tells", Kind: collection.Text, Required: true, MaxLength: maxVariable,
				Doc: "Name of a variable of mails of the kind, such as orderNumber.",
			},
			{
				Name: "default", Kind: collection.Text, MaxLength: maxDefault,
				Doc: "What stands there when it has nothing to tell; null: the message is not sent then.",
			},
		},
	},
	{
		Name: "buttons", Kind: collection.Array, Doc: "The buttons as they were approved, at most five.", Fields: []collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, MaxLength: maxButtonName, Doc: "What it says."},
			{
				Name: "url", Kind: collection.Text, Required: true, MaxLength: maxButtonURL,
				Doc: "An https address, which may have variables, or a variable that is one.",
			},
		},
	},
}

// MessageTemplates declares what a shop's messages to telephones say. There are no default ones: a message service sends what it approved.
var MessageTemplates = &collection.Schema{
	Slug: "message-templates", Singular: "MessageTemplate", Plural: "MessageTemplates",
	Doc: "What messages of a kind to buyers' telephones say in one language, as the message service approved it.",
	Fields: append(append([]collection.Field{
		{Name: "kind", Kind: collection.Select, Required: true, Immutable: true, Indexed: true, Options: MessageKinds, Doc: "Kind of the messages."},
		{
			Name: "locale", Kind: collection.Text, Required: true, Immutable: true, Indexed: true, MaxLength: tenant.MaxLocale,
			Doc: "Language: a BCP 47 tag, such as ko or en-US. A kind has one template for each.",
		},
	}, required(MessageTextFields, "templateCode", "text")...),
		collection.Field{
			Name: "active", Kind: collection.Boolean, Default: true,
			Doc: "Whether it is used. Otherwise no message of the kind is sent in this language.",
		},
	),
	UniqueSets: [][]string{{"kind", "locale"}}, MaxBytes: 64 << 10, Access: Templates.Access,
}

// required is fields of which those that are named are required.
func required(fields []collection.Field, names ...string) []collection.Field {
	out := append([]collection.Field{}, fields...)
	for i := range out {
		for _, name := range names {
			out[i].Required = out[i].Required || out[i].Name == name
		}
	}
	return out
}

// MessageTemplateFrom reads a record of MessageTemplates, or of MessageTextFields.
func MessageTemplateFrom(r collection.Record) MessageTemplate {
	t := MessageTemplate{
		Kind: Kind(r.Text("kind")), Locale: r.Text("locale"), Code: r.Text("templateCode"), Text: r.Text("text"), FallbackText: r.Text("fallbackText"),
	}
	for _, row := range r.Rows("variables") {
		t.Variables = append(t.Variables, MessageVariable{row.Text("name"), row.Text("tells"), row.Text("default")})
	}
	for _, row := range r.Rows("buttons") {
		t.Buttons = append(t.Buttons, MessageButton{row.Text("name"), row.Text("url")})
	}
	return t
}

// SavedMessages are the templates of records that are used.
func SavedMessages(all []collection.Record) (out []MessageTemplate) {
	for _, r := range all {
		if r.Bool("active") {
			out = append(out, MessageTemplateFrom(r))
		}
	}
	return out
}

// CompleteMessage brings a template of messages into its stored form, as Complete does those of mails. It does not change next. Errors:
// those of MessageTemplate.Check, and fault.ErrValidation for what is no locale.
func CompleteMessage(before, next collection.Record) (collection.Record, error) {
	if before == nil {
		locale, ok := tenant.ParseLocale(next.Text("locale"))
		if !ok {
			return nil, fault.Invalidf("locale", "This is no language tag. Examples: ko, en-US, zh-Hant.")
		}
		next = next.Clone()
		next["locale"] = locale
	}
	if before != nil && !next.Bool("active") && sameTexts(before, next) {
		return next, nil
	}
	return next, MessageTemplateFrom(next).Check()
}

func sameTexts(a, b collection.Record) bool {
	for _, f := range MessageTextFields {
		if !collection.Equal(a[f.Name], b[f.Name]) {
			return false
		}
	}
	return true
}
