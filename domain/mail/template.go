package mail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Limits of templates and of what is made of them.
const (
	MaxSubject  = 255       // characters
	MaxBody     = 64 << 10  // bytes
	maxRendered = 512 << 10 // bytes of the text before it is laid out
	maxDepth    = 4         // sections inside each other
)

// Template is what a shop's mails of a kind say in one language. Subject and Body are texts with Mustache tags:
// {{name}} tells a variable, {{#name}}…{{/name}} what to say if it is there, or for each item of a list, {{^name}}…{{/name}} what to
// say if it is not, and {{! … }} nothing. The body is written in a little Markdown: paragraphs, # headings, - and 1. lists,
// **bold**, [links](https://…), --- lines; a link that is a paragraph of its own is a button. Decision 79.
type Template struct {
	Kind    Kind
	Locale  string // a BCP 47 tag
	Subject string
	Body    string
}

// Check refuses a template that cannot be rendered, by the line and column (both from 1, in characters) of the first thing that is
// wrong. Errors: fault.ErrValidation by "kind", "subject" or "body".
func (t Template) Check() error {
	_, err := t.parse()
	return err
}

// parsed is a template that was read.
type parsed struct{ subject, body []node }

// node is a piece of a template: text, a variable, or a section of one.
type node struct {
	text     string    // of what is no tag
	variable *Variable // of a tag
	section  bool
	inverted bool // a section for what is not there
	inside   []node
}

func (t Template) parse() (parsed, error) {
	variables := VariablesOf(t.Kind)
	switch {
	case variables == nil:
		return parsed{}, fault.Invalidf("kind", "There is no such kind of mail.")
	case strings.TrimSpace(t.Subject) == "":
		return parsed{}, fault.Invalidf("subject", "A mail needs a subject.")
	case strings.TrimSpace(t.Body) == "":
		return parsed{}, fault.Invalidf("body", "A mail needs a text.")
	case utf8.RuneCountInString(t.Subject) > MaxSubject:
		return parsed{}, fault.Invalidf("subject", "A subject has at most %d characters.", MaxSubject)
	case len(t.Body) > MaxBody:
		return parsed{}, fault.Invalidf("body", "A text has at most %d bytes.", MaxBody)
	}
	variables = with(variables, retired[t.Kind]...)
	subject := parser{field: "subject", text: t.Subject, scope: variables}
	body := parser{field: "body", text: strings.ReplaceAll(t.Body, "\r\n", "\n"), scope: variables}
	var out parsed
	var err error
	if out.subject, err = subject.parse(); err == nil {
		if out.body, err = body.parse(); err == nil {
			err = body.checkLinks()
		}
	}
	return out, err
}

// parser reads one text.
type parser struct {
	field, text string
	at          int // offset of what comes next
	scope       []Variable
	inList      bool
	open        []string // names of the sections around what comes next
}

// refuse is the error about what stands at an offset, whose line and column are the first two things that format tells.
func (p *parser) refuse(at int, format string, args ...any) error {
	before := p.text[:at]
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return fault.Invalidf(p.field, format, append([]any{line, column}, args...)...)
}

func (p *parser) parse() ([]node, error) {
	if err := p.checkCharacters(); err != nil {
		return nil, err
	}
	return p.nodes(0)
}

// checkCharacters refuses what has no place in a mail or a message.
func (p *parser) checkCharacters() error {
	for i, r := range p.text {
		if r == utf8.RuneError || unicode.IsControl(r) && (r != '\n' && r != '\t' || p.field == "subject") {
			return p.refuse(i, "Line %d, column %d: this character cannot be in a mail.")
		}
	}
	return nil
}

