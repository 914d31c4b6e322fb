package collection

import "strings"

// webAddress reports whether a page may link to s: http or https and a host. Whatever else stands there, a script above
// all, would run with the rights of the page.
func webAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http") {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	return host != "" && !strings.ContainsAny(host, "?#\\") && !strings.Contains(s, " ") && !hasControl(s)
}
