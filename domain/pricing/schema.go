package pricing

import "github.com/cartwright-dev/cartwright/domain/collection"

// AdmissionFields is who attends one unit of an event line, alike in carts, checkouts and orders. Contract 5.
var AdmissionFields = []collection.Field{
	{Name: "name", Kind: collection.Text, Doc: "Name of the person."},
	{Name: "email", Kind: collection.Text, Doc: "Email address of the person."},
	{Name: "phone", Kind: collection.Text, Doc: "Telephone number of the person."},
	{Name: "attributes", Kind: collection.JSON, Of: collection.Text, Doc: "Attributes of the admission: text by name."},
}
