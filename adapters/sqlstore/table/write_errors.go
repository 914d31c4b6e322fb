package table

import (
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// TranslateError turns what the database says about a write of sh into the fault that a use case knows.
func (sh *Shape) TranslateError(err error) error {
	if db.IndexEntryTooLarge(err) {
		return fault.ErrValidation.WithMessage("A value is too long to be searched.").WithCause(err)
	}
	constraint, ok := db.Violation(err)
	if !ok {
		return err
	}
	i := slices.IndexFunc(sh.Uniques, func(u Unique) bool { return db.OnConstraint(constraint, u.Index, sh.tableOf(u), u.Columns) })
	switch {
	case i >= 0 && sh.Uniques[i].Members:
		return ports.ErrDuplicate.WithCause(err).WithFields(fault.Field{Field: collection.TranslationsName, Message: "Value must be unique"})
	case i >= 0:
		dup := ports.ErrDuplicate.WithCause(err)
		for _, f := range sh.Uniques[i].Fields {
			dup = dup.WithFields(fault.Field{Field: f, Message: "Value must be unique"})
		}
		return dup
	case db.OnConstraint(constraint, sh.Table+"_pkey", sh.Table, []string{"tenant", "id"}),
		db.OnConstraint(constraint, "events_pkey", "events", []string{"tenant", "record", "record_sequence"}):
		return ports.ErrStale.WithCause(err)
	}
	return err
}

// tableOf is the table that has the index of u.
func (sh *Shape) tableOf(u Unique) string {
	if u.Members {
		return RelationMembersTable.Name
	}
	return sh.Table
}

// ChangesUnique reports whether an update changes a value that must be unique: it may break a constraint,
// which fails the whole statement it is part of.
func (sh *Shape) ChangesUnique(before, after collection.Record) bool {
	for _, u := range sh.Uniques {
		for _, field := range u.Fields {
			if !collection.Equal(before[field], after[field]) {
				return true
			}
		}
	}
	return false
}
