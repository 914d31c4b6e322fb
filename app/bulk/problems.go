package bulk

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// problems are the refusals of patches, by their index.
type problems map[int]*fault.Error

func (p problems) clone() problems {
	c := make(problems, len(p))
	maps.Copy(c, p)
	return c
}

// asError is ErrRefused with a field for each problem.
func (p problems) asError() error {
	var fields []fault.Field
	for _, i := range slices.Sorted(maps.Keys(p)) {
		invalid := p[i].InvalidFields()
		for _, f := range invalid {
			fields = append(fields, fault.Field{Field: path(i) + ".data." + f.Field, Message: f.Message})
		}
		if len(invalid) == 0 {
			fields = append(fields, fault.Field{Field: path(i), Message: p[i].Message})
		}
	}
	return ErrRefused.WithFields(fields...)
}
