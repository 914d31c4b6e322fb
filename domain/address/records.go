package address

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// CheckIn is CompleteIn for addresses that must not be wrong, though they may lack parts. Errors: fault.ErrValidation. Rule addresses-3.
func CheckIn(before, next collection.Record, field, home string) (collection.Record, error) {
	done, problems := CompleteIn(before, next, field, home)
	if problems != nil {
		return nil, fault.ErrValidation.WithFields(problems...)
	}
	return done, nil
}

// CompleteIn brings the addresses of a record that is written, in the group or list called field, into their stored form. What was there
// before stays as it was. It also lists what is wrong in those that are new, by their fields. home is the shop's country; "" if it is
// unknown. It does not change next.
func CompleteIn(before, next collection.Record, field, home string) (done collection.Record, problems []fault.Field) {
	complete := func(path string, r collection.Record) collection.Record {
		a := From(r).Complete(home)
		for _, p := range a.CheckParts(home) {
			problems = append(problems, fault.Field{Field: path + "." + p.Field, Message: p.Message})
		}
		r = r.Clone()
		for name, part := range a.Record() {
			if _, there := r[name]; there || part != nil {
				r[name] = part
			}
		}
		return r
	}
	done = next.Clone()
	switch is := next[field].(type) {
	case collection.Record:
		if is != nil && !collection.Equal(before[field], is) {
			done[field] = complete(field, is)
		}
	case []collection.Record:
		rows := make([]collection.Record, len(is))
		for i, row := range is {
			if rows[i] = row; !contains(before.Rows(field), row) {
				rows[i] = complete(field+"."+strconv.Itoa(i), row)
			}
		}
		done[field] = rows
	default:
		return next, nil
	}
	return done, problems
}

func contains(rows []collection.Record, row collection.Record) bool {
	for _, r := range rows {
		if collection.Equal(r, row) {
			return true
		}
	}
	return false
}
