package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

const boundary = "multipart/form-data; boundary=b"

func field(disposition, value string) string {
	return "--b\r\nContent-Disposition: " + disposition + "\r\n\r\n" + value + "\r\n"
}

// walk reads every part of a form: "name=value" of fields, "name:filename=size" of files.
func walk(contentType string, body io.Reader) (parts []string, err error) {
	f, err := NewForm(contentType, body)
	if err != nil {
		return nil, err
	}
	for {
		p, err := f.Next()
		if p == nil {
			return parts, err
		}
		if p.File {
			n, err := io.Copy(io.Discard, p)
			if err != nil {
				return parts, err
			}
			parts = append(parts, fmt.Sprintf("%s:%s=%d", p.Name, p.Filename, n))
			continue
		}
		text, err := p.Value()
		if err != nil {
			return parts, err
		}
		parts = append(parts, p.Name+"="+text)
	}
}

func TestFormsAreReadPartByPart(t *testing.T) {
	large := strings.Repeat("x", 3<<20)
	for name, c := range map[string]struct {
		contentType, body string
		want              string
		reason            string
	}{
		"fields and a file": {
			boundary, field(`form-data; name="alt"`, "A cup") + field(`form-data; name="file"; filename="cup.png"`, large) + "--b--\r\n",
			"alt=A cup file:cup.png=3145728", "",
		},
		"a name beyond ASCII": {boundary, field(`form-data; name="file"; filename="한글 컵.png"`, "x") + "--b--", "file:한글 컵.png=1", ""},
		"an encoded name": {
			boundary, field(`form-data; name="file"; filename*=UTF-8''%ED%95%9C.png`, "x") + "--b--", "file:한.png=1", "",
		},
		"a file without a name":  {boundary, field(`form-data; name="file"; filename=""`, "") + "--b--", "file:=0", ""},
		"nothing":                {boundary, "--b--\r\n", "", "form_malformed"},
		"something before":       {boundary, "hello\r\n" + field(`form-data; name="a"`, "1") + "--b--", "a=1", ""},
		"something after":        {boundary, field(`form-data; name="a"`, "1") + "--b--\r\nhello", "a=1", ""},
		"no boundary":            {"multipart/form-data", "--b--", "", "form_malformed"},
		"no form":                {"application/json", "{}", "", "media_type_not_supported"},
		"no last boundary":       {boundary, field(`form-data; name="a"`, "1"), "", "form_malformed"},
		"cut off inside a file":  {boundary, field(`form-data; name="f"; filename="x"`, large)[:1<<20], "", "form_malformed"},
		"empty":                  {boundary, "", "", "form_malformed"},
		"another boundary":       {boundary, strings.ReplaceAll(field(`form-data; name="a"`, "1"), "--b", "--c"), "", "form_malformed"},
		"a part without a name":  {boundary, field(`form-data`, "1") + "--b--", "", "form_malformed"},
		"a part of another kind": {boundary, field(`attachment; name="a"`, "1") + "--b--", "", "form_malformed"},
		"an encoded part": {
			boundary, field("form-data; name=\"a\"\r\nContent-Transfer-Encoding: base64", "MQ==") + "--b--", "", "form_malformed",
		},
		"a broken header":   {boundary, "--b\r\nhello\r\n\r\n1\r\n--b--", "", "form_malformed"},
		"an endless header": {boundary, field("form-data; name=\"a\"\r\nX: "+large, "1") + "--b--", "", "form_malformed"},
		"many headers": {
			boundary, field("form-data; name=\"a\""+strings.Repeat("\r\nX: y", 20_000), "1") + "--b--", "", "form_malformed",
		},
		"an endless beginning": {boundary, large + field(`form-data; name="a"`, "1") + "--b--", "", "form_malformed"},
		"a long field":         {boundary, field(`form-data; name="a"`, large) + "--b--", "", "body_too_large"},
		"fields that add up": {
			boundary, strings.Repeat(field(`form-data; name="a"`, large[:400_000]), 3) + "--b--", "", "body_too_large",
		},
		"many parts": {boundary, strings.Repeat(field(`form-data; name="a"`, ""), 65) + "--b--", "", "form_malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			parts, err := walk(c.contentType, strings.NewReader(c.body))
			reason := ""
			if err != nil {
				reason = fault.From(err).Reason
			}
			if reason != c.reason || c.want != "" && strings.Join(parts, " ") != c.want {
				t.Errorf("%.300q %v", parts, err)
			}
		})
	}
}

// An error of the body below is returned as it is, not as a malformed form.
func TestFormsPassOnBodyErrors(t *testing.T) {
	for _, whole := range []string{"", "--b\r\n", field(`form-data; name="f"; filename="x"`, "hello")} {
		body := io.MultiReader(strings.NewReader(whole), iotest.ErrReader(ErrTooLarge))
		if _, err := walk(boundary, body); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%q: %v", whole, err)
		}
	}
}

// A file that is not read is skipped.
func TestUnreadFileIsSkipped(t *testing.T) {
	f, err := NewForm(boundary,
		strings.NewReader(field(`form-data; name="f"; filename="x"`, strings.Repeat("x", 1<<20))+field(`form-data; name="a"`, "1")+"--b--"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Next(); err != nil {
		t.Fatal(err)
	}
	p, err := f.Next()
	if err != nil || p.Name != "a" {
		t.Fatal(p, err)
	}
}

// FuzzForm: any input is read as a form or refused, within the bounds of forms.
func FuzzForm(f *testing.F) {
	f.Add("b",
		[]byte(field(`form-data; name="alt"`, "A cup")+field(`form-data; name="file"; filename="cup.png"`, "\x89PNG\r\n")+"--b--\r\n"))
	f.Add("b",
		[]byte("--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"..\\..\\x\"\r\nContent-Type: text/html\r\n\r\n<b>\r\n--b"))
	f.Add("b", []byte("preamble\r\n--b \t\r\nContent-Disposition: form-data; name*=UTF-8''%41; name=b\r\n\r\n\r\n--b--epilogue"))
	f.Add("", []byte("----\r\n"))
	f.Fuzz(func(t *testing.T, mark string, body []byte) {
		kind := fmt.Sprintf("multipart/form-data; boundary=%q", mark)
		parts, err := walk(kind, bytes.NewReader(body))
		if err != nil {
			if f := fault.From(err); f.Kind == fault.Internal {
				t.Errorf("%v is not a fault", err)
			}
		}
		if size := len(strings.Join(parts, "")); len(parts) > maxParts || size > len(body)+32*len(parts)+2*len(body) {
			t.Errorf("%d parts of %d bytes from %d", len(parts), size, len(body))
		}
		again, second := walk(kind, iotest.OneByteReader(bytes.NewReader(body)))
		if (err == nil) != (second == nil) || err == nil && strings.Join(parts, "\n") != strings.Join(again, "\n") {
			t.Errorf("in one piece %q %v, byte by byte %q %v", parts, err, again, second)
		}
	})
}
