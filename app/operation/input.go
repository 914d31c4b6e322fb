package operation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Input reads the members of a request by name and type, and notes every problem on the way. A member that is null reads
// as missing. Ask Done last: it reports what is required and missing, and the members that do not exist.
//
// Only declared members can be asked for; another name, or a reader that does not fit the declared kind, is a mistake of
// the program and panics.
type Input struct {
	*request

	declared []collection.Field
	at       string // path of the object, "" or ending in a dot
	in       map[string]any
	asked    []string
	troubled []string
}

// request is what the readers of one request have in common.
type request struct {
	of       *Operation
	server   bool
	params   []string // of the path
	problems []fault.Field
}

func newInput(o *Operation, r Request) *Input {
	return (&request{of: o, server: r.At == Server, params: r.Params}).over("", o.Input, r.Body)
}

// over is a reader of the object members at path.
func (r *request) over(path string, declared []collection.Field, members map[string]any) *Input {
	return &Input{request: r, at: path, declared: declared, in: members, asked: make([]string, 0, len(declared)+1)}
}

// Param is a parameter of the path.
func (in *Input) Param(name string) string {
	for i := range in.of.Params {
		if in.of.Params[i].Name == name {
			return in.params[i]
		}
	}
	panic("operation: the path has no parameter " + name)
}

// All is the whole input, for an operation whose use case reads it by a schema of its own.
func (in *Input) All() map[string]any {
	if !in.of.Whole {
		panic("operation: the input is read member by member")
	}
	return in.in
}

// Problem notes what is wrong with a member.
func (in *Input) Problem(name, message string) {
	in.troubled = append(in.troubled, name)
	in.problems = append(in.problems, fault.Field{Field: in.at + name, Message: message})
}

// take is the declared member and its value, nil when it is missing or not for this caller.
func (in *Input) take(name string, kinds ...collection.Kind) (*collection.Field, collection.Tree) {
	for i := range in.declared {
		f := &in.declared[i]
		switch {
		case f.Name != name || !slices.Contains(kinds, f.Kind):
		case f.Read > collection.Everyone && !in.server:
			return f, nil // it does not exist here
		default:
			in.asked = append(in.asked, name)
			return f, in.in[name]
		}
	}
	panic(fmt.Sprintf("operation: %s%s is not declared as it is read", in.at, name))
}

// Text is a text member, "" when missing.
func (in *Input) Text(name string) string {
	f, v := in.take(name, collection.Text, collection.Textarea, collection.Email, collection.Relation)
	s, isText := v.(string)
	if v != nil && !isText {
		in.Problem(name, "This field takes a text.")
	} else if problem := f.TextProblem(s); problem != "" {
		in.Problem(name, problem)
	}
	return s
}

// Mark is a text member that may be sent as a number, too; "" when missing.
func (in *Input) Mark(name string) string {
	if n, isNumber := in.in[name].(collection.Numeral); isNumber {
		in.take(name, collection.Text)
		return string(n)
	}
	return in.Text(name)
}

// Given reports whether a member is there, and not null.
func (in *Input) Given(name string) bool { return in.in[name] != nil }

// Choice is one of a member's options, "" when missing.
func (in *Input) Choice(name string) string {
	f, v := in.take(name, collection.Select)
	s, isText := v.(string)
	if v != nil && (!isText || !slices.Contains(f.Options, s)) {
		in.Problem(name, "This field takes one of: "+strings.Join(f.Options, ", ")+".")
	}
	return s
}

// Integer is a whole number, nil when missing.
func (in *Input) Integer(name string) *int64 {
	_, v := in.take(name, collection.Integer)
	if v == nil {
		return nil
	}
	n, isNumber := v.(collection.Numeral)
	d, err := money.ParseDecimal(string(n))
	if !isNumber || err != nil || d.E8()%100_000_000 != 0 {
		in.Problem(name, "This field takes a whole number.")
		return nil
	}
	whole := d.E8() / 100_000_000
	return &whole
}

// Positive is a whole number from 1, 0 when missing.
func (in *Input) Positive(name string) int64 {
	n := in.Integer(name)
	switch {
	case n == nil:
		return 0
	case *n < 1:
		in.Problem(name, "This field takes a whole number from 1.")
		return 0
	}
	return *n
}

// Count is a whole number that fits an int, absent when missing.
func (in *Input) Count(name string, absent int) int {
	switch n := in.Integer(name); {
	case n == nil:
		return absent
	case *n != int64(int32(*n)): //nolint:gosec // that is what is asked
		in.Problem(name, "This field takes a smaller number.")
		return absent
	default:
		return int(*n)
	}
}

// Condition is a filter as the parser of queries reads it, nil when missing.
func (in *Input) Condition(name string) collection.Tree {
	_, v := in.take(name, collection.JSON)
	return v
}

