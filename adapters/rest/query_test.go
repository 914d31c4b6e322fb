package rest

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func TestQueryStrings(t *testing.T) {
	for name, c := range map[string]struct{ raw, want string }{
		"plain":                  {"a=1&b=x+y%20z", `{"a":"1","b":"x y z"}`},
		"objects":                {"where[price][greater_than]=10&where[name][like]=a", `{"where":{"name":{"like":"a"},"price":{"greater_than":"10"}}}`},
		"escaped brackets":       {"where%5Bname%5D%5Bequals%5D=a", `{"where":{"name":{"equals":"a"}}}`},
		"indices make a list":    {"a[1]=y&a[0]=x", `{"a":["x","y"]}`},
		"gaps close":             {"a[7]=y&a[2]=x", `{"a":["x","y"]}`},
		"empty brackets append":  {"a[]=x&a[]=y", `{"a":["x","y"]}`},
		"a repeated key":         {"a=x&a=y", `{"a":["x","y"]}`},
		"conditions in a list":   {"where[or][0][a][equals]=1&where[or][1][b][equals]=2", `{"where":{"or":[{"a":{"equals":"1"}},{"b":{"equals":"2"}}]}}`},
		"nothing":                {"", `{}`},
		"no value":               {"a&b=", `{"a":"","b":""}`},
		"dots stay":              {"where[brand.name][equals]=x", `{"where":{"brand.name":{"equals":"x"}}}`},
		"an index beside a name": {"a[0]=x&a[b]=y", `{"a":{"0":"x","b":"y"}}`},
	} {
		got, err := parseQuery(c.raw)
		if err != nil || string(collection.AppendTree(nil, got)) != c.want {
			t.Errorf("%s: %s, %v", name, collection.AppendTree(nil, got), err)
		}
	}
	for name, raw := range map[string]string{
		"open bracket": "a[b=1", "text after a bracket": "a[b]c=1", "bracket in a bracket": "a[b[c]]=1", "bad escape": "a=%zz",
		"invalid UTF-8": "a=%ff", "NUL": "a=%00", "value and object": "a=1&a[b]=2", "nests too deeply": "a" + repeat("[x]", 50) + "=1", "too many": repeat("a=1&", 1001),
	} {
		if got, err := parseQuery(raw); err == nil {
			t.Errorf("%s was read as %v", name, got)
		}
	}
}

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

func TestListParameters(t *testing.T) {
	for name, c := range map[string]struct {
		raw string
		ok  bool
	}{
		"defaults": {"", true}, "limit 0": {"limit=0", true}, "page below one": {"page=-3", true}, "sort as a list": {"sort[]=a&sort[]=-b", true},
		"where as JSON": {`where={"a":{"equals":1}}`, true}, "empty where": {"where=", true}, "select": {"select[name]=true", true},
		"limit is no number": {"limit=abc", false}, "limit has a fraction": {"limit=1.5", false}, "depth is a list": {"depth[]=1", false},
		"page too large": {"page=99999999999", false}, "broken JSON": {"where={", false}, "select false": {"select[name]=false", false}, "select text": {"select=name", false}, "sort object": {"sort[a]=b", false},
	} {
		params, err := parseQuery(c.raw)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := listQuery(params); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"a=1", "where[or][0][a][equals]=1", "a[]=1&a[]=2", "a[[b]]=1", "where={\"a\":{\"in\":[1,2]}}", "%5B%5D=", "a=1&a[b]=2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		params, err := parseQuery(raw)
		if err != nil {
			return
		}
		if again, err := parseQuery(raw); err != nil || string(collection.AppendTree(nil, again)) != string(collection.AppendTree(nil, params)) {
			t.Fatalf("%q is read in two ways", raw)
		}
		_, _ = listQuery(params) // must not panic
	})
}
