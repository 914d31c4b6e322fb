package mail

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of messages, which are those of KakaoTalk's.
const (
	MaxMessage      = 1000 // characters of a text
	MaxButtons      = 5
	maxButtonName   = 14  // characters
	maxButtonURL    = 500 // characters
	maxTemplateCode = 100 // characters
	maxVariables    = 40  // of a template
	maxVariable     = 50  // characters of a variable's name
	maxDefault      = 200 // characters of what stands for a variable that has nothing to tell
)

// MessageTemplate is what a shop's messages of a kind say in one language: a text that the message service has approved under a code, in
// which #{name} stands for a value. What is sent equals it but for these.
type MessageTemplate struct {
	Kind         Kind
	Locale       string // a BCP 47 tag
	Code         string // by which the message service knows it
	Text         string
	FallbackText string // "": none
	Variables    []MessageVariable
	Buttons      []MessageButton // whose URLs may have #{name}, too
}

// MessageVariable says what #{Name} of a text tells.
type MessageVariable struct {
	Name    string // as it stands in the text
	Tells   string // name of a variable of the kind
	Default string // what stands there if that has nothing to tell; "": then the message is not sent
}

// Check refuses a template that cannot be rendered, by the line and column (both from 1, in characters) of the first thing that is
// wrong in a text. Errors: fault.ErrValidation by the field.
func (t MessageTemplate) Check() error {
	if err := t.checkVariables(); err != nil {
		return err
	}
	switch {
	case !t.Kind.HasMessage():
		return fault.Invalidf("kind", "Buyers are told nothing of this kind by messages.")
	case strings.TrimSpace(t.Code) == "":
		return fault.Invalidf("templateCode", "A message needs the code under which the message service has approved it.")
	case strings.TrimSpace(t.Text) == "":
		return fault.Invalidf("text", "A message needs a text.")
	case utf8.RuneCountInString(t.Text) > MaxMessage:
		return fault.Invalidf("text", "A message has at most %d characters.", MaxMessage)
	case utf8.RuneCountInString(t.FallbackText) > MaxMessage:
		return fault.Invalidf("fallbackText", "A message has at most %d characters.", MaxMessage)
	case len(t.Buttons) > MaxButtons:
		return fault.Invalidf("buttons", "A message has at most %d buttons.", MaxButtons)
	}
	for field, text := range map[string]string{"text": t.Text, "fallbackText": t.FallbackText} {
		if _, err := t.pieces(field, text); err != nil {
			return err
		}
	}
	for i, b := range t.Buttons {
		if err := t.checkButton(fmt.Sprintf("buttons.%d.", i), b); err != nil {
			return err
		}
	}
	return nil
}

func (t MessageTemplate) checkVariables() error {
	if len(t.Variables) > maxVariables {
		return fault.Invalidf("variables", "A message has at most %d variables.", maxVariables)
	}
	for i, v := range t.Variables {
		at := fmt.Sprintf("variables.%d.", i)
		same := slices.IndexFunc(t.Variables, func(other MessageVariable) bool { return other.Name == v.Name })
		known := find(VariablesOf(t.Kind), v.Tells)
		switch {
		case strings.TrimSpace(v.Name) == "" || strings.ContainsAny(v.Name, "#{}\n\r"):
			return fault.Invalidf(at+"name", "A name is what stands between the braces, without these.")
		case same != i:
			return fault.Invalidf(at+"name", "This name is there twice.")
		case known == nil:
			return fault.Invalidf(at+"tells", "There is no variable %s.", v.Tells)
		case !inOneLine(known):
			return fault.Invalidf(at+"tells", "%s is no text: a message has values of one line.", v.Tells)
		}
	}
	return nil
}

func (t MessageTemplate) checkButton(at string, b MessageButton) error {
	pieces, err := t.pieces(at+"url", b.URL)
	if err != nil {
		return err
	}
	var plain strings.Builder
	for _, p := range pieces {
		plain.WriteString(p.text)
		if p.variable != nil {
			plain.WriteByte('x')
		}
	}
	whole := len(pieces) == 1 && pieces[0].variable != nil && pieces[0].variable.Type == TypeURL
	switch {
	case strings.TrimSpace(b.Name) == "":
		return fault.Invalidf(at+"name", "A button needs a name.")
	case utf8.RuneCountInString(b.Name) > maxButtonName:
		return fault.Invalidf(at+"name", "The name of a button has at most %d characters.", maxButtonName)
	case !whole && !IsSafeURL(plain.String()):
		return fault.Invalidf(at+"url", "A button leads to an https address, or to a variable that is one.")
	}
	return nil
}

// inOneLine reports whether a variable tells something that stands in one line.
func inOneLine(v *Variable) bool {
	return v.Type != TypeBoolean && v.Type != TypeBlock && (v.Type != TypeList || v.Name == goods.Name)
}

// piece is a part of a text: as it stands there, or a variable under the name that the template gives it.
type piece struct {
	text     string
	name     string
	variable *Variable // nil for a text
	instead  string    // what stands there if the variable has nothing to tell
}

