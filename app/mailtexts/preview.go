package mailtexts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Preview is what a mail is to be shown of. What is "" is as the shop has it: the words of its template, or the default ones; a locale
// is the shop's.
type Preview struct {
	mail.Draft

	Kind mail.Kind
}

// Shown is a mail as it is shown.
type Shown struct {
	mail.Message

	MadeUp []string // names of the variables whose facts nobody brought about
}

// Write makes the mail for the shop t on a server at baseURL, of made-up facts or of the order. Errors: those of mail.Template.Check,
// fault.ErrValidation for an order in a mail about none, ports.ErrNotFound.
func (in Preview) Write(ctx context.Context, r ports.Reader, t tenant.Settings, baseURL string, now time.Time) (Shown, error) {
	shop, err := Shop(ctx, r, t, baseURL)
	if err != nil {
		return Shown{}, err
	}
	saved, err := Saved(ctx, r, in.Kind)
	if err != nil {
		return Shown{}, err
	}
	text, err := in.template(shop, saved)
	if err != nil {
		return Shown{}, err
	}
	facts, madeUp, err := in.Facts(ctx, r, t, text.Locale, now)
	if err != nil {
		return Shown{}, err
	}
	m, err := mail.Render(text, facts, shop)
	m.ReplyTo = shop.Email
	return Shown{m, madeUp}, err
}

// template is the template that is shown.
func (in Preview) template(shop mail.Shop, saved []mail.Template) (mail.Template, error) {
	locale := shop.Locale
	if in.Locale != "" {
		given, ok := tenant.ParseLocale(in.Locale)
		if !ok {
			return mail.Template{}, fault.Invalidf("locale", "This is no language tag. Examples: ko, en-US, zh-Hant.")
		}
		locale = given
	}
	t := mail.Choose(in.Kind, locale, shop.Locale, saved)
	if in.Subject != "" || in.Body != "" {
		t.Locale = locale
	}
	if in.Subject != "" {
		t.Subject = in.Subject
	}
	if in.Body != "" {
		t.Body = in.Body
	}
	return t, nil
}

// Facts are what the mail tells in a language, and which of them are made up. Errors: fault.ErrValidation for an order in a mail about
// none, ports.ErrNotFound.
func (in Preview) Facts(
	ctx context.Context, r ports.Reader, t tenant.Settings, locale string, now time.Time,
) (f mail.Facts, madeUp []string, err error) {
	if in.Order == "" {
		f = mail.Sample(in.Kind, locale, t.Currency, now)
		for _, v := range mail.VariablesOf(in.Kind) {
			if f[v.Name] != nil {
				madeUp = append(madeUp, v.Name)
			}
		}
		return f, madeUp, nil
	}
	if !in.Kind.IsOfOrder() {
		return nil, nil, fault.Invalidf("order", "Mails of this kind tell of no order.")
	}
	found, err := r.Get(ctx, order.Schema, in.Order)
	if err != nil {
		return nil, nil, err
	}
	own, err := r.Get(ctx, identity.Tenants, string(t.ID))
	if err != nil {
		return nil, nil, err
	}
	f, madeUp = mail.SampleOf(in.Kind, order.FromRecord(found), locale, now)
	f["orderUrl"] = OrderPage(own, found)
	return f, madeUp, nil
}
