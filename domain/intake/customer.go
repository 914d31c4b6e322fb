package intake

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// addressColumns are the columns of a customer's address, by their fields.
var addressColumns = []struct{ column, field string }{
	{"addressLabel", "label"}, {"recipientName", "recipientName"}, {"company", "company"}, {"recipientPhone", "phone"},
	{"country", "country"}, {"postalCode", "postalCode"}, {"province", "province"}, {"city", "city"}, {"district", "district"},
	{"address1", "address1"}, {"address2", "address2"}, {"deliveryNote", "deliveryNote"},
}

// Customer reads a row of a customer file as the input of a record, given the customer that is there, nil for none. Columns that
// the file lacks stay as they are, empty cells clear. The address is the default one, or else the first; the others stay.
func (r Row) Customer(there collection.Record) (map[string]any, []Problem) {
	input := r.values(Customers.of(whole))
	address, said := map[string]any{}, false
	for _, c := range addressColumns {
		if v, given := input[c.column]; given {
			address[c.field] = v
			said = said || v != nil
			delete(input, c.column)
		}
	}
	if input["email"] != nil {
		input["email"] = r.Key()
	}
	rows := there.Rows("addresses")
	if len(address) > 0 && (said || len(rows) > 0) {
		input["addresses"] = mergeAddress(rows, address, said)
	}
	return r.finish(input, there), r.Problems
}

// mergeAddress puts an address in the place of the main one of an address book; one of which nothing is left is taken out.
func mergeAddress(book []collection.Record, address map[string]any, said bool) []any {
	out := make([]any, 0, len(book)+1)
	at := MainAddress(book)
	for i, row := range book {
		item := map[string]any{}
		for _, name := range slices.Concat(addressFields(), []string{"isDefault"}) {
			item[name] = row[name]
		}
		if i == at {
			maps.Copy(item, address)
			left := said || slices.ContainsFunc(addressFields(), func(name string) bool { return item[name] != nil && item[name] != "" })
			if !left {
				continue
			}
		}
		out = append(out, item)
	}
	if at < 0 {
		out = append(out, address)
	}
	return out
}

func addressFields() []string {
	names := make([]string, len(addressColumns))
	for i, c := range addressColumns {
		names[i] = c.field
	}
	return names
}

// MainAddress is the index of the address that a file shows: the default one, or else the first; -1 if the book is empty.
func MainAddress(book []collection.Record) int {
	if at := slices.IndexFunc(book, func(r collection.Record) bool { return r.Bool("isDefault") }); at >= 0 {
		return at
	}
	return min(len(book), 1) - 1
}

// finish is the input of a record that is there, or of a new one, for which an empty cell says nothing.
func (r Row) finish(input map[string]any, there collection.Record) map[string]any {
	for name, v := range input {
		if v == nil && there == nil {
			delete(input, name)
		}
	}
	return input
}
