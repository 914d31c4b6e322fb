package rest

import (
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// fields reads the members of a request object by name and type, and notes every problem on the way. A member that is
// null reads as missing. Ask done last: it reports the members that nobody asked for.
type fields struct {
	at       string // path of the object, "" or ending in a dot
	in       map[string]any
	asked    map[string]bool
	problems *[]fault.Field
}

func readFields(in map[string]any) fields {
	return fields{in: in, asked: map[string]bool{}, problems: &[]fault.Field{}}
}

func (f fields) problem(name, message string) {
	*f.problems = append(*f.problems, fault.Field{Field: f.at + name, Message: message})
}

func (f fields) take(name string) (collection.Tree, bool) {
	f.asked[name] = true
	v := f.in[name]
	return v, v != nil
}

// text is a text member, "" when missing.
func (f fields) text(name string) string {
	v, ok := f.take(name)
	s, isText := v.(string)
	if ok && !isText {
		f.problem(name, "This field takes a text.")
	}
	return s
}

// integer is a whole number, nil when missing.
func (f fields) integer(name string) *int64 {
	v, ok := f.take(name)
	if !ok {
		return nil
	}
	n, isNumber := v.(collection.Numeral)
	d, err := money.ParseDecimal(string(n))
	if !isNumber || err != nil || d.E8()%100_000_000 != 0 {
		f.problem(name, "This field takes a whole number.")
		return nil
	}
	whole := d.E8() / 100_000_000
	return &whole
}

// positive is a whole number from 1, 0 when missing.
func (f fields) positive(name string) int64 {
	n := f.integer(name)
	switch {
	case n == nil:
		return 0
	case *n < 1:
		f.problem(name, "This field takes a whole number from 1.")
		return 0
	}
	return *n
}

// texts is a list of texts, nil when missing.
func (f fields) texts(name string) []string {
	v, ok := f.take(name)
	if !ok {
		return nil
	}
	list, isList := v.([]any)
	out := make([]string, 0, len(list))
	for _, it := range list {
		s, isText := it.(string)
		isList = isList && isText
		out = append(out, s)
	}
	if !isList {
		f.problem(name, "This field takes a list of texts.")
	}
	return out
}

// attributes is the object of texts that carts and their lines have; given is false when it is missing.
func (f fields) attributes() (m map[string]string, given bool) {
	const name = "attributes"
	v, ok := f.take(name)
	if !ok {
		return nil, false
	}
	object, isObject := v.(map[string]any)
	m = make(map[string]string, len(object))
	for k, it := range object {
		s, isText := it.(string)
		isObject = isObject && isText
		m[k] = s
	}
	if !isObject {
		f.problem(name, "This field takes an object of texts.")
	}
	return m, true
}

// objects calls each for every object of a list; given is false when it is missing. each need not call done.
func (f fields) objects(name string, each func(fields)) (given bool) {
	v, ok := f.take(name)
	if !ok {
		return false
	}
	list, isList := v.([]any)
	if !isList {
		f.problem(name, "This field takes a list of objects.")
		return true
	}
	for i, it := range list {
		path := name + "." + strconv.Itoa(i)
		object, isObject := it.(map[string]any)
		if !isObject {
			f.problem(path, "This item takes an object.")
			continue
		}
		inner := fields{at: f.at + path + ".", in: object, asked: map[string]bool{}, problems: f.problems}
		each(inner)
		inner.unknown()
	}
	return true
}

// object calls each for an object; given is false when it is missing. each need not call done.
func (f fields) object(name string, each func(fields)) (given bool) {
	v, ok := f.take(name)
	if !ok {
		return false
	}
	object, isObject := v.(map[string]any)
	if !isObject {
		f.problem(name, "This field takes an object.")
		return true
	}
	inner := fields{at: f.at + name + ".", in: object, asked: map[string]bool{}, problems: f.problems}
	each(inner)
	inner.unknown()
	return true
}

func (f fields) unknown() {
	var names []string
	for name := range f.in {
		if !f.asked[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		f.problem(name, "This field does not exist.")
	}
}

// done reports everything that was noted. Errors: fault.ErrValidation with Fields.
func (f fields) done() error {
	f.unknown()
	if len(*f.problems) == 0 {
		return nil
	}
	return fault.ErrValidation.In(*f.problems...)
}
