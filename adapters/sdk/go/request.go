package cartwright

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"strings"
)

// operation is one of the server's. What takes a key changes something.
type operation struct {
	name, method, path string
	keyed              bool
}

// request is an operation with its input, ready to be sent.
type request struct {
	operation

	body   []byte // the exact JSON; nil: none
	form   string // the type of a body that is no JSON
	accept string // the type of an answer that is no JSON
	match  string // equal for equal inputs; a change of a cart is the same one whatever revision it expects

	person *person // who sends it, in place of the shop
}

// person is somebody whose right to a call is in the call itself.
type person struct {
	userToken string // of the user who is logged in; "" is nobody
}

// byID is the input of operations that need no more than a record.
type byID struct {
	ID string `json:"-" path:"id"`
}

var errID = errors.New("an id is missing or is none")

// request fills the operation with in: fields tagged path and query go there, the others into the body.
// Errors: an id that would change the path, or what JSON cannot say.
func (o operation) request(in any) (request, error) {
	r := request{operation: o}
	query, body := url.Values{}, false
	if in == nil {
		in = struct{}{}
	}
	v := reflect.ValueOf(in)
	for i := range v.NumField() {
		f, tag := v.Field(i), v.Type().Field(i).Tag
		if name := tag.Get("path"); name != "" {
			if !isID(f.String()) {
				return r, fmt.Errorf("%w: %s", errID, v.Type().Field(i).Name)
			}
			r.path = strings.ReplaceAll(r.path, "{"+name+"}", url.PathEscape(f.String()))
			continue
		}
		if name := tag.Get("query"); name != "" {
			if err := inQuery(query, name, f); err != nil {
				return r, err
			}
			continue
		}
		body = true
	}
	loose := maps.Clone(query)
	delete(loose, "expectedRevision")
	bare := withQuery(r.path, loose)
	r.path = withQuery(r.path, query)
	if body {
		return r.carrying(in, bare)
	}
	r.match = r.print(bare, nil)
	return r, nil
}

// carrying adds the body, and the match with the path as it would be without an expected revision.
func (r request) carrying(in any, loose string) (request, error) {
	body, err := json.Marshal(filled(in))
	if err != nil {
		return r, err
	}
	r.body = body
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) == nil { // else it is no object and expects no revision
		if r.name != opCheckoutCreate.name { // where another revision is another cart to be bought
			delete(members, "expectedRevision")
		}
		if body, err = json.Marshal(members); err != nil {
			return r, err
		}
	}
	r.match = r.print(loose, body)
	return r, nil
}

// filled is the input with empty lists and maps where required ones are nil: a nil list of codes clears them.
func filled(in any) any {
	v := reflect.ValueOf(in)
	if v.Kind() != reflect.Struct {
		return in
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range out.NumField() {
		f := out.Field(i)
		if strings.Contains(v.Type().Field(i).Tag.Get("json"), "omitzero") || !f.CanSet() {
			continue
		}
		switch {
		case f.Kind() == reflect.Slice && f.IsNil():
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		case f.Kind() == reflect.Map && f.IsNil():
			f.Set(reflect.MakeMap(f.Type()))
		}
	}
	return out.Interface()
}

// print tells requests apart, by the path and the body as they would be without an expected revision.
func (r request) print(path string, body []byte) string {
	h := sha256.New()
	for _, part := range []string{r.name, r.method, path, string(body)} {
		_, _ = fmt.Fprintf(h, "%d\n%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// isID reports whether the text is one segment of a path.
func isID(id string) bool { return id != "" && id != "." && id != ".." }

func withQuery(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// inQuery adds a field that is set.
func inQuery(query url.Values, name string, f reflect.Value) error {
	switch {
	case f.IsZero():
	case f.Kind() == reflect.Map: // a filter
		text, err := json.Marshal(f.Interface())
		if err != nil {
			return err
		}
		query.Set(name, string(text))
	case name == "select": // fields to show
		for i := range f.Len() {
			query.Set(name+"["+f.Index(i).String()+"]", "true")
		}
	case f.Kind() == reflect.Slice:
		for i := range f.Len() {
			query.Add(name, fmt.Sprint(f.Index(i).Interface()))
		}
	default:
		query.Set(name, fmt.Sprint(f.Interface()))
	}
	return nil
}
