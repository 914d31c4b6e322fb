package collection

var kindNames = map[Kind]string{
	Text: "text", Textarea: "text", RichText: "rich text", Number: "number", Money: "amount", Integer: "whole number",
	Boolean: "boolean", Date: "date", Email: "email address", Select: "choice", Relation: "record id",
	RelationMany: "list of record ids", Upload: "media id", UploadMany: "list of media ids", Texts: "list of texts",
	Selects: "list of choices", Array: "list of objects", Group: "object", JSON: "JSON value",
}

// String names the kind for people.
func (k Kind) String() string { return kindNames[k] }
