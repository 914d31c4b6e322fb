package collection

import (
	"regexp"
	"slices"
)

// ErasedText takes the place of a text about a person that cannot be null.
const ErasedText = "erased"

// ErasedValue takes the place of f's value, a personal one, in the record id: null where f may be null, else an empty list
// or object, ErasedText, or an email address that is as unique as the id and leads nowhere.
func (f *Field) ErasedValue(id string) any {
	switch {
	case f.Kind.Many() || !f.Required && !f.NonNull:
		return nil
	case f.Kind == JSON:
		return map[string]any{}
	case f.Kind == Email:
		return ErasedEmail(id)
	case f.Kind.Textual():
		return ErasedText
	}
	return nil
}

// ErasedEmail is the address of the record id once its person was erased. Nobody can receive mail there: RFC 2606.
func ErasedEmail(id string) string { return ErasedText + "-" + id + erasedDomain }

const erasedDomain = "@" + ErasedText + ".invalid"

var erasedEmail = regexp.MustCompile(`^` + ErasedText + `-[0-9A-Za-z-]{1,64}@` + ErasedText + `\.invalid$`)

// IsErasedEmail reports whether text is an ErasedEmail. It is nobody's, so that no erasure replaces it.
func IsErasedEmail(text string) bool { return erasedEmail.MatchString(text) }

// Redact is r without what is personal in it: every value of a Personal field has become its ErasedValue. changed is false
// where there was none, or it was replaced before; then r itself is returned. It never changes r.
func (s *Schema) Redact(r Record) (redacted Record, changed bool) { return redact(s.Fields, r, r.ID()) }

func redact(fields []Field, r Record, id string) (out Record, changed bool) {
	out = r
	for i := range fields {
		f := &fields[i]
		was := r[f.Name]
		if empty(was) {
			continue
		}
		now, differs := f.redact(was, id)
		if !differs {
			continue
		}
		if !changed {
			out, changed = r.Clone(), true
		}
		out[f.Name] = now
	}
	return out, changed
}

// redact is what becomes of a value of f that is not empty.
func (f *Field) redact(was any, id string) (now any, changed bool) {
	switch v := was.(type) {
	case Record:
		return redact(f.Fields, v, id)
	case []Record:
		rows := slices.Clone(v)
		for i, row := range v {
			next, differs := redact(f.Fields, row, id)
			rows[i], changed = next, changed || differs
		}
		return rows, changed
	}
	if text, isText := was.(string); !f.Personal || isText && IsErasedEmail(text) {
		return was, false
	}
	now = f.ErasedValue(id)
	return now, !Equal(was, now)
}

// PersonalPaths are the Personal fields of s that Staff may see, those inside groups and arrays with dots: "shippingAddress.phone".
func (s *Schema) PersonalPaths() []string { return personalPaths([]string{}, "", s.Fields) }

func personalPaths(out []string, at string, fields []Field) []string {
	for i := range fields {
		f := &fields[i]
		if f.VisibleTo == ServerOnly {
			continue
		}
		if f.Personal {
			out = append(out, at+f.Name)
		}
		out = personalPaths(out, at+f.Name+".", f.Fields)
	}
	return out
}
