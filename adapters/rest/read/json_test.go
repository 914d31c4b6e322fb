package read_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestJSONIsReadExactly(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"numbers keep their text": {
			`{"a":19.990,"b":1E400,"c":-0,"d":12345678901234567890.5}`, `{"a":19.990,"b":1E400,"c":-0,"d":12345678901234567890.5}`,
		},
		"a byte order mark":        {"\ufeff{\"a\":1}", `{"a":1}`},
		"space around":             {" \r\n\t{\"a\":1}\n", `{"a":1}`},
		"a whole surrogate pair":   {`{"a":"\ud83d\ude00\uD83D\uDE00"}`, `{"a":"😀😀"}`},
		"an escaped backslash":     {`{"a":"\\ud800"}`, `{"a":"\\ud800"}`},
		"keys of other languages":  {`{"__proto__":{"constructor":1}}`, `{"__proto__":{"constructor":1}}`},
		"an empty key":             {`{"":1}`, `{"":1}`},
		"64 levels":                {strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 64) + strings.Repeat("]", 64)},
		"a replacement character":  {`"\ufffd�"`, `"��"`},
		"null, true, false, texts": {`[null,true,false,""]`, `[null,true,false,""]`},
	} {
		got, err := read.JSON([]byte(c.body))
		if err != nil || same(got) != c.want {
			t.Errorf("%s: %s, %v", name, same(got), err)
		}
	}
	for name, c := range map[string]struct{ body, says string }{
		"nothing":                     {"", "byte 0"},
		"broken":                      {`{"a":`, "byte 5"},
		"a trailing comma":            {`{"a":1,}`, "not valid JSON"},
		"single quotes":               {`{'a':1}`, "not valid JSON"},
		"a comment":                   {`{/**/}`, "not valid JSON"},
		"NaN":                         {`{"a":NaN}`, "not valid JSON"},
		"a leading zero":              {`{"a":01}`, "not valid JSON"},
		"a plus":                      {`{"a":+1}`, "not valid JSON"},
		"a control character":         {"{\"a\":\"\x01\"}", "not valid JSON"},
		"a duplicate key":             {`{"a":1,"\u0061":2}`, `The key "a" is given twice.`},
		"something after":             {`{} {}`, "Something follows"},
		"two byte order marks":        {"\ufeff\ufeff{}", "not valid JSON"},
		"65 levels":                   {strings.Repeat("[", 66) + strings.Repeat("]", 66), "nests deeper"},
		"NUL":                         {`{"a":"\u0000"}`, "NUL"},
		"NUL in a key":                {`{"a\u0000":1}`, "NUL"},
		"invalid UTF-8":               {"{\"a\":\"\xff\"}", "UTF-8"},
		"UTF-16":                      {"\xff\xfe{\x00}\x00", "UTF-8"},
		"the first half of a pair":    {`{"a":"\ud800"}`, "half of a surrogate pair"},
		"the second half of a pair":   {`{"a":"\uDC00"}`, "half of a surrogate pair"},
		"halves in the wrong order":   {`{"a":"\ude00\ud83d"}`, "half of a surrogate pair"},
		"half a pair and a character": {`{"a":"\ud83dx"}`, "half of a surrogate pair"},
		"half a pair and an escape":   {`{"a":"\ud83d\u0061"}`, "half of a surrogate pair"},
		"half a pair in a key":        {`{"\ud83d":1}`, "half of a surrogate pair"},
		"half a pair at the end":      {`"\ud83d`, "half of a surrogate pair"},
	} {
		if got, err := read.JSON([]byte(c.body)); !malformed(err) || !strings.Contains(fault.From(err).Message, c.says) {
			t.Errorf("%s: %s, %v", name, same(got), err)
		}
	}
}

// FuzzReadFast: what the fast reader accepts, the strict reader accepts with the same result.
func FuzzReadFast(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2.50,-0,1e400,0.1E+2],"b":{"c":null}}`, `{"a":"\ud83d\ude00\n\"\/"}`, `{"a":1,"\u0061":2}`, `[[[[]]]]`, `{"a":"\u0000"}`,
		` { "" : [ true , false ] } `, `1 2`, `"\`, `"\q"`, `01`, `-`, `1.`, `1e`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `[1 2]`, `tru`, `nulll`,
		"\x00", "\"\x01\"", `"ü"`, `{1:2}`, `]`, `[}`, strings.Repeat("[", 65) + strings.Repeat("]", 65),
		strings.Repeat("[", 66) + strings.Repeat("]", 66),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if read.CheckText(body) != nil {
			return
		}
		got, ok := read.ReadFast(body)
		want, err := read.ReadStrict(body)
		if ok != (err == nil) || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %#v, %v; strictly %#v, %v", body, got, ok, want, err)
		}
	})
}

// FuzzJSON: accepted input is valid JSON, has the value that encoding/json reads, and survives a round trip.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2.50,-0,1e400]}`, `{"a":"\ud83d\ude00"}`, `{"a":"\ud800"}`, `"\\ud800"`, `{"a":1,"a":2}`, `[[[[]]]]`, "\ufeff{}",
		`{"a":"\u0000"}`, `{"":{"":null}}`, `1 2`, `"\`, `"\u`, `"\ud83d\u`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := read.JSON(body)
		if err != nil {
			if !malformed(err) {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		if plain := strings.TrimPrefix(string(body), "\ufeff"); !json.Valid([]byte(plain)) {
			t.Fatalf("%q is not JSON but was read as %s", body, same(got))
		}
		written := same(got)
		again, err := read.JSON([]byte(written))
		if err != nil || same(again) != written {
			t.Fatalf("%q is written as %s and read as %s, %v", body, written, same(again), err)
		}
	})
}
