package mail

import (
	"strconv"
	"strings"
)

// plainText is a mail for programs that show no HTML, and for readers who want none.
func (s speech) plainText(all []element) string {
	var parts []string
	for _, el := range all {
		parts = append(parts, el.plain())
	}
	foot, name := s.footer(), strings.ReplaceAll(clean(s.shop.Name), "\n", " ")
	if len(foot) == 0 || foot[0] != name {
		foot = append([]string{name}, foot...)
	}
	parts = append(parts, "-- \n"+strings.Join(foot, "\n"))
	return strings.Join(parts, "\n\n") + "\n"
}

func (el element) plain() string {
	switch el.kind {
	case aside:
		return el.block.plain()
	case rule:
		return "----"
	case button:
		link := el.lines[0][0]
		if link.text == link.href {
			return link.href
		}
		return link.text + ":\n" + link.href
	default:
	}
	lines := make([]string, len(el.lines))
	for i, line := range el.lines {
		for _, s := range line {
			lines[i] += s.plain()
		}
		switch el.kind {
		case bullets:
			lines[i] = "- " + lines[i]
		case numbers:
			lines[i] = strconv.Itoa(i+1) + ". " + lines[i]
		default:
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func (s span) plain() string {
	if s.href == "" || s.href == s.text {
		return s.text
	}
	return s.text + " (" + s.href + ")"
}

func (b *block) plain() string {
	lines := append([]string{}, b.lines...)
	for _, g := range b.goods {
		line := "- " + g.title
		if g.options != "" {
			line += " (" + g.options + ")"
		}
		lines = append(lines, strings.ReplaceAll(line+" "+g.count()+"  "+g.amount, "\n", " "))
	}
	for _, f := range b.facts {
		lines = append(lines, f.name+": "+strings.ReplaceAll(f.value, "\n", " "))
	}
	return strings.Join(lines, "\n")
}
