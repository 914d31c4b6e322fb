// Package transfer declares the tables in which a shop's records leave it and come back, as spreadsheet files: which columns
// the table of each kind has, what they are called, and what stands in their cells. Exports and imports read the same
// declarations, so that a file that was exported says nothing new when it is imported. Rules transfers-5, transfers-6.
package transfer

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Kind is what the rows of a table are about.
type Kind string

// Locale is a language of headers.
type Locale string

// The languages.
const (
	English Locale = "en"
	Korean  Locale = "ko"
)

// Sheet declares the table of one kind.
type Sheet struct {
	Kind Kind
	// Lists is the collection that filters select from. Each of its records has at least one row.
	Lists *collection.Schema
	// Reads are the collections that the cells come from, Lists among them: who may not read one of them has no such table.
	Reads   []*collection.Schema
	Columns []Column
}

// Part is the record, of those that a row is made of, that a cell comes from.
type Part string

// Row are the records that a row is made of. A missing part has empty cells.
type Row map[Part]collection.Record

// Column is one column.
type Column struct {
	Name    string // what requests call it, and what every import knows it by
	Headers map[Locale]string
	Part    Part
	Path    []collection.Field // to the value: groups, and a field
	// Of makes the value where it is not that of a field of Part, whose Kind it has; nil: it is.
	Of   func(Row) any
	Kind collection.Kind
}

// Value is what a row has in a column, as records have it; nil for nothing.
func (c Column) Value(row Row) any {
	if c.Of != nil {
		return c.Of(row)
	}
	r := row[c.Part]
	for _, f := range c.Path[:len(c.Path)-1] {
		r = r.Group(f.Name)
	}
	return r[c.Path[len(c.Path)-1].Name]
}

// Cell is Value as the text of a cell.
func (c Column) Cell(row Row) string { return Text(c.Value(row)) }

// Header is the first cell of a column.
func (c Column) Header(in Locale) string { return c.Headers[in] }

// IsCalled reports whether a header names c: by its name, or in one of the languages; case does not matter.
func (c Column) IsCalled(header string) bool {
	header = strings.TrimSpace(header)
	if strings.EqualFold(header, c.Name) {
		return true
	}
	for _, known := range c.Headers {
		if strings.EqualFold(header, known) {
			return true
		}
	}
	return false
}

// column is the column of a field of a schema, at a path with dots.
func column(part Part, s *collection.Schema, path, name, english, korean string) Column {
	c := Column{Name: name, Headers: headers(english, korean), Part: part}
	fields := s.AllFields()
	for step := range strings.SplitSeq(path, ".") {
		i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == step })
		if i < 0 {
			panic("transfer: " + s.Slug + " has no field " + path)
		}
		c.Path, c.Kind = append(c.Path, fields[i]), fields[i].Kind
		fields = fields[i].Fields
	}
	return c
}

func headers(english, korean string) map[Locale]string {
	return map[Locale]string{English: english, Korean: korean}
}

// rowColumn is the column of a field of the rows of an array of s.
func rowColumn(part Part, s *collection.Schema, array, path, name, english, korean string) Column {
	f, ok := s.Field(array)
	if !ok || f.Kind != collection.Array {
		panic("transfer: " + s.Slug + " has no array " + array)
	}
	return column(part, &collection.Schema{Slug: s.Slug + "." + array, Fields: f.Fields}, path, name, english, korean)
}

// Pick returns the columns with these names, in this order; nil: all of them. more are columns that a shop has besides.
// Errors: fault.ErrValidation for columns.
func (s Sheet) Pick(names []string, more ...Column) ([]Column, error) {
	all := slices.Concat(s.Columns, more)
	if names == nil {
		return all, nil
	}
	var picked []Column
	for i, name := range names {
		at := slices.IndexFunc(all, func(c Column) bool { return c.Name == name })
		switch {
		case at < 0:
			return nil, fault.Invalidf("columns", "%q is no column of %s. They are: %s.", name, s.Kind, columnNames(all))
		case slices.Contains(names[:i], name):
			return nil, fault.Invalidf("columns", "The column %q is named twice.", name)
		}
		picked = append(picked, all[at])
	}
	if len(picked) == 0 {
		return nil, fault.Invalidf("columns", "Name at least one column, or leave columns out for all of them.")
	}
	return picked, nil
}

func columnNames(all []Column) string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}
