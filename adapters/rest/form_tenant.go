package rest

import (
	"reflect"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// tenantNames are the plain fields of a form that name the acting tenant, as they arrive: by name, in the form of a
// JSON body. The record's parser decides about them as about those of a JSON body. Rule collections-30.
type tenantNames map[string]any

// take reads p if it is one of the fields, and reports whether it is. Errors: read.ErrForm, those of Part.Value.
func (n tenantNames) take(fields []collection.Field, p *read.Part) (bool, error) {
	i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == p.Name && f.Kind != collection.Array })
	if i < 0 || p.File {
		return false, nil
	}
	text, err := p.Value()
	if err != nil {
		return true, err
	}
	if fields[i].Kind == collection.RelationMany {
		return true, addName(n, p.Name, []any{text})
	}
	return true, addName(n, p.Name, text)
}

// addTo adds the fields to the record that the form has in _payload. Errors: read.ErrForm if they differ from it.
func (n tenantNames) addTo(document map[string]any) error {
	for name, value := range n {
		if err := addName(document, name, value); err != nil {
			return err
		}
	}
	return nil
}

func addName(to map[string]any, name string, value any) error {
	if other, given := to[name]; given && !reflect.DeepEqual(other, value) {
		return read.ErrForm.WithMessage("The form has two different values of %s.", name)
	}
	to[name] = value
	return nil
}
