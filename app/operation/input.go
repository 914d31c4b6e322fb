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

// Input reads the members of a request by name and type, and collects every problem on the way. A member that
// is null reads as missing. Call Done last: it reports required members that are missing, and members that do
// not exist.
//
// Only declared members can be read. Another name, or a reader that does not fit the declared kind, is a
// programming error and panics.
type Input struct {
	*inputState

	declared []collection.Field
	path     string // path of the object, "" or ending in a dot
	members  map[string]any
	consumed []string
	invalid  []string
}

// inputState is shared by the readers of one request.
type inputState struct {
	*Transport

	operation *Operation
	server    bool
	params    []string // of the path
	problems  []fault.Field
}

func newInput(o *Operation, r Request) *Input {
	return (&inputState{Transport: r.Transport, operation: o, server: r.Surface == Server, params: r.Params}).nested("", o.Input, r.Body)
}

// nested is a reader of the object at path.
func (r *inputState) nested(path string, declared []collection.Field, members map[string]any) *Input {
	return &Input{inputState: r, path: path, declared: declared, members: members, consumed: make([]string, 0, len(declared)+1)}
}

// Param is a parameter of the path.
func (in *Input) Param(name string) string {
	for i := range in.operation.Params {
		if in.operation.Params[i].Name == name {
			return in.params[i]
		}
	}
	panic("operation: the path has no parameter " + name)
}

// Raw is the whole input, for an operation with RawInput.
func (in *Input) Raw() map[string]any {
	if !in.operation.RawInput {
		panic("operation: the input is read member by member")
	}
	return in.members
}

// Problem records what is wrong with a member.
func (in *Input) Problem(name, message string) {
	in.invalid = append(in.invalid, name)
	in.problems = append(in.problems, fault.Field{Field: in.path + name, Message: message})
}

// addProblems records what is wrong with members of the object that is read.
func (in *Input) addProblems(all []fault.Field) {
	for _, problem := range all {
		in.Problem(problem.Field, problem.Message)
	}
}

// declaredMember is the declared member and its value, nil when it is missing or hidden from this caller.
func (in *Input) declaredMember(name string, kinds ...collection.Kind) (*collection.Field, collection.JSONValue) {
	for i := range in.declared {
		f := &in.declared[i]
		switch {
		case f.Name != name || !slices.Contains(kinds, f.Kind):
		case f.VisibleTo > collection.Everyone && !in.server:
			return f, nil // hidden from this caller
		default:
			in.consumed = append(in.consumed, name)
			return f, in.members[name]
		}
	}
	panic(fmt.Sprintf("operation: %s%s is not declared as it is read", in.path, name))
}

// faultless reports whether nothing was found wrong with the members of this object so far.
func (in *Input) faultless() bool { return len(in.invalid) == 0 }

// Text is a text member, "" when missing.
func (in *Input) Text(name string) string {
	f, v := in.declaredMember(name, collection.Text, collection.Textarea, collection.Email, collection.Relation)
	s, isText := v.(string)
	if v != nil && !isText {
		in.Problem(name, "This field takes a text.")
	} else if problem := f.TextProblem(s); problem != "" {
		in.Problem(name, problem)
	}
	return s
}

// TextOrNumber is a text member that may also be sent as a number; "" when missing.
func (in *Input) TextOrNumber(name string) string {
	if n, isNumber := in.members[name].(collection.JSONNumber); isNumber {
		in.declaredMember(name, collection.Text)
		return string(n)
	}
	return in.Text(name)
}

// Given reports whether a member is present and not null.
func (in *Input) Given(name string) bool { return in.members[name] != nil }

// Choice is one of a member's options, "" when missing.
func (in *Input) Choice(name string) string {
	f, v := in.declaredMember(name, collection.Select)
	s, isText := v.(string)
	if v != nil && (!isText || !slices.Contains(f.Options, s)) {
		in.Problem(name, "This field takes one of: "+strings.Join(f.Options, ", ")+".")
	}
	return s
}

// Integer is a whole number within the bounds of its field, nil when missing.
func (in *Input) Integer(name string) *int64 {
	f, v := in.declaredMember(name, collection.Integer)
	if v == nil {
		return nil
	}
	n, isNumber := v.(collection.JSONNumber)
	d, err := money.ParseDecimal(string(n))
	if !isNumber || err != nil || d.E8()%100_000_000 != 0 {
		in.Problem(name, "This field takes a whole number.")
		return nil
	}
	if problem := f.RangeProblem(d); problem != "" {
		in.Problem(name, problem)
		return nil
	}
	whole := d.E8() / 100_000_000
	return &whole
}

