package mail

import (
	"github.com/cartwright-dev/cartwright/domain/shop"
	"slices"
	"strings"
)

// Mail programs know little of HTML: tables lay out, and styles stand at their elements. What a style sheet says is for the
// programs that read one: dark colors. Nothing is loaded but the shop's logo.
const (
	fontStyle  = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI','Apple SD Gothic Neo','Malgun Gothic','Hiragino Sans',Meiryo,sans-serif"
	textStyle  = `style="margin:0 0 16px;font-size:16px;line-height:1.6;overflow-wrap:anywhere"`
	cellStyle  = `style="padding:8px 0;font-size:15px;line-height:1.5;vertical-align:top;border-bottom:1px solid #e4e4e7"`
	endStyle   = `style="padding:8px 0 8px 16px;font-size:15px;line-height:1.5;vertical-align:top;text-align:end;border-bottom:1px solid #e4e4e7"`
	nameOpen   = `<p style="margin:0 0 24px;font-size:18px;font-weight:700">`
	smallStyle = `style="font-size:13px;color:#5b5b64"`
	tableOpen  = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" `
	dark       = "@media (prefers-color-scheme:dark){.page{background:#111113!important}.card{background:#1c1c1f!important;color:#ececef!important}" +
		".card a.link{color:#ececef!important}.muted{color:#a5a5ae!important;border-color:#3a3a40!important}td{border-color:#3a3a40!important}}"
)

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// esc is text in HTML. What ends lines in a value ends them there.
func esc(text string) string { return strings.ReplaceAll(htmlEscaper.Replace(text), "\n", "<br>") }

// html is a mail as a document of 600 pixels at most.
func (s speech) html(locale, subject string, all []element) string {
	var body strings.Builder
	for _, el := range all {
		body.WriteString(s.element(el))
	}
	direction := "ltr"
	if slices.Contains([]string{"ar", "fa", "he", "ur"}, s.language) {
		direction = "rtl"
	}
	wrap := ""
	if s.language == "ko" { // its lines break between words alone, unlike those of Chinese and Japanese
		wrap = ";word-break:keep-all"
	}
	return `<!doctype html>
<html lang="` + esc(locale) + `" dir="` + direction + `">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>` + esc(subject) + `</title>
<style>` + dark + `</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f5">
<div style="display:none;max-height:0;overflow:hidden">` + esc(preheader(all)) + `</div>
` + tableOpen + `class="page" style="background:#f4f4f5"><tr><td align="center" style="padding:24px 12px;border:0">
<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
` + tableOpen + `class="card" style="max-width:600px;background:#ffffff;color:#18181b;border-radius:8px;` + fontStyle + wrap + `"><tr><td style="padding:32px 24px;border:0">
` + s.header() + body.String() + s.foot() + `</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
}

// preheader is what mail programs show behind the subject: how the text begins.
func preheader(all []element) string {
	const most = 120
	for _, el := range all {
		if el.kind == paragraph {
			text := []rune(strings.Join(strings.Fields(plainLines(el.lines)), " "))
			return string(text[:min(len(text), most)])
		}
	}
	return ""
}

// header is the logo, or the name of the shop.
func (s speech) header() string {
	name := esc(strings.ReplaceAll(clean(s.shop.Name), "\n", " "))
	if s.shop.LogoURL == "" || !IsSafeURL(s.shop.LogoURL) {
		return nameOpen + name + "</p>\n"
	}
	return nameOpen + `<img src="` + esc(s.shop.LogoURL) + `" alt="` + name +
		`" height="40" style="display:block;height:40px;max-width:240px;border:0"></p>` + "\n"
}

func (s speech) foot() string {
	return `<p class="muted" style="margin:32px 0 0;padding-top:16px;border-top:1px solid #e4e4e7;font-size:12px;line-height:1.6;color:#5b5b64">` +
		esc(strings.Join(s.footer(), "\n")) + "</p>\n"
}

func (s speech) element(el element) string {
	switch el.kind {
	case aside:
		return el.block.html()
	case rule:
		return `<hr style="border:0;border-top:1px solid #e4e4e7;margin:24px 0">` + "\n"
	case button:
		return s.button(el.lines[0][0])
	case bullets:
		return htmlList("ul", el.lines)
	case numbers:
		return htmlList("ol", el.lines)
	case heading:
		return `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.4">` + htmlLine(el.lines[0]) + "</h1>\n"
	case subheading:
		return `<h2 style="margin:24px 0 8px;font-size:17px;line-height:1.4">` + htmlLine(el.lines[0]) + "</h2>\n"
	case paragraph:
	}
	lines := make([]string, len(el.lines))
	for i, line := range el.lines {
		lines[i] = htmlLine(line)
	}
	return "<p " + textStyle + ">" + strings.Join(lines, "<br>") + "</p>\n"
}

func (s speech) button(link span) string {
	color := s.shop.Color
	if !shop.IsColor(color) {
		color = "#18181b"
	}
	return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td style="border:0;border-radius:6px;background:` +
		color + `"><a href="` + esc(link.href) + `" style="display:inline-block;padding:12px 24px;border-radius:6px;font-size:16px;font-weight:600;` +
		`text-decoration:none;color:` + ink(color) + `">` + esc(link.text) + "</a></td></tr></table>\n"
}

func htmlList(tag string, items [][]span) string {
	var out strings.Builder
	out.WriteString("<" + tag + ` style="margin:0 0 16px;padding-inline-start:24px;font-size:16px;line-height:1.6">`)
	for _, item := range items {
		out.WriteString("<li>" + htmlLine(item) + "</li>")
	}
	return out.String() + "</" + tag + ">\n"
}

func htmlLine(line []span) string {
	var out strings.Builder
	for _, s := range line {
		text := esc(s.text)
		if s.bold {
			text = "<strong>" + text + "</strong>"
		}
		if s.href != "" {
			text = `<a class="link" href="` + esc(s.href) + `" style="color:#18181b">` + text + "</a>"
		}
		out.WriteString(text)
	}
	return out.String()
}

func (b *block) html() string {
	if len(b.lines) > 0 {
		return "<p " + textStyle + ">" + esc(strings.Join(b.lines, "\n")) + "</p>\n"
	}
	var out strings.Builder
	out.WriteString(tableOpen + `style="margin:0 0 16px">`)
	for _, g := range b.goods {
		title := "<strong>" + esc(g.title) + "</strong>"
		if g.options != "" {
			title += `<br><span class="muted" ` + smallStyle + ">" + esc(g.options) + "</span>"
		}
		out.WriteString("<tr><td " + cellStyle + ">" + title + "</td><td " + endStyle + ">" + esc(g.count()))
		if g.amount != "" {
			out.WriteString("</td><td " + endStyle + ">" + esc(g.amount))
		}
		out.WriteString("</td></tr>")
	}
	for _, f := range b.facts {
		name, said := esc(f.name), esc(f.value)
		if f.strong {
			said = "<strong>" + said + "</strong>"
		}
		out.WriteString("<tr><td " + cellStyle + ">" + name + "</td><td " + endStyle + ">" + said + "</td></tr>")
	}
	return out.String() + "</table>\n"
}
