package team

import "github.com/cartwright-dev/cartwright/domain/collection"

// Limits of tags. Rule team-1.
const (
	MaxTags = 50
	MaxTag  = 64 // characters
)

// Assignment says who of the team is on a record, and by which labels the team finds it. Its zero value is nobody and no label.
type Assignment struct {
	Tags     []string // each once, in lower case
	Assignee string   // id of a user; "" for nobody
}

// AssignmentFields declares the fields of an Assignment.
var AssignmentFields = []collection.Field{
	{
		Name: "tags", Kind: collection.Texts, Labels: true, MaxItems: MaxTags, MaxLength: MaxTag, Indexed: true, Patchable: true,
		VisibleTo: collection.Staff, Doc: "Labels of the shop's own, in lower case and each once.",
	},
	{
		Name: "assignee", Kind: collection.Relation, RelationTo: "users", Indexed: true, Patchable: true, VisibleTo: collection.Staff,
		Doc: "Who of the team is on it; null for nobody.",
	},
}

// Put writes a into a record that has AssignmentFields.
func (a Assignment) Put(r collection.Record) {
	if len(a.Tags) > 0 {
		r["tags"] = a.Tags
	}
	if a.Assignee != "" {
		r["assignee"] = a.Assignee
	}
}

// AssignmentFrom reads what Put wrote.
func AssignmentFrom(r collection.Record) Assignment {
	return Assignment{Tags: r.Texts("tags"), Assignee: r.Text("assignee")}
}