// PositiveInteger is a whole number from 1, 0 when missing.
func (in *Input) PositiveInteger(name string) int64 {
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

// Int is a whole number that fits an int, absent when missing.
func (in *Input) Int(name string, absent int) int {
	switch n := in.Integer(name); {
	case n == nil:
		return absent
	case *n != int64(int32(*n)): //nolint:gosec // the conversion is the test
		in.Problem(name, "This field takes a smaller number.")
		return absent
	default:
		return int(*n)
	}
}

// Filter is a filter as the query parser reads it, nil when missing.
func (in *Input) Filter(name string) collection.JSONValue {
	_, v := in.declaredMember(name, collection.JSON)
	return v
}

// JSONObject is an object whose members the use case reads, nil when missing.
func (in *Input) JSONObject(name string) map[string]any {
	_, v := in.declaredMember(name, collection.JSON)
	object, isObject := v.(map[string]any)
	if v != nil && !isObject {
		in.Problem(name, "This field takes an object.")
	}
	return object
}

// Boolean is a flag, false when missing.
func (in *Input) Boolean(name string) bool {
	_, v := in.declaredMember(name, collection.Boolean)
	is, isFlag := v.(bool)
	if v != nil && !isFlag {
		in.Problem(name, "This field takes true or false.")
	}
	return is
}

// Amount is the exact text of an amount whose currency is not part of the input, "" when missing.
func (in *Input) Amount(name string) collection.JSONNumber {
	_, v := in.declaredMember(name, collection.Money)
	n, isNumber := v.(collection.JSONNumber)
	if v != nil && !isNumber {
		in.Problem(name, "This field takes an amount.")
	}
	return n
}

// Texts is a list of texts, nil when missing.
func (in *Input) Texts(name string) []string {
	_, v := in.declaredMember(name, collection.Texts)
	return in.textsOf(name, v)
}

func (in *Input) textsOf(name string, v collection.JSONValue) []string {
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
	_, v := in.declaredMember(name, collection.JSON)
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
	f, v := in.declaredMember(name, collection.Array)
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
		inner := in.nested(in.path+path+".", f.Fields, object)
		each(inner)
		inner.checkMembers()
	}
	return true
}

// Object calls each for an object; given is false when it is missing. each need not call Done.
func (in *Input) Object(name string, each func(*Input)) (given bool) {
	f, v := in.declaredMember(name, collection.Group)
	if v != nil {
		in.object(f, v, each)
	}
	return v != nil
}

func (in *Input) object(f *collection.Field, v collection.JSONValue, each func(*Input)) {
	object, isObject := v.(map[string]any)
	if !isObject {
		in.Problem(f.Name, "This field takes an object.")
		return
	}
	inner := in.nested(in.path+f.Name+".", f.Fields, object)
	each(inner)
	inner.checkMembers()
}

// Reference is the id of a record, or calls each for an object that describes it and may name its id; "" when missing.
func (in *Input) Reference(name string, each func(*Input)) (id string) {
	f, v := in.declaredMember(name, collection.Relation)
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

// Money is an amount with its currency, {amount, currency}, zero when missing. Rule money-4.
func (in *Input) Money(name string) (m money.Money) {
	in.Object(name, func(in *Input) {
		currency := money.Currency(strings.ToUpper(in.Text("currency")))
		if !currency.Valid() {
			in.Problem("currency", "This field takes an ISO 4217 code.")
			currency = "XXX" // any, so that the amount is checked too
		}
		_, v := in.declaredMember("amount", collection.Money)
		n, isNumber := v.(collection.JSONNumber)
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

// Removed rejects a member that an older API had, with a hint.
func (in *Input) Removed(name, message string) {
	in.consumed = append(in.consumed, name)
	if in.members[name] != nil {
		in.Problem(name, message)
	}
}

// checkMembers records required members that are missing, and members that do not exist.
func (in *Input) checkMembers() {
	for i := range in.declared {
		f := &in.declared[i]
		if !f.Required || slices.Contains(in.invalid, f.Name) || !slices.Contains(in.consumed, f.Name) {
			continue
		}
		if v := in.members[f.Name]; v == nil || v == "" {
			in.Problem(f.Name, "This field is required.")
		}
	}
	var names []string
	for name := range in.members {
		if !slices.Contains(in.consumed, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		in.Problem(name, "This field does not exist.")
	}
}

// Done reports every problem found. Errors: fault.ErrValidation with Fields.
func (in *Input) Done() error {
	in.checkMembers()
	if len(in.problems) == 0 {
		return nil
	}
	return fault.ErrValidation.WithFields(in.problems...)
}
