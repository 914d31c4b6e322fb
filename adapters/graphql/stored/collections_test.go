package stored_test

import (
	"bytes"
	"encoding/json"
	"image"
	imagepng "image/png"
	"testing"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
)

func TestCollectionReadAndWrite(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		brand := s.id(`mutation { createBrand(data: {name: "Acme"}) { id } }`)
		s.want(`mutation { createProduct(data: {name: "Mug", status: out_of_stock, price: 20, brand: "`+brand+
			`"}) { name slug status price brand { name } tags { name } } }`,
			`{"createProduct":{"name":"Mug","slug":"mug","status":"out_of_stock","price":20,"brand":{"name":"Acme"},"tags":[]}}`)
		s.want(`{ Products(where: {status: {equals: out_of_stock}}, sort: "-name") { totalDocs docs { name brand { name } } hasNextPage } countProducts { totalDocs } }`,
			`{"Products":{"totalDocs":1,"docs":[{"name":"Mug","brand":{"name":"Acme"}}],"hasNextPage":false},"countProducts":{"totalDocs":1}}`)
	})
}

// png is an image of 3 × 2 pixels.
func png(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := imagepng.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func upload(name string, content []byte) *gqlrequest.Upload {
	return &gqlrequest.Upload{Open: func() (gqlrequest.File, error) {
		return gqlrequest.File{Reader: bytes.NewReader(content), Name: name}, nil
	}}
}

// A file sent as a variable becomes a media record, and another file replaces it. Rule graphql-9.
func TestFileUpload(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	made := s.data(`mutation($f: Upload!) { createMedia(data: {file: $f, alt: "A dot"}) { filename alt width height mimeType } }`,
		tree{"f": upload("dot.png", png(t))})
	if made != `{"createMedia":{"filename":"dot.png","alt":"A dot","width":3,"height":2,"mimeType":"image/png"}}` {
		t.Error(made)
	}
	var found struct {
		AllMedia struct{ Docs []struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(s.data(`{ allMedia { docs { id } } countallMedia { totalDocs } }`, nil)), &found); err != nil {
		t.Fatal(err)
	}
	update := `mutation($f: Upload) { updateMedia(id: "` + found.AllMedia.Docs[0].ID + `", data: {file: $f, alt: "B"}) { filename alt } }`
	if got := s.data(update, nil); got != `{"updateMedia":{"filename":"dot.png","alt":"B"}}` {
		t.Errorf("without a file: %s", got)
	}
	if got := s.data(update, tree{"f": upload("b.png", png(t))}); got != `{"updateMedia":{"filename":"b.png","alt":"B"}}` {
		t.Error(got)
	}
	out := s.execute(`mutation($f: Upload!) { createMedia(data: {file: $f}) { id } }`,
		tree{"f": upload("page.html", []byte("<html><script>alert(1)</script></html>"))})
	if len(out.Errors) != 1 || out.Errors[0].Extensions["code"] != "BAD_USER_INPUT" {
		t.Error(out.raw)
	}
	s.refused(`mutation { createMedia(data: {file: "x", alt: "x"}) { id } }`, "BAD_USER_INPUT graphql_validation")
}

// A document repeated with its idempotency key returns the same records; each of its fields is a write of its own.
// Rule graphql-3.
func TestIdempotencyKeyOnDocument(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		s.key = "ik_0123456789abcdefghij"
		document := `mutation { a: createTag(data: {name: "A"}) { id name } b: createTag(data: {name: "B"}) { id name } }`
		first := s.data(document, nil)
		if again := s.data(document, nil); again != first {
			t.Errorf("%s, then %s", first, again)
		}
		s.refused(`mutation { a: createTag(data: {name: "Other"}) { id } }`, "UNPROCESSABLE idempotency_key_reused")
		s.want(`{ Tags(sort: "name") { docs { name } totalDocs } }`, `{"Tags":{"docs":[{"name":"A"},{"name":"B"}],"totalDocs":2}}`)
	})
}
