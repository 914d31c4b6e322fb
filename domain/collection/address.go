package collection

import "strings"

// names reports whether s is a place of this sort.
func (w Web) names(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	host, path, deep := strings.Cut(rest, "/")
	whole := ok && scheme != "" && host != "" && !strings.ContainsAny(host, "?#\\") && !strings.Contains(s, " ") && !hasControl(s)
	switch w {
	case WebPage: // whatever else stands there, a script above all, would run with the rights of the page that links to it
		return whole && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
	case WebOrigin: // of apps, too, whose schemes are their own; a slash at the end means nothing
		return whole && (!deep || path == "") && !strings.ContainsAny(host, "@*,")
	default:
		return true
	}
}

func (w Web) withArticle() string {
	if w == WebOrigin {
		return "an origin such as https://shop.example, without a path"
	}
	return "an http or https address"
}
