package collection

import "strings"

// MaxEmail is how many bytes an address has at most.
const MaxEmail = 254

// ValidEmail is a plausibility check of a trimmed, lower-cased address: one @, a dot in the domain, no spaces. The addresses at the
// domain of ErasedEmail are nobody's: only erasures give them. Rule access-65.
func ValidEmail(s string) bool {
	if strings.HasSuffix(s, erasedDomain) {
		return false
	}
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || len(s) > MaxEmail || strings.ContainsAny(s, " \t\r\n<>,;\"()\\") || strings.Contains(host, "@") {
		return false
	}
	name, tld, ok := cutLast(host, ".")
	return ok && name != "" && len(tld) >= 2 && !strings.HasPrefix(host, "-") && !strings.Contains(host, "..") &&
		!strings.HasPrefix(host, ".") && !hasControl(s)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}
