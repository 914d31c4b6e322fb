package rest

import (
	"encoding/json"
	"html"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/openapi"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// EmailToken is a token that was issued for an email address.
type EmailToken struct {
	Purpose    string    `json:"purpose"` // "rst", "vfy" or "inv", as its prefix
	Collection string    `json:"collection"`
	Tenant     string    `json:"tenant,omitempty"` // that sends it; "" for the installation
	Email      string    `json:"email"`
	Token      string    `json:"token"`
	Expires    time.Time `json:"expiresAt"`
}

// screen is where the console takes the token, as a mail to a user would link to it; "" for those of customers, which the
// storefront takes.
func (t EmailToken) screen() string {
	switch {
	case t.Purpose == "inv":
		return "/console/invitation?token=" + url.QueryEscape(t.Token)
	case t.Purpose == "rst" && t.Collection == "users":
		return "/console/reset?token=" + url.QueryEscape(t.Token)
	}
	return ""
}

// EmailTokenPage shows the email tokens that this process issued to the operator of a development server: to
// requests from the same machine alone. It is a Root area. Rule access-9.
type EmailTokenPage struct {
	Newest func() []EmailToken // newest first; nil serves nothing, as production must
}

// ErrNotLocal refuses what only the operator at the machine itself may see.
var ErrNotLocal = fault.New(fault.Forbidden, "local_only", "This page is shown to the server's own machine alone, at its loopback address.")

const (
	emailPagePath   = "/dev/tokens"
	emailPagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

const emailPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Email tokens</title>
<style>body{font:15px/1.5 sans-serif;margin:2rem}td,th{padding:.25rem 1rem .25rem 0;text-align:left}code{word-break:break-all}</style>
</head><body><h1>Email tokens</h1>
<p>Issued by this process, newest first. A shop sends them by webhook; a development server shows them here too.</p>
<table><tr><th>For<th>Address<th>Shop<th>Expires<th>Token</tr>
{rows}</table></body></html>
`

// page is tokens as a page. It is written without html/template, whose calls by name would keep every method of the program
// in the binary.
func (p EmailTokenPage) page() string {
	var rows strings.Builder
	for _, t := range p.Newest() {
		text := html.EscapeString
		token := "<code>" + text(t.Token) + "</code>"
		if screen := t.screen(); screen != "" {
			token = `<a href="` + text(screen) + `">` + token + "</a>"
		}
		rows.WriteString("<tr><td>" + text(t.Purpose) + " " + text(t.Collection) + "<td>" + text(t.Email) + "<td>" + text(t.Tenant) + "<td>" +
			text(t.Expires.String()) + "<td>" + token + "</tr>\n")
	}
	return strings.Replace(emailPage, "{rows}", rows.String(), 1)
}

// Mount registers /dev/tokens, and the same as JSON.
func (p EmailTokenPage) Mount(r fiber.Router) {
	if p.Newest == nil {
		return
	}
	r.Get(emailPagePath, func(c *fiber.Ctx) error {
		return answerLocally(c, fiber.MIMETextHTMLCharsetUTF8, emailPagePolicy, []byte(p.page()))
	})
	r.Get(emailPagePath+".json", func(c *fiber.Ctx) error {
		body, err := json.Marshal(map[string]any{"tokens": p.Newest()})
		if err != nil {
			return err
		}
		return answerLocally(c, fiber.MIMEApplicationJSON, emailPagePolicy, body)
	})
}

// answerLocally sends the body to the machine itself. The host keeps out pages whose name was pointed at this machine.
func answerLocally(c *fiber.Ctx, kind, policy string, body []byte) error {
	peer, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	forwarded := c.Get(fiber.HeaderXForwardedFor) != "" || c.Get("Forwarded") != ""
	if !peer.Unmap().IsLoopback() || forwarded || !isLoopbackHost(string(c.Request().Host())) {
		return ErrNotLocal
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderCacheControl, "no-store")
	c.Set(fiber.HeaderContentSecurityPolicy, policy)
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	return c.Send(body)
}

// isLoopbackHost reports whether a host, with or without port, is a name of the machine itself.
func isLoopbackHost(host string) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

// Describe implements Describer.
func (p EmailTokenPage) Describe() []openapi.Route {
	if p.Newest == nil {
		return nil
	}
	page := fileRoute("Development", "tokens.page", "Show the email tokens of a development server", emailPagePath, "text/html")
	list := fileRoute("Development", "tokens.list", "List the email tokens of a development server", emailPagePath+".json",
		fiber.MIMEApplicationJSON)
	page.Cacheable, page.PlainErrors, page.Statuses, page.Reasons = false, false, []int{200}, []*fault.Error{ErrNotLocal}
	list.Cacheable, list.PlainErrors, list.Statuses, list.Reasons = false, false, []int{200}, []*fault.Error{ErrNotLocal}
	return []openapi.Route{page, list}
}
