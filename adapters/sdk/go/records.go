package cartwright

import (
	"bytes"
	"encoding/json"
)

// List is one page of records.
type List[T any] struct {
	Docs          []T    `json:"docs"`
	TotalDocs     int64  `json:"totalDocs"`
	Limit         int64  `json:"limit"`
	TotalPages    int64  `json:"totalPages"`
	Page          int64  `json:"page"`
	PagingCounter int64  `json:"pagingCounter"` // the number of the first of Docs, from 1
	HasPrevPage   bool   `json:"hasPrevPage"`
	HasNextPage   bool   `json:"hasNextPage"`
	PrevPage      *int64 `json:"prevPage"`
	NextPage      *int64 `json:"nextPage"`
}

// Query narrows a list. The zero value is the first page of ten, the newest first.
type Query struct {
	Where  Where    `json:"-" query:"where"`
	Search string   `json:"-" query:"q"`     // what to find of orders, customers, products, drafts and returns, best match first; no Sort
	Sort   string   `json:"-" query:"sort"`  // fields with commas between; - before one turns its order around
	Limit  int64    `json:"-" query:"limit"` // 1 to 500; 0: 10
	Page   int64    `json:"-" query:"page"`
	Depth  int64    `json:"-" query:"depth"`  // levels of relations that are shown as records
	Select []string `json:"-" query:"select"` // the fields to show; none: all
}

// Where is a filter: Where{"price": Where{"greater_than": Amount("10")}}, with "and" and "or" over lists of filters.
type Where map[string]any

// Fields are members of a record by name, for what the typed inputs cannot say: a nil here is sent as null.
type Fields map[string]any

// Written is the answer to a create or an update.
type Written[T any] struct {
	Message string `json:"message"`
	Doc     T      `json:"doc"`
}

// Deleted is the answer to a delete.
type Deleted[T any] struct {
	ID      string `json:"id"`
	Message string `json:"message"`
	Doc     T      `json:"doc"` // as it was
}

// Bulk is the answer to a change of many records: each succeeds or fails on its own.
type Bulk[T any] struct {
	Docs    []T         `json:"docs"`
	Errors  []BulkError `json:"errors"`
	Message string      `json:"message"`
}

// BulkError is why one record of many was not changed.
type BulkError struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Message    string          `json:"message"`
	Data       json.RawMessage `json:"data,omitzero"`
	Extensions struct {
		Code   string `json:"code"`
		Reason Reason `json:"reason"`
	} `json:"extensions"`
}

// Ref is a relation: the id of the other record, and the record itself if the depth of the call reached it.
// The zero value is no relation.
type Ref[T any] struct {
	ID  string
	Doc *T
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Ref[T]) UnmarshalJSON(b []byte) error {
	*r = Ref[T]{}
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	if b[0] == '"' {
		return json.Unmarshal(b, &r.ID)
	}
	var named struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	r.ID = named.ID
	return json.Unmarshal(b, &r.Doc)
}

// MarshalJSON implements json.Marshaler: the record if it is known, else the id, else null.
func (r Ref[T]) MarshalJSON() ([]byte, error) {
	switch {
	case r.Doc != nil:
		return json.Marshal(r.Doc)
	case r.ID != "":
		return json.Marshal(r.ID)
	}
	return []byte("null"), nil
}
