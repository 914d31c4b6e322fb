package mails

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/app/shopprofile"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Composer says what a mail says, of the records as they are when it is sent.
type Composer struct {
	Store ports.Store
	Vault ports.Vault
	Now   func() time.Time
	// PublicURL is where browsers reach the server, and with it the console and the shop's logo.
	PublicURL string
}

// looked is what a delivery is about, as it is now.
type looked struct {
	r     ports.Reader
	about subject
	own   collection.Record // the tenant's
	from  mail.Shop
}

// look reads what a delivery is about, or says why nothing is told of it. Errors: those of the database.
func (c *Composer) look(ctx context.Context, d mail.Delivery) (l looked, why mail.Reason, err error) {
	l.r = c.Store.Read(ports.Scope{Tenants: []tenant.ID{d.Tenant}, Environment: d.Environment})
	l.about, err = find(ctx, l.r, d.Collection, d.Subject)
	switch {
	case gone(err):
		return l, mail.CauseGone, nil
	case err != nil:
		return l, "", err
	case d.Recipient == "" || collection.IsErasedEmail(d.Recipient) || !l.about.holds(d):
		return l, mail.CauseGone, nil
	}
	if l.own, err = l.r.Get(ctx, identity.Tenants, string(d.Tenant)); err != nil {
		return l, "", err
	}
	l.from, err = mailtexts.Shop(ctx, l.r, identity.SettingsFrom(l.own), c.PublicURL)
	return l, "", err
}

// compose makes the mail of a delivery, or says why there is none. Errors: those of the database.
func (c *Composer) compose(ctx context.Context, d mail.Delivery) (m mail.Message, why mail.Reason, err error) {
	told, why, err := c.look(ctx, d)
	if why != "" || err != nil {
		return m, why, err
	}
	if d.Draft != nil {
		return c.composeTest(ctx, told.r, d, identity.SettingsFrom(told.own))
	}
	locale := cmp.Or(d.Locale, told.from.Locale)
	facts, why, err := c.facts(ctx, told.r, d, told.about, told.own, locale)
	if why != "" || err != nil {
		return m, why, err
	}
	saved, err := mailtexts.Saved(ctx, told.r, d.Kind)
	if err != nil {
		return m, "", err
	}
	if m, err = mail.Write(d.Kind, facts, locale, saved, told.from); err != nil {
		return m, "", err
	}
	m.ID, m.To, m.ReplyTo = d.MessageID(), d.Recipient, told.from.Email
	return m, "", nil
}

// composeTest makes the message of a test mail. What cannot be rendered any more, since a server of another version or an order that is
// gone was in between, is not sent.
func (c *Composer) composeTest(ctx context.Context, r ports.Reader, d mail.Delivery, t tenant.Settings) (mail.Message, mail.Reason, error) {
	shown, err := mailtexts.Preview{Kind: d.Kind, Draft: *d.Draft}.Write(ctx, r, t, c.PublicURL, c.Now())
	if gone(err) || errors.Is(err, fault.ErrValidation) {
		return mail.Message{}, mail.CauseGone, nil
	}
	shown.ID, shown.To = d.MessageID(), d.Recipient
	return shown.Message, "", err
}

// profileOf is the shop's profile; nil for none.
func profileOf(ctx context.Context, r ports.Reader) (collection.Record, error) {
	profile, err := shopprofile.Find(ctx, r)
	if gone(err) {
		return nil, nil
	}
	return profile, err
}

// kindsOff reports of kinds whether the shop does not want them to be sent.
func kindsOff(ctx context.Context, r ports.Reader) (func(mail.Kind) bool, error) {
	profile, err := profileOf(ctx, r)
	return func(k mail.Kind) bool { return !shop.SendsMails(profile, string(k)) }, err
}

// tokenFacts are the facts of a mail with a token for one person: the link that takes it, which is made here and kept nowhere.
func (c *Composer) tokenFacts(ctx context.Context, d mail.Delivery, about subject, own collection.Record) (mail.Facts, mail.Reason, error) {
	var token access.MailedToken
	err := c.Store.Atomically(ctx, ports.ForTenant(d.Tenant), func(ctx context.Context, tx ports.Tx) (err error) {
		token, err = access.FindMailedToken(ctx, tx, c.Vault, d.Event)
		return err
	})
	switch {
	case errors.Is(err, ports.ErrNotFound) || err == nil && !c.Now().Before(token.Expires):
		return nil, mail.TokenExpired, nil
	case err != nil:
		return nil, "", err
	}
	link := tokenLink(token, c.PublicURL, own)
	if link == "" {
		return nil, mail.PageUnknown, nil
	}
	f := mail.Facts{"url": link, "expiresAt": token.Expires}
	if d.Kind != mail.EmailVerification { // nobody has proven yet that who wrote the name has the address
		f["name"] = mail.Greeted(about.record.Text("name"))
	}
	if d.Kind == mail.Invitation {
		f["platform"] = about.record.Text("role") == string(tenant.PlatformAdmin)
		f["inviter"], err = inviterOf(ctx, c.Store.Read(ports.ForTenant(d.Tenant)), about.record)
	}
	return f, "", err
}

// inviterOf is the name of the user who invites; "" for a key or the server, who has left, or whose name could be read as an address.
func inviterOf(ctx context.Context, r ports.Reader, invitation collection.Record) (string, error) {
	by := invitation.Text("invitedBy")
	if by == "" {
		return "", nil
	}
	found, err := r.GetMany(ctx, identity.Users, []string{by}, nil)
	return mail.Greeted(found[by].Text("name")), err
}

// tokenLink is the page that takes a token: the console's for users, and the storefront's for customers, behind whose address
// #/reset/ or #/verify/ and the token stand. "" where there is no such page, or none that a mail may lead to: a mail without its
// button would use up the token and help nobody.
func tokenLink(t access.MailedToken, server string, own collection.Record) string {
	text := url.QueryEscape(t.Token)
	link := server + "/console/reset?token=" + text
	switch {
	case t.Purpose == access.PurposeInvite:
		link = access.InvitationPage(server, t.Token)
	case t.Collection == identity.Users.Slug:
	case t.Purpose == access.PurposeVerify:
		return mailtexts.StorefrontPage(own, "/verify/"+text)
	default:
		return mailtexts.StorefrontPage(own, "/reset/"+text)
	}
	if !mail.IsSafeURL(link) {
		return ""
	}
	return link
}

// language is the language in which the server's own words stand in a mail.
func language(locale string) words.Language {
	if tenant.Language(locale) == string(words.Korean) {
		return words.Korean
	}
	return words.English
}
