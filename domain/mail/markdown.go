package mail

import (
	"strings"
	"unicode"
)

// element is a part of a mail, in the order in which it is read.
type element struct {
	kind  elementKind
	lines [][]span // of a paragraph, or the items of a list; one of a heading or a button
	block *block
}

type elementKind int

const (
	paragraph elementKind = iota
	heading
	subheading
	bullets
	numbers
	rule
	button
	aside
)

// span is a run of text that looks the same.
type span struct {
	text string
	bold bool
	href string // "": no link
	dead bool   // a link that leads nowhere, since its address is not there
}

// elements reads what e says as Markdown. Values are text in it, whatever stands in them.
func (e *evaluation) elements() []element {
	var out []element
	var open *element // which the next line may continue
	add := func(el element) *element { out = append(out, el); return &out[len(out)-1] }
	for line := range strings.SplitSeq(e.out.String(), "\n") {
		line = strings.TrimSpace(line)
		kind, rest := kindOf(line)
		if b := e.blockAlone(line); b != nil {
			add(element{kind: aside, block: b})
			open = nil
			continue
		}
		switch {
		case rest == "" && kind != rule:
			open = nil
		case open != nil && open.kind == kind:
			open.lines = append(open.lines, e.spans(rest))
		default:
			open = add(element{kind: kind, lines: [][]span{e.spans(rest)}})
			if kind == heading || kind == subheading || kind == rule {
				open = nil
			}
		}
	}
	return finish(out)
}

// kindOf is what a line begins or continues, and what it says there.
func kindOf(line string) (elementKind, string) {
	if strings.Trim(line, "-") == "" && len(line) >= len("---") {
		return rule, ""
	}
	for _, m := range []struct {
		mark string
		kind elementKind
	}{{"# ", heading}, {"## ", subheading}, {"### ", subheading}, {"- ", bullets}, {"* ", bullets}} {
		if rest, found := strings.CutPrefix(line, m.mark); found {
			return m.kind, strings.TrimSpace(rest)
		}
	}
	digits := line[:len(line)-len(strings.TrimLeft(line, "0123456789"))]
	if rest, found := strings.CutPrefix(line[len(digits):], ". "); found && digits != "" {
		return numbers, strings.TrimSpace(rest)
	}
	return paragraph, line
}

// blockAlone is the block that alone stands in a line; nil for none.
func (e *evaluation) blockAlone(line string) *block {
	if parts := e.split(line); len(parts) == 1 {
		return parts[0].block
	}
	return nil
}

// finish makes buttons of links that stand alone, and leaves out what says nothing.
func finish(all []element) []element {
	out := all[:0]
	for _, el := range all {
		if el.kind == paragraph && len(el.lines) == 1 && len(el.lines[0]) == 1 && (el.lines[0][0].href != "" || el.lines[0][0].dead) {
			el.kind = button
		}
		if el.kind == button && el.lines[0][0].dead || el.kind == paragraph && plainLines(el.lines) == "" {
			continue
		}
		out = append(out, el)
	}
	return out
}

// plainLines is the text of lines; "" if they say nothing.
func plainLines(lines [][]span) string {
	var all []string
	for _, line := range lines {
		all = append(all, plain(line))
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

func plain(line []span) string {
	var out strings.Builder
	for _, s := range line {
		out.WriteString(s.text)
	}
	return out.String()
}

// spans reads a line: **bold**, [links](address), and \ before a mark that is meant as it stands.
func (e *evaluation) spans(line string) []span {
	var out []span
	var text strings.Builder
	bold := false
	flush := func() {
		for _, p := range e.split(text.String()) {
			s := span{text: p.text, bold: bold}
			if p.isURL {
				s.href = p.text
			}
			if s.text != "" {
				out = append(out, s)
			}
		}
		text.Reset()
	}
	for i := 0; i < len(line); {
		rest := line[i:]
		link, length := e.link(rest)
		switch {
		case rest[0] == '\\' && len(rest) > 1 && rest[1] < unicode.MaxASCII && unicode.In(rune(rest[1]), unicode.P, unicode.S):
			text.WriteByte(rest[1])
			i += 2
		case strings.HasPrefix(rest, "**") && (bold || strings.Contains(rest[2:], "**")):
			flush()
			bold = !bold
			i += 2
		case length > 0:
			flush()
			link.bold = bold
			out = append(out, link)
			i += length
		default:
			text.WriteByte(rest[0])
			i++
		}
	}
	flush()
	return out
}

// link reads the link that a text begins with, and how many bytes it has; 0 for none.
func (e *evaluation) link(text string) (span, int) {
	if text[0] != '[' {
		return span{}, 0
	}
	label, rest, found := strings.Cut(text[1:], "](")
	address, _, closed := strings.Cut(rest, ")")
	if !found || !closed || strings.ContainsRune(label, '[') {
		return span{}, 0
	}
	s := span{href: e.address(address)}
	for _, p := range e.split(label) {
		s.text += p.text
	}
	s.dead = s.href == ""
	return s, len("[](") + len(label) + len(address) + len(")")
}

// address is where a link leads; "" if that is not there, or nothing that a mail may lead to.
func (e *evaluation) address(text string) string {
	var out strings.Builder
	for i, p := range e.split(text) {
		switch {
		case !p.said || i == 0 && p.isURL:
			out.WriteString(p.text)
		default:
			out.WriteString(escapeURL(p.text))
		}
	}
	if !IsSafeURL(out.String()) {
		return ""
	}
	return out.String()
}
