package mail

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// errTooLong is what a template is that says too much of its facts.
var errTooLong = fault.Invalidf("body", "With these facts the text is too long.")

// value is what a variable says. It is kept apart from the text around it until that is laid out, so nothing in it is markup.
type value struct {
	text  string
	isURL bool
	block *block
}

// Marks around the number of a value, where it stands in a text. No template and no value has them.
const (
	beginValue = '\x01'
	endValue   = '\x02'
)

// evaluation is a text with the values that it tells.
type evaluation struct {
	speech speech
	out    strings.Builder
	values []value
}

// write says nodes by facts, the innermost of which come first. Errors: errTooLong.
func (e *evaluation) write(nodes []node, facts ...Facts) error {
	for _, n := range nodes {
		if e.out.Len() > maxRendered {
			return errTooLong
		}
		if n.variable == nil {
			e.out.WriteString(n.text)
			continue
		}
		if n.section {
			if err := e.section(n, facts); err != nil {
				return err
			}
			continue
		}
		e.out.WriteRune(beginValue)
		e.out.WriteString(strconv.Itoa(len(e.values)))
		e.out.WriteRune(endValue)
		e.values = append(e.values, e.speech.value(n.variable, facts))
	}
	return nil
}

func (e *evaluation) section(n node, facts []Facts) error {
	there := e.speech.isThere(n.variable, facts)
	if n.inverted || n.variable.Type != TypeList {
		if there != n.inverted {
			return e.write(n.inside, facts...)
		}
		return nil
	}
	items, _ := lookup(facts, n.variable.Name).([]collection.Record)
	for _, item := range items {
		if err := e.write(n.inside, append([]Facts{item}, facts...)...); err != nil {
			return err
		}
	}
	return nil
}

// lookup finds a fact, the innermost first; nil for none.
func lookup(facts []Facts, name string) any {
	for _, f := range facts {
		if v := f[name]; v != nil {
			return v
		}
	}
	return nil
}

// isThere reports whether a variable has something to tell: a text that is not empty, an amount that is not zero, true.
func (s speech) isThere(v *Variable, facts []Facts) bool {
	if v.retired {
		return false
	}
	switch fact := lookup(facts, v.Name).(type) {
	case bool:
		return fact
	case money.Money:
		return !fact.IsZero()
	case int64:
		return fact != 0
	}
	said := s.value(v, facts)
	return said.text != "" || said.block != nil
}

// value is what a variable says. A fact of another type than its variable's is told as nothing.
func (s speech) value(v *Variable, facts []Facts) value {
	if v.retired {
		return value{}
	}
	fact := lookup(facts, v.Name)
	if v.Type == TypeBlock || v.Type == TypeList {
		return value{block: s.block(v, facts)}
	}
	switch fact := fact.(type) {
	case string:
		text := clean(s.named(v.Name, fact))
		if v.Type == TypeURL {
			if !IsSafeURL(text) {
				return value{}
			}
			return value{text: text, isURL: true}
		}
		return value{text: text}
	case money.Money:
		return value{text: s.amount(fact)}
	case time.Time:
		if v.Type == TypeTime {
			return value{text: s.moment(fact)}
		}
		return value{text: s.date(fact)}
	case int64:
		return value{text: strconv.FormatInt(fact, 10)}
	}
	return value{}
}

// clean is text without what has no place in a mail: control characters but for the ends of lines, and marks that turn the
// direction of what follows.
func clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// oneLine is what e says as a header.
func (e *evaluation) oneLine() string {
	var out strings.Builder
	for _, part := range e.split(e.out.String()) {
		out.WriteString(part.text)
	}
	line := []rune(strings.Join(strings.Fields(clean(out.String())), " "))
	if len(line) > MaxSubject {
		line = append(line[:MaxSubject-1], '…')
	}
	return string(line)
}

// part is a run of a text: as the template has it, or a value.
type part struct {
	value

	said bool // it is a value
}

// split cuts a text at its values.
func (e *evaluation) split(text string) []part {
	var out []part
	for text != "" {
		before, rest, found := strings.Cut(text, string(beginValue))
		if before != "" {
			out = append(out, part{value: value{text: before}})
		}
		if !found {
			break
		}
		number, after, _ := strings.Cut(rest, string(endValue))
		if i, err := strconv.Atoi(number); err == nil && i < len(e.values) {
			out = append(out, part{value: e.values[i], said: true})
		}
		text = after
	}
	return out
}