// pieces reads a text of a field. Errors: fault.ErrValidation with line and column.
func (t MessageTemplate) pieces(field, text string) (all []piece, err error) {
	p := parser{field: field, text: text}
	if err := p.checkCharacters(); err != nil {
		return nil, err
	}
	for {
		next := strings.Index(text[p.at:], "#{")
		if next < 0 {
			break
		}
		start := p.at + next
		length := strings.Index(text[start:], "}")
		if length < 0 {
			return nil, p.refuse(start, "Line %d, column %d: this variable has no end: a closing brace is missing.")
		}
		one := piece{name: text[start+len("#{") : start+length]}
		if one.variable, one.instead = t.variable(one.name); one.variable == nil {
			return nil, p.refuse(start, "Line %d, column %d: there is no variable %s. Say in variables what it tells.", one.name)
		}
		if !inOneLine(one.variable) {
			return nil, p.refuse(start, "Line %d, column %d: %s is no text: a message has values of one line.", one.name)
		}
		if start > p.at {
			all = append(all, piece{text: text[p.at:start]})
		}
		all = append(all, one)
		p.at = start + length + 1
	}
	if rest := text[p.at:]; rest != "" {
		all = append(all, piece{text: rest})
	}
	return all, nil
}

// variable is what #{name} tells, and what stands there instead; nil for nothing that is known.
func (t MessageTemplate) variable(name string) (v *Variable, instead string) {
	for _, own := range t.Variables {
		if own.Name == name {
			return find(VariablesOf(t.Kind), own.Tells), own.Default
		}
	}
	return find(VariablesOf(t.Kind), name), ""
}

// Render is a message of s by t, without its id and recipient. Errors: those of Check, and fault.ErrValidation for a variable that has
// neither something to tell nor a default, and for a text that becomes too long.
func (t MessageTemplate) Render(f Facts, s Shop) (PhoneMessage, error) {
	if err := t.Check(); err != nil {
		return PhoneMessage{}, err
	}
	all := f.Clone()
	if all == nil {
		all = Facts{}
	}
	all["shopName"] = s.Name
	w := messageWriter{template: t, speech: speak(t.Locale, s), facts: all}
	m := PhoneMessage{Kind: t.Kind, Locale: t.Locale, TemplateCode: t.Code}
	m.Text = w.write("text", t.Text, false)
	m.FallbackText = w.write("fallbackText", t.FallbackText, false)
	for i, b := range t.Buttons {
		m.Buttons = append(m.Buttons, MessageButton{b.Name, w.write(fmt.Sprintf("buttons.%d.url", i), b.URL, true)})
	}
	m.Variables = w.said
	if w.err == nil && utf8.RuneCountInString(m.Text) > MaxMessage {
		w.err = fault.Invalidf("text", "With these facts the message has more than %d characters.", MaxMessage)
	}
	return m, w.err
}

// messageWriter writes the texts of one message; err is the first thing that is wrong.
type messageWriter struct {
	template MessageTemplate
	speech   speech
	facts    Facts
	said     []MessageValue
	err      error
}

// write is a text of a field with its variables replaced. In an address values are escaped, unless one is the whole of it.
func (w *messageWriter) write(field, text string, isURL bool) string {
	pieces, err := w.template.pieces(field, text)
	if err != nil && w.err == nil {
		w.err = err
	}
	var out strings.Builder
	for _, p := range pieces {
		if p.variable == nil {
			out.WriteString(p.text)
			continue
		}
		said := w.speech.line(p.variable, w.facts)
		if said == "" {
			said = p.instead
		}
		if said == "" && w.err == nil {
			w.err = fault.Invalidf(field, "There is nothing to tell for the variable %s, and it has no default.", p.name)
		}
		if !slices.ContainsFunc(w.said, func(v MessageValue) bool { return v.Name == p.name }) {
			w.said = append(w.said, MessageValue{p.name, said})
		}
		if isURL && len(pieces) > 1 {
			said = escapeURL(said)
		}
		out.WriteString(said)
	}
	return out.String()
}

// line is what a variable tells, in one line; of goods the first, and how many others there are.
func (s speech) line(v *Variable, f Facts) string {
	if v.Type != TypeList {
		return strings.Join(strings.Fields(s.value(v, []Facts{f}).text), " ")
	}
	rows, _ := lookup([]Facts{f}, v.Name).([]collection.Record)
	if len(rows) == 0 {
		return ""
	}
	first := strings.Join(strings.Fields(clean(rows[0].Text("title"))), " ")
	if len(rows) == 1 {
		return first
	}
	return fmt.Sprintf(s.words.andMore, first, len(rows)-1)
}

// ChooseMessage is the template of a kind for a reader of locale, "" if that is not known: that of exactly this locale, then of its
// language, then the same of the shop's locale. It is false where the shop has none: there are no default messages, since each has to be
// approved.
func ChooseMessage(k Kind, locale, shopLocale string, saved []MessageTemplate) (MessageTemplate, bool) {
	for _, wanted := range []string{locale, tenant.Language(locale), shopLocale, tenant.Language(shopLocale)} {
		for _, t := range saved {
			if wanted != "" && t.Kind == k && strings.EqualFold(t.Locale, wanted) {
				return t, true
			}
		}
	}
	return MessageTemplate{}, false
}
