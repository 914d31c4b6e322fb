package mail_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
)

// hostile are texts that mean something to a program that reads mails, or to this one.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='x`, "a\r\nBcc: everybody@shop.example", "{{url}} {{{name}}}",
	"[x](javascript:alert(1))", "**bold** # no heading", "\x01" + "0" + "\x02", "\u202egnp.exe", "&lt;b&gt;", "</title><style>*{}</style>",
	"- item\n1. item\n---", "<!--", "]]>", "\x00", "\xff\xfe", "](https://evil.example)", "\u2028# line", "https://evil.example/\"><b>",
}

// poisoned is facts with each text replaced.
func poisoned(f mail.Facts, text string) mail.Facts {
	out := f.Clone()
	for name, v := range out {
		switch v := v.(type) {
		case string:
			out[name] = text
		case collection.Record:
			out[name] = poisoned(v, text)
		case []collection.Record:
			rows := make([]collection.Record, len(v))
			for i, r := range v {
				rows[i] = poisoned(r, text)
			}
			out[name] = rows
		}
	}
	return out
}

// tags are the tags of a document with the names of their attributes, without the ends of lines, which values have, and the addresses
// of its links.
func tags(t *testing.T, document string) (all, links []string) {
	t.Helper()
	for z := html.NewTokenizer(strings.NewReader(document)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return all, links
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			token := z.Token()
			tag := kind.String() + token.Data
			for _, a := range token.Attr {
				if tag += " " + a.Key; a.Key == "href" {
					links = append(links, a.Val)
				}
			}
			if token.Data != "br" {
				all = append(all, tag)
			}
		case html.TextToken, html.CommentToken, html.DoctypeToken:
		}
	}
}

// Every default text, with every fact poisoned by every hostile text, has the tags that it has with another text, and a subject of one line.
func TestHostileFactsStayText(t *testing.T) {
	t.Parallel()
	for _, kind := range mail.Kinds {
		text, _ := mail.Default(mail.Kind(kind), "en")
		facts := mail.Sample(text.Kind, "en", "USD", now)
		harmless, err := mail.Render(text, poisoned(facts, "word"), shop())
		if err != nil {
			t.Fatal(err)
		}
		want, _ := tags(t, harmless.HTML)
		for _, bad := range hostile {
			m, err := mail.Render(text, poisoned(facts, "a"+bad), shop())
			if err != nil {
				t.Fatal(err)
			}
			if got, links := tags(t, m.HTML); !slices.Equal(got, want) || len(links) > 0 {
				t.Errorf("%s with %q has the tags %q, want %q; links %q", kind, bad, got, want, links)
			}
			checkHeader(t, m.Subject)
			checkHeader(t, m.FromName)
		}
	}
}

func checkHeader(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsAny(text, "\u2028\u2029\u202e") || len([]rune(text)) > mail.MaxSubject {
		t.Errorf("no header: %q", text)
	}
}

func TestShopsTextsStayText(t *testing.T) {
	t.Parallel()
	text, _ := mail.Default(mail.OrderPlaced, "en")
	for _, bad := range hostile {
		s := mail.ShopFrom("a"+bad, "", collection.Record{
			"businessName": bad, "mail": collection.Record{"footer": bad, "sender": bad, "color": bad},
		}, "javascript:alert(1)"+bad, "en", nil)
		m, err := mail.Render(text, mail.Facts{"name": "Kim"}, s)
		if err != nil {
			t.Fatal(err)
		}
		got, links := tags(t, m.HTML)
		marked := func(tag string) bool {
			return strings.Contains(tag, "script") || strings.Contains(tag, "img") || strings.Contains(tag, " on")
		}
		if slices.ContainsFunc(got, marked) || len(links) > 0 {
			t.Errorf("%q: %q %q", bad, got, links)
		}
		checkHeader(t, m.FromName)
		checkHeader(t, m.Subject)
	}
}

func TestLinksLeadToSafeAddresses(t *testing.T) {
	t.Parallel()
	text := mail.Template{Kind: mail.PasswordReset, Locale: "en", Subject: "x", Body: "[go]({{url}}) and {{url}} here"}
	for url, want := range map[string]bool{
		"https://shop.example/a?b=c#d": true, "HTTPS://shop.example": true, "http://localhost:8080/x": true, "http://127.0.0.1/": true,
		"http://[::1]:80/": true, "http://shop.example/": false, "javascript:alert(1)": false, "data:text/html,x": false, "//shop.example": false,
		"https://": false, "https:///x": false, "https://shop.example\\@evil.example": false, "https://user@evil.example/": false,
		"http://localhost.evil.example/": false, "https://shop.example/<b>": false, "https://shop.example/ x": false, "mailto:a@b.example": false,
		"http://localhost@evil.example/": false, "https://shop.example/\"x": false,
	} {
		m, err := mail.Render(text, mail.Facts{"url": url}, mail.Shop{})
		if err != nil {
			t.Fatal(err)
		}
		if _, links := tags(t, m.HTML); len(links) > 0 != want {
			t.Errorf("%q: %q", url, links)
		}
	}
}

func TestButtonsCanBeRead(t *testing.T) {
	t.Parallel()
	text := mail.Template{Kind: mail.OrderPlaced, Locale: "en", Subject: "x", Body: "[go](https://shop.example/)"}
	for color, ink := range map[string]string{
		"#000000": "#ffffff", "#ffffff": "#000000", "#ffff00": "#000000", "#0000ff": "#ffffff", "#0f766e": "#ffffff", "#777777": "#000000", "red": "#ffffff",
	} {
		m, err := mail.Render(text, nil, mail.Shop{Color: color})
		if err != nil || !strings.Contains(m.HTML, ";color:"+ink+`">go</a>`) {
			t.Errorf("%s: %v %s", color, err, m.HTML)
		}
	}
}

// Whatever a template and its facts are: what is accepted is rendered, to known tags, safe links and one line of subject.
func FuzzTemplate(f *testing.F) {
	for i, bad := range hostile {
		f.Add("{{name}} "+bad, "# {{name}}\n\n- **{{orderNumber}}**\n\n[x]({{orderUrl}})\n"+strconv.Itoa(i), bad)
	}
	f.Add("x", "{{#lines}}{{title}}{{/lines}}\n{{totals}}", "<b>")
	known := strings.Fields("html head meta title style body div table tr td p h1 h2 ul ol li hr br a strong span img")
	f.Fuzz(func(t *testing.T, subject, body, text string) {
		template := mail.Template{Kind: mail.OrderPlaced, Locale: "en", Subject: subject, Body: body}
		if template.Check() != nil {
			return
		}
		m, err := mail.Render(template, poisoned(mail.Sample(mail.OrderPlaced, "en", "USD", now), text), shop())
		if err != nil {
			return // too long
		}
		checkHeader(t, m.Subject)
		all, links := tags(t, m.HTML)
		for _, tag := range all {
			name := strings.Fields(strings.TrimPrefix(strings.TrimPrefix(tag, "StartTag"), "EndTag"))
			if !slices.Contains(known, name[0]) || slices.ContainsFunc(name[1:], func(a string) bool { return strings.HasPrefix(a, "on") }) {
				t.Errorf("the tag %q", tag)
			}
		}
		for _, link := range links {
			if !strings.HasPrefix(strings.ToLower(link), "http") {
				t.Errorf("the link %q", link)
			}
		}
	})
}
