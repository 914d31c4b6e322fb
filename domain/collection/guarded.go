package collection

import "slices"

// GuardsAnything reports whether some write of s by a person takes a session that was proven lately.
func (s *Schema) GuardsAnything() bool { return len(s.Guarded) > 0 || len(s.GuardedFields()) > 0 }

// Guards reports whether a write of s is guarded whatever it changes.
func (s *Schema) Guards(verb Verb) bool { return slices.Contains(s.Guarded, verb) }

// GuardsChange reports whether an update of before changes a field that is guarded.
func (s *Schema) GuardsChange(before, after Record) bool {
	return changesGuarded(s.Fields, before, after)
}

func changesGuarded(fields []Field, before, after Record) bool {
	return slices.ContainsFunc(fields, func(f Field) bool {
		if f.Guarded {
			none := f.Kind == Array && len(before.Rows(f.Name)) == 0 && len(after.Rows(f.Name)) == 0
			return !none && !Equal(before[f.Name], after[f.Name])
		}
		return f.Kind == Group && changesGuarded(f.Fields, before.Group(f.Name), after.Group(f.Name))
	})
}

// GuardedFields are the fields whose change is guarded, by their paths, such as settings.requireSecondFactor.
func (s *Schema) GuardedFields() []string { return guardedIn("", s.Fields) }

func guardedIn(path string, fields []Field) (found []string) {
	for _, f := range fields {
		switch {
		case f.Guarded:
			found = append(found, path+f.Name)
		case f.Kind == Group:
			found = append(found, guardedIn(path+f.Name+".", f.Fields)...)
		}
	}
	return found
}
