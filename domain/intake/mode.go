package intake

import "github.com/cartwright-dev/cartwright/domain/collection"

// Mode is what an import may do.
type Mode string

// The modes.
const (
	Upsert     Mode = "upsert" // create what is not there, update what is
	CreateOnly Mode = "create" // a row of a record that is there is rejected
	UpdateOnly Mode = "update" // a row of a record that is not there is rejected
)

// Modes are all modes, as options of a field.
var Modes = []string{string(Upsert), string(CreateOnly), string(UpdateOnly)}

// Verbs are what has to be allowed for an import.
func (m Mode) Verbs() []collection.Verb {
	switch m {
	case CreateOnly:
		return []collection.Verb{collection.Create}
	case UpdateOnly:
		return []collection.Verb{collection.Update}
	case Upsert:
	}
	return []collection.Verb{collection.Create, collection.Update}
}
