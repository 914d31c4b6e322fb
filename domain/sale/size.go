package sale

import "github.com/cartwright-dev/cartwright/domain/collection"

// ContentSize is how many bytes of JSON the admissions and attributes of a line have: what a shopper put into it.
func ContentSize(admissions []Admission, attributes map[string]string) int {
	const names = len(`{"name":,"email":,"phone":,"attributes":},`)
	size := AttributesSize(attributes)
	for _, a := range admissions {
		size += names + collection.StringSize(a.Name) + collection.StringSize(a.Email) + collection.StringSize(a.Phone) +
			AttributesSize(a.Attributes)
	}
	return size
}

// AttributesSize is how many bytes of JSON attributes have.
func AttributesSize(attributes map[string]string) int {
	size := len(`{}`)
	for name, value := range attributes {
		size += collection.StringSize(name) + collection.StringSize(value) + len(`:,`)
	}
	return size
}
