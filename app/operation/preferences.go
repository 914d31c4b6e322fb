package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/team"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	teamrules "github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

const tellDoc = "What about the shop the user wants to be told of, as far as their role may do something about it."

// preferencesOutput are the preferences of a user.
var preferencesOutput = []collection.Field{
	{Name: "values", Kind: collection.JSON, Required: true, Doc: "Values by name, of the console's own."},
	{Name: "mail", Kind: collection.Group, Required: true, Fields: required(teamrules.MailFields), Doc: "What the user wants to be mailed about."},
	{Name: "tell", Kind: collection.Group, Required: true, Fields: required(teamrules.TellFields), Doc: tellDoc},
	{Name: "revision", Kind: collection.Integer, Required: true, Doc: "How often they were changed; 0: never."},
}

// required are fields as members that are always there.
func required(fields []collection.Field) []collection.Field {
	out := make([]collection.Field, len(fields))
	for i, f := range fields {
		out[i] = collection.Required(f)
	}
	return out
}

// Preferences are the operations by which users read and change what they set up for themselves. Rule team-8.
func Preferences(s *team.Preferences) []Operation {
	users := []tenant.Kind{tenant.User}
	return []Operation{
		{
			Name: "users.preferences", GraphQL: "userPreferencesShow", Summary: "Show the own preferences", Method: get, Path: "/users/me/preferences",
			Surfaces: Root, AllowedKinds: users, Doc: "Those in the acting shop. Nobody else reads them.", Output: preferencesOutput,
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				p, revision, err := s.Show(ctx, call.Principal)
				return respond(preferencesOutput, preferencesRecord(p, revision), err)
			},
		},
		{
			Name: "users.change-preferences", GraphQL: "userPreferencesChange", Summary: "Change the own preferences", Mutates: true,
			Method: patch, Path: "/users/me/preferences", Surfaces: Root, AllowedKinds: users, Output: preferencesOutput,
			Doc: "Name by name, as a JSON merge patch: null takes a name out, objects are merged. At most 100 names and 16 KiB together. " +
				"Sending it twice does no more than once, so it has no idempotency key.",
			Input: []collection.Field{
				{Name: "values", Kind: collection.JSON, Doc: "An object of the values to change."},
				{Name: "mail", Kind: collection.Group, Fields: teamrules.MailFields, Doc: "What to be mailed about."},
				{Name: "tell", Kind: collection.Group, Fields: teamrules.TellFields, Doc: tellDoc},
				collection.ExpectedRevisionField(),
			},
			Reasons: []*fault.Error{collection.ErrChangedMeanwhile},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				c := readPreferences(in)
				if err := in.Done(); err != nil {
					return idempotency.Response{}, err
				}
				p, revision, err := s.Change(ctx, call.Principal, c)
				return respond(preferencesOutput, preferencesRecord(p, revision), err)
			},
		},
	}
}

func readPreferences(in *Input) team.Change {
	c := team.Change{Mail: map[string]bool{}, Tell: map[string]bool{}, Revision: in.PositiveInteger(collection.ExpectedRevision)}
	values := in.Filter("values")
	var isObject bool
	if c.Values, isObject = values.(map[string]any); values != nil && !isObject {
		in.Problem("values", "This field takes an object.")
	}
	in.Object("mail", func(mail *Input) { readWishes(mail, teamrules.MailFields, c.Mail) })
	in.Object("tell", func(tell *Input) { readWishes(tell, teamrules.TellFields, c.Tell) })
	return c
}

func readWishes(in *Input, fields []collection.Field, into map[string]bool) {
	for _, f := range fields {
		if wanted := in.Boolean(f.Name); in.Given(f.Name) {
			into[f.Name] = wanted
		}
	}
}

func preferencesRecord(p teamrules.Preferences, revision int64) collection.Record {
	shown := collection.Record{}
	p.Put(shown)
	shown["revision"] = revision
	return shown
}