// nodes reads up to the end of the section that began at from, or of the text.
func (p *parser) nodes(from int) ([]node, error) {
	var out []node
	for {
		next := strings.Index(p.text[p.at:], "{{")
		if next < 0 {
			if len(p.open) > 0 {
				return nil, p.refuse(from, "Line %d, column %d: this section has no end: close %s.", p.open[len(p.open)-1])
			}
			return appendText(out, p.text[p.at:]), nil
		}
		start := p.at + next
		length := strings.Index(p.text[start:], "}}")
		if length < 0 {
			return nil, p.refuse(start, "Line %d, column %d: this tag has no end: two closing braces are missing.")
		}
		end := start + length + len("}}")
		tag := p.text[start+len("{{") : end-len("}}")]
		text := p.text[p.at:start]
		p.at = end
		if tag != "" && strings.ContainsRune("#^/!", rune(tag[0])) && p.alone(start, end) {
			text, p.at = strings.TrimRight(text, " \t"), min(end+1+strings.IndexByte(p.text[end:]+"\n", '\n'), len(p.text))
		}
		out = appendText(out, text)
		n, closes, err := p.tag(start, tag)
		if err != nil || closes {
			return out, err
		}
		if n.variable != nil {
			out = append(out, n)
		}
	}
}

func appendText(out []node, text string) []node {
	if text == "" {
		return out
	}
	return append(out, node{text: text})
}

// alone reports whether there is nothing else in the line of what stands from start to end.
func (p *parser) alone(start, end int) bool {
	before := p.text[strings.LastIndexByte(p.text[:start], '\n')+1 : start]
	after, _, _ := strings.Cut(p.text[end:], "\n")
	return strings.TrimSpace(before) == "" && strings.TrimSpace(after) == ""
}

// tag reads a tag that starts at an offset, and the section that it begins. closes tells that it ends the section around it.
func (p *parser) tag(start int, tag string) (n node, closes bool, err error) {
	name := strings.TrimSpace(tag)
	if name == "" {
		return n, false, p.refuse(start, "Line %d, column %d: this tag names no variable.")
	}
	switch name[0] {
	case '!':
		return n, false, nil
	case '/':
		name = strings.TrimSpace(name[1:])
		if len(p.open) == 0 || p.open[len(p.open)-1] != name {
			return n, false, p.refuse(start, "Line %d, column %d: this closes %s, which is not the section that is open here.", name)
		}
		return n, true, nil
	case '#', '^':
		n, err = p.section(start, name[0] == '^', strings.TrimSpace(name[1:]))
		return n, false, err
	}
	n.variable = find(p.scope, name)
	switch {
	case n.variable == nil:
		return n, false, p.refuse(start, "Line %d, column %d: there is no variable %s.", name)
	case n.variable.Type == TypeBoolean:
		return n, false, p.refuse(start, "Line %d, column %d: %s is no text: use it as a section, which is shown if it is true.", name)
	case n.variable.Type == TypeList || n.variable.Type == TypeBlock:
		if p.field == "subject" || !p.alone(start, p.at) {
			return n, false, p.refuse(start, "Line %d, column %d: %s has lines of its own: it stands in the text, alone in its line.", name)
		}
	}
	return n, false, nil
}

func (p *parser) section(start int, inverted bool, name string) (node, error) {
	v := find(p.scope, name)
	switch {
	case v == nil:
		return node{}, p.refuse(start, "Line %d, column %d: there is no variable %s.", name)
	case len(p.open) == maxDepth:
		return node{}, p.refuse(start, "Line %d, column %d: there are more than %d sections in each other.", maxDepth)
	case v.Type == TypeList && p.inList:
		return node{}, p.refuse(start, "Line %d, column %d: a list cannot stand in a list.")
	}
	inner := *p
	inner.open = slices.Concat(p.open, []string{name})
	if v.Type == TypeList && !inverted {
		inner.scope, inner.inList = slices.Concat(v.Fields, p.scope), true
	}
	inside, err := inner.nodes(start)
	p.at = inner.at
	return node{variable: v, section: true, inverted: inverted, inside: inside}, err
}
