package rest

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// MailboxMail is a mail, or a message to a telephone, that a development server would have sent.
type MailboxMail struct {
	ID      string    `json:"id"`
	Channel string    `json:"channel"` // "mail" or "message"
	At      time.Time `json:"at"`
	From    string    `json:"from"` // name of the sender, or code of the template of a message
	To      string    `json:"to"`
	ReplyTo string    `json:"replyTo,omitempty"`
	Locale  string    `json:"locale"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html,omitempty"` // of a mail
}

// MailboxPage shows the mails that a development server would have sent to its operator: to requests from the same machine alone,
// since links in them are credentials. It is a Root area. Rule mail-9.
type MailboxPage struct {
	Newest func() []MailboxMail // newest first; nil serves nothing, as production must
}

// MailboxPath is the address of the page.
const MailboxPath = "/mailbox"

// mailboxPolicy lets nothing run and nothing be loaded but pictures. The mails are in frames without scripts, forms and an origin,
// which are made of the page itself and have its policy, too.
const mailboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const mailboxHTML = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mailbox</title>
<style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;padding:1rem;max-width:80rem}
summary{padding:.5rem 0;cursor:pointer}summary span{display:block;opacity:.75}details{border-top:1px solid #8888}
.mail{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1rem;padding-bottom:1rem}
iframe{width:100%;height:40rem;border:1px solid #8888;background:#fff}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
</style></head><body><h1>Mailbox</h1>
<p>What this development server would have sent, newest first. Reload the page for newer ones.</p>
{mails}</body></html>
`

// webAddress is an address in a plain text.
var webAddress = regexp.MustCompile(`https?://[^\s<>"]+`)

// page is mails as a page. It is written without html/template, whose calls by name would keep every method of the program
// in the binary.
func (p MailboxPage) page() string {
	text := html.EscapeString
	var all strings.Builder
	for i, m := range p.Newest() {
		open := ""
		if i == 0 {
			open = " open"
		}
		all.WriteString("<details" + open + "><summary><b>" + text(m.Subject) + "</b><span>" + text(m.To) + " · " +
			text(m.At.UTC().Format(time.DateTime)) + " UTC · " + text(m.Locale) + " · from " + text(m.From) + "</span></summary><div class=mail><pre>" +
			linked(m.Text) + `</pre>`)
		if m.HTML != "" {
			all.WriteString(`<iframe title="` + text(m.Subject) + `" sandbox loading="lazy" srcdoc="` + text(m.HTML) + `"></iframe>`)
		}
		all.WriteString("</div></details>\n")
	}
	if all.Len() == 0 {
		all.WriteString("<p>There are none yet.</p>")
	}
	return strings.Replace(mailboxHTML, "{mails}", all.String(), 1)
}

// linked is a plain text as HTML, in which addresses can be followed.
func linked(text string) string {
	var out strings.Builder
	for {
		at := webAddress.FindStringIndex(text)
		if at == nil {
			out.WriteString(html.EscapeString(text))
			return out.String()
		}
		address := html.EscapeString(text[at[0]:at[1]])
		out.WriteString(html.EscapeString(text[:at[0]]) + `<a href="` + address + `">` + address + "</a>")
		text = text[at[1]:]
	}
}

// Mount registers /mailbox, and the same as JSON.
func (p MailboxPage) Mount(r fiber.Router) {
	if p.Newest == nil {
		return
	}
	r.Get(MailboxPath, func(c *fiber.Ctx) error {
		return answerLocally(c, fiber.MIMETextHTMLCharsetUTF8, mailboxPolicy, []byte(p.page()))
	})
	r.Get(MailboxPath+".json", func(c *fiber.Ctx) error {
		body, err := json.Marshal(map[string]any{"mails": p.Newest()})
		if err != nil {
			return err
		}
		return answerLocally(c, fiber.MIMEApplicationJSON, mailboxPolicy, body)
	})
}

// Describe implements Describer.
func (p MailboxPage) Describe() []openapi.Route {
	if p.Newest == nil {
		return nil
	}
	page := fileRoute("Development", "mailbox.page", "Show the mails that a development server would have sent", MailboxPath, "text/html")
	list := fileRoute("Development", "mailbox.list", "List the mails that a development server would have sent", MailboxPath+".json",
		fiber.MIMEApplicationJSON)
	for _, r := range []*openapi.Route{&page, &list} {
		r.Cacheable, r.PlainErrors, r.Statuses, r.Reasons = false, false, []int{200}, []*fault.Error{ErrNotLocal}
	}
	return []openapi.Route{page, list}
}
