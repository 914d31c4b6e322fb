package mail

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Choose is the template of a kind for a reader of locale, "" if that is not known: the shop's own (saved, of any kind) or the
// default in exactly that locale, then in its language, then the same of the shop's locale, then of English. In each step the
// shop's own comes first. It is never missing.
func Choose(k Kind, locale, shopLocale string, saved []Template) Template {
	for _, wanted := range []string{locale, tenant.Language(locale), shopLocale, tenant.Language(shopLocale)} {
		for _, t := range saved {
			if wanted != "" && t.Kind == k && strings.EqualFold(t.Locale, wanted) {
				return t
			}
		}
		if t, ok := Default(k, wanted); ok {
			return t
		}
	}
	for _, t := range saved {
		if t.Kind == k && strings.EqualFold(t.Locale, "en") {
			return t
		}
	}
	t, _ := Default(k, "en")
	return t
}

// Render is a mail of s by a template: its subject, text and HTML, its locale and the name it comes from. What facts do not have is
// told as nothing. Errors: those of Template.Check, and fault.ErrValidation for a text that becomes too long.
func Render(t Template, f Facts, s Shop) (Message, error) {
	p, err := t.parse()
	if err != nil {
		return Message{}, err
	}
	all := f.Clone()
	if all == nil {
		all = Facts{}
	}
	all["shopName"] = s.Name
	speech := speak(t.Locale, s)
	subject, body := evaluation{speech: speech}, evaluation{speech: speech}
	if err := subject.write(p.subject, all); err != nil {
		return Message{}, err
	}
	if err := body.write(p.body, all); err != nil {
		return Message{}, err
	}
	m := Message{FromName: s.from(), Locale: t.Locale, Subject: subject.oneLine()}
	elements := body.elements()
	m.Text, m.HTML = speech.plainText(elements), speech.html(t.Locale, m.Subject, elements)
	return m, nil
}

// Write is the mail about facts for a reader of locale ("" if that is not known), in the shop's own words or the default ones. A
// text of the shop that cannot be rendered with these facts gives way to the default one: a mail is never lost for it.
func Write(k Kind, f Facts, locale string, saved []Template, s Shop) (Message, error) {
	t := Choose(k, locale, s.Locale, saved)
	m, err := Render(t, f, s)
	if err == nil {
		return m, nil
	}
	return Render(Choose(k, locale, s.Locale, nil), f, s)
}

// from is the name that mails of s come from, as a header has it.
func (s Shop) from() string {
	name := s.Sender
	if name == "" {
		name = s.Name
	}
	return strings.Join(strings.Fields(clean(name)), " ")
}
