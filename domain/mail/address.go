package mail

import "strings"

// IsSafeURL reports whether a mail may lead to an address: an https one, or http on the machine itself.
func IsSafeURL(text string) bool {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'<>\\^`{|}\u007f", r) }) {
		return false
	}
	host := rest[:len(rest)-len(strings.TrimLeft(rest, hostLetters))]
	if host == "" || len(host) < len(rest) && !strings.ContainsRune("/?#", rune(rest[len(host)])) {
		return false
	}
	switch strings.ToLower(scheme) {
	case "https":
		return true
	case "http":
		for _, own := range []string{"localhost", "127.0.0.1", "[::1]"} {
			if port, ok := strings.CutPrefix(host, own); ok && (port == "" || port[0] == ':') {
				return true
			}
		}
	}
	return false
}

// hostLetters are those of a host and its port. Names in other letters are written as xn--… in addresses.
const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]"

// escapeURL is a text as a part of an address.
func escapeURL(text string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for _, b := range []byte(text) {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("-._~", b) >= 0 {
			out.WriteByte(b)
			continue
		}
		out.WriteByte('%')
		out.WriteByte(hex[b>>4])
		out.WriteByte(hex[b&15])
	}
	return out.String()
}

// checkLinks refuses links to what no mail may lead to.
func (p *parser) checkLinks() error {
	for at := 0; ; {
		next := strings.Index(p.text[at:], "](")
		if next < 0 {
			return nil
		}
		at += next + len("](")
		end := strings.IndexAny(p.text[at:], ")\n")
		if end < 0 || p.text[at+end] == '\n' {
			return p.refuse(at, "Line %d, column %d: the address of this link has no end: ) is missing.")
		}
		if !p.leadsSomewhere(p.text[at : at+end]) {
			return p.refuse(at, "Line %d, column %d: a link leads to an https address, or to a variable that is one.")
		}
	}
}

// leadsSomewhere reports whether the address of a link, which may have tags, can be one that a mail may lead to.
func (p *parser) leadsSomewhere(address string) bool {
	if rest, tagged := strings.CutPrefix(address, "{{"); tagged {
		name, _, _ := strings.Cut(rest, "}}")
		v := find(p.scope, strings.TrimSpace(name))
		return v != nil && v.Type == TypeURL
	}
	var plain strings.Builder
	for i, piece := range strings.Split(address, "{{") {
		if _, after, tagged := strings.Cut(piece, "}}"); i > 0 && tagged {
			piece = "x" + after
		}
		plain.WriteString(piece)
	}
	return IsSafeURL(plain.String())
}
