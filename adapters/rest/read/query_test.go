package read_test

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestQueryStrings(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"plain": {"a=1&b=x+y%20z", `{"a":"1","b":"x y z"}`},
		"objects": {
			"where[price][greater_than]=10&where[name][like]=a", `{"where":{"name":{"like":"a"},"price":{"greater_than":"10"}}}`,
		},
		"escaped brackets":             {"where%5Bname%5D%5Bequals%5D=a", `{"where":{"name":{"equals":"a"}}}`},
		"indices make a list":          {"a[1]=y&a[0]=x", `{"a":["x","y"]}`},
		"ten indices stay in order":    {"a[10]=k&a[9]=j&a[1]=b", `{"a":["b","j","k"]}`},
		"gaps close":                   {"a[7]=y&a[2]=x", `{"a":["x","y"]}`},
		"empty brackets append":        {"a[]=x&a[]=y", `{"a":["x","y"]}`},
		"and append after the highest": {"a[1]=x&a[]=y&a[0]=z", `{"a":["z","x","y"]}`},
		"no value is an empty list":    {"a[]=", `{"a":[]}`},
		"as the client writes it":      {"where[and][]", `{"where":{"and":[]}}`},
		"an index without a value":     {"a[0]=", `{"a":[""]}`},
		"a repeated key":               {"a=x&a=y", `{"a":["x","y"]}`},
		"conditions in a list": {
			"where[or][0][a][equals]=1&where[or][1][b][equals]=2", `{"where":{"or":[{"a":{"equals":"1"}},{"b":{"equals":"2"}}]}}`,
		},
		"conditions without indices": {
			"where[or][][a][equals]=1&where[or][][b][equals]=2", `{"where":{"or":[{"a":{"equals":"1"}},{"b":{"equals":"2"}}]}}`,
		},
		"nothing":                        {"", `{}`},
		"no parameters":                  {"&&", `{}`},
		"no value":                       {"a&b=", `{"a":"","b":""}`},
		"dots stay":                      {"where[brand.name][equals]=x", `{"where":{"brand.name":{"equals":"x"}}}`},
		"an index beside a name":         {"a[0]=x&a[b]=y", `{"a":{"0":"x","b":"y"}}`},
		"a leading zero makes it a name": {"a[01]=x", `{"a":{"01":"x"}}`},
		"a sign is a name":               {"a[%2B1]=x", `{"a":{"+1":"x"}}`},
		"a huge index is a name":         {"a[1000000]=x", `{"a":{"1000000":"x"}}`},
		"names of other languages":       {"__proto__[a]=1&constructor=2", `{"__proto__":{"a":"1"},"constructor":"2"}`},
		"equals signs in a value":        {"a=b=c", `{"a":"b=c"}`},
		"an escaped ampersand":           {"a=b%26c", `{"a":"b&c"}`},
	} {
		got, err := read.Query(c.raw)
		if err != nil || string(collection.AppendJSONValue(nil, got)) != c.want {
			t.Errorf("%s: %s, %v", name, collection.AppendJSONValue(nil, got), err)
		}
	}
	for name, raw := range map[string]string{
		"open bracket": "a[b=1", "text after a bracket": "a[b]c=1", "bracket in a bracket": "a[b[c]]=1", "bad escape": "a=%zz",
		"invalid UTF-8": "a=%ff", "NUL": "a=%00", "value and object": "a=1&a[b]=2",
		"nests too deeply": "a" + strings.Repeat("[x]", 50) + "=1", "too many": strings.Repeat("a=1&", 1001),
	} {
		if got, err := read.Query(raw); !malformed(err) {
			t.Errorf("%s was read as %v, %v", name, got, err)
		}
	}
}

func malformed(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && f.Kind == fault.Invalid
}

// FuzzQuery: accepted input survives a round trip, and the rest is refused as the client's error.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		"a=1", "where[or][0][a][equals]=1", "a[]=1&a[]=2", "a[]=", "a[[b]]=1", `where={"a":{"in":[1,2]}}`, "%5B%5D=", "a=1&a[b]=2",
		"a[1]=x&a[]=y", "a[][b]=1&a[][b]=2", "a[0][0][0]=1", "[a]=1", "=1", "a[999999]=1&a[]=2",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, err := read.Query(raw)
		if err != nil {
			if !malformed(err) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		for name, v := range got {
			if strings.Contains(name, "[") {
				t.Fatalf("%q has the parameter %q", raw, name)
			}
			parts := write(nil, url.QueryEscape(name), v)
			if len(parts) > 900 || deep(v) > 30 {
				return
			}
			again, err := read.Query(strings.Join(parts, "&"))
			if err != nil || same(again) != same(map[string]any{name: v}) {
				t.Fatalf("%q: %s is written as %q and read as %s, %v", raw, same(v), parts, same(again), err)
			}
		}
	})
}

func same(v collection.JSONValue) string { return string(collection.AppendJSONValue(nil, v)) }

// write appends v under key in the form of qs.
func write(parts []string, key string, v collection.JSONValue) []string {
	switch v := v.(type) {
	case []any:
		if len(v) == 0 {
			return append(parts, key+"[]")
		}
		for i, x := range v {
			parts = write(parts, key+"["+strconv.Itoa(i)+"]", x)
		}
	case map[string]any:
		for k, x := range v {
			parts = write(parts, key+"["+url.QueryEscape(k)+"]", x)
		}
	case string:
		parts = append(parts, key+"="+url.QueryEscape(v))
	}
	return parts
}

func deep(v collection.JSONValue) (n int) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n = max(n, deep(x)+1)
		}
	case map[string]any:
		for _, x := range v {
			n = max(n, deep(x)+1)
		}
	}
	return n
}
