package read

import (
	"io"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// FuzzDocumentRequest: any JSON, alone or in a form, is read as a GraphQL request or refused with a client
// error.
func FuzzDocumentRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{
			`{"query": "{ a }", "variables": {"a": null, "b": [null, {"c": null}]}, "operationName": "A"}`,
			`{"0": ["variables.a", "variables.b.1.c"]}`, "text",
		},
		{`[{"query": ""}]`, `{"0": ["variables"]}`, ""}, {`{"extensions": {"persistedQuery": 1}}`, `{"0": [1]}`, "x"},
		{`{"query": "{ a }", "variables": {"": null}}`, `{"0": ["variables."]}`, "--b"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, operations, places, text string) {
		check := func(err error) {
			if k := fault.From(err).Kind; err != nil && k != fault.Invalid && k != fault.TooLarge {
				t.Errorf("%v", err)
			}
		}
		var req gqlrequest.Request
		if tree, err := JSON([]byte(operations)); err == nil {
			err = Document(tree, &req)
			check(err)
			if err == nil && req.Document == "" {
				t.Errorf("%q is a request without a document", operations)
			}
		}
		sent, err := NewForm(boundary, strings.NewReader(field(`form-data; name="operations"`, operations)+
			field(`form-data; name="map"`, places)+file("0", text)+"--b--"))
		if err != nil {
			t.Fatal(err)
		}
		req = gqlrequest.Request{}
		done, err := DocumentForm(sent, spool, &req)
		defer done()
		if err != nil {
			check(err)
			return
		}
		visitUploads(req.Variables, func(u *gqlrequest.Upload) {
			got, err := u.Open()
			if check(err); err == nil {
				_, err = io.Copy(io.Discard, got)
				check(err)
			}
		})
	})
}

// visitUploads calls fn for every file in v.
func visitUploads(v any, fn func(*gqlrequest.Upload)) {
	switch v := v.(type) {
	case *gqlrequest.Upload:
		fn(v)
	case []any:
		for _, x := range v {
			visitUploads(x, fn)
		}
	case map[string]any:
		for _, x := range v {
			visitUploads(x, fn)
		}
	}
}
