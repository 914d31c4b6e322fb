package table

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// cartText is JSON like that of a cart with lines, whose texts are Korean.
func cartText(revision, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":"c1","updatedAt":"2026-01-01T00:00:%02d.000Z","revision":%d,"lines":[`, revision%60, revision)
	for i := range lines {
		fmt.Fprintf(&b, `{"id":"line-%d","title":"새벽 굿즈 %d","quantity":%d,"attributes":{"글씨":"%s"}},`, i, i, i%7, strings.Repeat("가", i))
	}
	fmt.Fprintf(&b, `null],"expiresAt":"2026-01-31T00:00:%02d.000Z"}`, revision%60)
	return b.String()
}

func TestDeltaOfDocuments(t *testing.T) {
	t.Parallel()
	whole := cartText(3, 120)
	for name, c := range map[string]struct {
		base, doc string
		atMost    int
	}{
		"one line fewer":       {cartText(4, 121), whole, len(whole) / 20},
		"one line more":        {cartText(4, 119), whole, len(whole) / 20},
		"the same":             {whole, whole, 64},
		"nothing in common":    {strings.Repeat("x", 9000), whole, len(whole)},
		"a small document":     {`{"a":1}`, `{"a":2}`, 7},
		"another base":         {"", whole, len(whole)},
		"characters cut apart": {strings.Replace(whole, "굿즈", "굿쥬", 40), whole, len(whole) / 2},
	} {
		delta := Delta(c.base, c.doc)
		got, err := expandDelta([]byte(c.base), []byte(delta))
		if err != nil || string(got) != c.doc || len(delta) > c.atMost || !utf8.ValidString(delta) {
			t.Errorf("%s: %d bytes instead of %d, %v", name, len(delta), len(c.doc), err)
		}
	}
}

func TestBrokenDeltasAreRefused(t *testing.T) {
	t.Parallel()
	for _, delta := range []string{"~", "~=", "~=1", "~=1;", "~=1,9;", "~=-1,2;", "~=1,-1;", "~=9,1;", "~+9;abc", "~+-1;", "~x1,1;", "~=1,1;y"} {
		if doc, err := expandDelta([]byte("{1234}"), []byte(delta)); err == nil && delta != "~" {
			t.Errorf("%q is read as %q", delta, doc)
		}
	}
}

// FuzzDelta: every pair of documents comes back as it was, and no delta is more than its document.
func FuzzDelta(f *testing.F) {
	f.Add("{}", "{}", 1)
	f.Add(`{"a":"가나다"}`, `{"a":"가나라"}`, 900)
	f.Fuzz(func(t *testing.T, base, doc string, times int) {
		if times = 1 + times&1023; !utf8.ValidString(base) || !utf8.ValidString(doc) || strings.HasPrefix(doc, "~") {
			t.Skip()
		}
		base, doc = strings.Repeat(base, times), strings.Repeat(doc, times)
		delta := Delta(base, doc)
		got, err := expandDelta([]byte(base), []byte(delta))
		if err != nil || string(got) != doc || len(delta) > len(doc) || !utf8.ValidString(delta) {
			t.Errorf("%d bytes became %d and %d, %v", len(doc), len(delta), len(got), err)
		}
	})
}
