package team

import (
	"maps"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Limits of the preferences of one user. Rule team-8.
const (
	MaxPreferences     = 100      // names
	MaxPreferenceBytes = 16 << 10 // as JSON
)

// MailFields declares what a user wants to be mailed about: by the kinds of Notifications.
var MailFields = append([]collection.Field{
	{Name: Mentioned, Kind: collection.Boolean, Default: true, Doc: "That somebody mentions them in a comment."},
	{Name: Assigned, Kind: collection.Boolean, Default: true, Doc: "That somebody else puts them on an order, draft order or return request."},
}, noticeFields(func(Notice) bool { return false })...)

// TellFields declares which of Notices a user wants to be told of. Whose role may do nothing about one is not told in any case.
var TellFields = noticeFields(func(n Notice) bool { return n.Default })

func noticeFields(by func(Notice) bool) []collection.Field {
	fields := make([]collection.Field, len(Notices))
	for i, n := range Notices {
		fields[i] = collection.Field{Name: n.Kind, Kind: collection.Boolean, Default: by(n), Doc: n.Doc}
	}
	return fields
}

// UserPreferences declares what a user set up for themselves in one shop. Nobody else sees it, and it makes no events.
// Rule team-8.
var UserPreferences = &collection.Schema{
	Slug: "user-preferences", Singular: "UserPreferences", Plural: "AllUserPreferences",
	Doc: "What a user set up for themselves in this shop. It is written by PATCH /users/me/preferences.",
	Fields: []collection.Field{
		{Name: "user", Kind: collection.Relation, RelationTo: "users", Unique: true, Indexed: true, Doc: "Whose they are."},
		{Name: "values", Kind: collection.JSON, Doc: "Values by name, of the console's own."},
		{Name: "mail", Kind: collection.Group, Fields: MailFields, Doc: "What the user wants to be mailed about."},
		{Name: "tell", Kind: collection.Group, Fields: TellFields, Doc: "What about the shop the user wants to be told of."},
	},
	CommandOnly: true, NoDelete: true, NoEvents: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, PersonField: "user"},
}

// Preferences are what a user set up for themselves.
type Preferences struct {
	Values map[string]any // JSON by name
	Mail   map[string]bool
	Tell   map[string]bool // by the kinds of Notices
}

// PreferencesFrom reads a record of UserPreferences; nil gives what a user has who set up nothing.
func PreferencesFrom(r collection.Record) Preferences {
	p := Preferences{Values: map[string]any{}, Mail: wishes(r.Group("mail"), MailFields), Tell: wishes(r.Group("tell"), TellFields)}
	if values, given := r["values"].(map[string]any); given {
		p.Values = values
	}
	return p
}

// wishes are what a group of booleans says, or else their defaults.
func wishes(said collection.Record, fields []collection.Field) map[string]bool {
	all := map[string]bool{}
	for _, f := range fields {
		if all[f.Name] = f.Default == true; said[f.Name] != nil {
			all[f.Name] = said.Bool(f.Name)
		}
	}
	return all
}

// Put writes p into a record of UserPreferences.
func (p Preferences) Put(r collection.Record) {
	r["values"], r["mail"], r["tell"] = p.Values, wishRecord(p.Mail), wishRecord(p.Tell)
}

func wishRecord(all map[string]bool) collection.Record {
	r := collection.Record{}
	for name, wanted := range all {
		r[name] = wanted
	}
	return r
}

// Merge is p with what patch changes, name by name as RFC 7396 says: null takes a name out, an object is merged into one that is
// there, everything else takes its place. mail and tell name what changes of them. It does not change p. Errors: fault.ErrValidation.
func (p Preferences) Merge(patch map[string]any, mail, tell map[string]bool) (Preferences, error) {
	next := Preferences{Values: mergeObject(p.Values, patch), Mail: maps.Clone(p.Mail), Tell: maps.Clone(p.Tell)}
	maps.Copy(next.Mail, mail)
	maps.Copy(next.Tell, tell)
	switch {
	case len(next.Values) > MaxPreferences:
		return p, fault.Invalidf("values", "There are more than %d preferences.", MaxPreferences)
	case len(collection.AppendJSONValue(nil, next.Values)) > MaxPreferenceBytes:
		return p, fault.Invalidf("values", "The preferences have more than %d bytes together.", MaxPreferenceBytes)
	}
	return next, nil
}

func mergeObject(object, patch map[string]any) map[string]any {
	next := make(map[string]any, len(object)+len(patch))
	maps.Copy(next, object)
	for name, v := range patch {
		inner, isObject := v.(map[string]any)
		was, _ := next[name].(map[string]any)
		switch {
		case v == nil:
			delete(next, name)
		case isObject:
			next[name] = mergeObject(was, inner)
		default:
			next[name] = v
		}
	}
	return next
}
