package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Every row has the number of the shape of its table by which it was written last. An instance of an older
// shape that still runs beside newer ones writes its own number, so the rows whose newer columns it left
// empty or behind are exactly those with a smaller number than ours. No clock, no notice from one instance to
// another and no lock of a writer decides.
//
// A shape has all that its columns are made from as its identity. Numbers grow in the order in which shapes
// come to a database, but one that is part of an older one, as after a step back, goes below it.

// VersionColumn holds that number. Rows from before there were numbers have 0.
const (
	VersionColumn    = "shape"
	VersionColumnDDL = VersionColumn + " BIGINT NOT NULL DEFAULT 0"
)

// Signature lists all that the columns of sh are made from, sorted: the columns, the fields that have one, or
// a part in one, and the lists whose members are in relation_members.
func (sh *Shape) Signature() []string {
	var all []string
	for _, c := range sh.Columns {
		all = append(all, "column "+c.Name+" "+c.Type)
	}
	for _, l := range sh.RelationLists {
		all = append(all, "members "+l.Key())
	}
	all = appendSignature(all, "", sh.Schema.Fields)
	slices.Sort(all)
	return all
}

func appendSignature(all []string, at string, fields []collection.Field) []string {
	for _, f := range fields {
		switch f.Kind {
		case collection.JSON, collection.RichText:
		case collection.Group:
			all = appendSignature(all, at+f.Name+".", f.Fields)
		case collection.Array:
			all = appendSignature(all, at+f.Name+"[].", f.Fields)
		default:
			fact := fmt.Sprint("field ", at, f.Name, " ", f.Kind)
			if isSearchable(&f) {
				fact += " searched"
			}
			all = append(all, fact)
			if f.Translatable && strings.Contains(at, "[]") { // the column of texts is older than those of rows in it
				all = append(all, "texts "+at+f.Name)
			}
		}
	}
	return all
}

// OlderRows is the condition on rows whose columns an older shape wrote.
func OlderRows(number int64) string { return VersionColumn + " < " + strconv.FormatInt(number, 10) }
