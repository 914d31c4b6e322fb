package collection

import "strings"

var kindNames = map[Kind]string{
	Text: "text", Textarea: "text", RichText: "rich text", Number: "number", Money: "amount", Integer: "whole number",
	Boolean: "boolean", Date: "date", Email: "email address", Select: "choice", Relation: "record id",
	RelationMany: "list of record ids", Upload: "media id", UploadMany: "list of media ids", Texts: "list of texts",
	Selects: "list of choices", Array: "list of objects", Group: "object", JSON: "JSON value",
}

// String is the name of the kind in error messages.
func (k Kind) String() string { return kindNames[k] }

// withArticle is the name of the kind with its article.
func (k Kind) withArticle() string {
	if name := kindNames[k]; strings.ContainsRune("aeo", rune(name[0])) {
		return "an " + name
	}
	return "a " + kindNames[k]
}