// Boolean is a flag, false when missing.
func (in *Input) Boolean(name string) bool {
	_, v := in.take(name, collection.Boolean)
	is, isFlag := v.(bool)
	if v != nil && !isFlag {
		in.Problem(name, "This field takes true or false.")
	}
	return is
}

// Amount is the exact text of an amount whose currency the input does not tell, "" when missing.
func (in *Input) Amount(name string) collection.Numeral {
	_, v := in.take(name, collection.Money)
	n, isNumber := v.(collection.Numeral)
	if v != nil && !isNumber {
		in.Problem(name, "This field takes an amount.")
	}
	return n
}

// Texts is a list of texts, nil when missing.
func (in *Input) Texts(name string) []string {
	_, v := in.take(name, collection.Texts)
	if v == nil {
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
		in.Problem(name, "This field takes a list of texts.")
	}
	return out
}

// TextMap is an object of texts; given is false when it is missing.
func (in *Input) TextMap(name string) (m map[string]string, given bool) {
	_, v := in.take(name, collection.JSON)
	if v == nil {
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
		in.Problem(name, "This field takes an object of texts.")
	}
	return m, true
}

// Objects calls each for every object of a list; given is false when it is missing. each need not call Done.
func (in *Input) Objects(name string, each func(*Input)) (given bool) {
	f, v := in.take(name, collection.Array)
	if v == nil {
		return false
	}
	list, isList := v.([]any)
	if !isList {
		in.Problem(name, "This field takes a list of objects.")
		return true
	}
	for i, it := range list {
		path := name + "." + strconv.Itoa(i)
		object, isObject := it.(map[string]any)
		if !isObject {
			in.Problem(path, "This item takes an object.")
			continue
		}
		inner := in.over(in.at+path+".", f.Fields, object)
		each(inner)
		inner.finish()
	}
	return true
}

// Object calls each for an object; given is false when it is missing. each need not call Done.
func (in *Input) Object(name string, each func(*Input)) (given bool) {
	f, v := in.take(name, collection.Group)
	if v != nil {
		in.object(f, v, each)
	}
	return v != nil
}

func (in *Input) object(f *collection.Field, v collection.Tree, each func(*Input)) {
	object, isObject := v.(map[string]any)
	if !isObject {
		in.Problem(f.Name, "This field takes an object.")
		return
	}
	inner := in.over(in.at+f.Name+".", f.Fields, object)
	each(inner)
	inner.finish()
}

// Reference is the id of a record, or calls each for an object that describes it and may name its id; "" when missing.
func (in *Input) Reference(name string, each func(*Input)) (id string) {
	f, v := in.take(name, collection.Relation)
	if id, isText := v.(string); isText || v == nil {
		return id
	}
	described := *f
	described.Fields = append([]collection.Field{{Name: "id", Kind: collection.Text}}, f.Fields...)
	in.object(&described, v, func(in *Input) {
		id = in.Text("id")
		each(in)
	})
	return id
}

// Money is an amount with its currency, {amount, currency}, zero when missing. Contract 1.
func (in *Input) Money(name string) (m money.Money) {
	in.Object(name, func(in *Input) {
		currency := money.Currency(strings.ToUpper(in.Text("currency")))
		if !currency.Valid() {
			in.Problem("currency", "This field takes an ISO 4217 code.")
			currency = "XXX" // any, so that the amount is looked at too
		}
		_, v := in.take("amount", collection.Money)
		n, isNumber := v.(collection.Numeral)
		var err error
		switch m, err = money.Parse(string(n), currency); {
		case !isNumber:
			in.Problem("amount", "This field takes an amount.")
		case err != nil:
			in.Problem("amount", fault.From(err).Message)
		}
	})
	return m
}

// Gone refuses a member that an older API had, with a hint.
func (in *Input) Gone(name, message string) {
	in.asked = append(in.asked, name)
	if in.in[name] != nil {
		in.Problem(name, message)
	}
}

// finish notes what is required and missing, and what does not exist.
func (in *Input) finish() {
	for i := range in.declared {
		f := &in.declared[i]
		if !f.Required || slices.Contains(in.troubled, f.Name) || !slices.Contains(in.asked, f.Name) {
			continue
		}
		if v := in.in[f.Name]; v == nil || v == "" {
			in.Problem(f.Name, "This field is required.")
		}
	}
	var names []string
	for name := range in.in {
		if !slices.Contains(in.asked, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		in.Problem(name, "This field does not exist.")
	}
}

// Done reports everything that was noted. Errors: fault.ErrValidation with Fields.
func (in *Input) Done() error {
	in.finish()
	if len(in.problems) == 0 {
		return nil
	}
	return fault.ErrValidation.In(in.problems...)
}
