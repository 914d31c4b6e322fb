package collection

import "strings"

// accepts reports whether s is a URL of this kind.
func (w URLKind) accepts(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	host, path, deep := strings.Cut(rest, "/")
	whole := ok && scheme != "" && host != "" && !strings.ContainsAny(host, "?#\\") && !strings.Contains(s, " ") && !hasControl(s)
	switch w {
	case PageURL: // other schemes, such as javascript, would run with the rights of the page that has the link
		return whole && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
	case OriginURL: // also of apps, which have their own schemes; a trailing slash is ignored
		return whole && (!deep || path == "") && !strings.ContainsAny(host, "@*,")
	default:
		return true
	}
}

func (w URLKind) withArticle() string {
	if w == OriginURL {
		return "an origin such as https://shop.example, without a path"
	}
	return "an http or https address"
}
