package operation

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	openSessionFields = []collection.Field{{
		Name: "sessions", Kind: collection.Array, Required: true, Doc: "The sessions, the last seen first.", Fields: []collection.Field{
			{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the session: the same for all its tokens."},
			{Name: "current", Kind: collection.Boolean, Required: true, Doc: "Whether it is the session of this call."},
			{Name: "createdAt", Kind: collection.Date, Required: true, Doc: "When the person logged in."},
			{Name: "lastSeenAt", Kind: collection.Date, Required: true, Doc: "When it was last used, up to five minutes late."},
			{Name: "expiresAt", Kind: collection.Date, Required: true, Doc: "When its newest token expires."},
			{Name: "userAgent", Kind: collection.Text, Required: true, Doc: "What the client called itself when the person logged in; may be empty."},
			{Name: "address", Kind: collection.Text, Required: true, Doc: "Network address of the login; of IPv6 the /64 network."},
			{Name: "lastAddress", Kind: collection.Text, Required: true, Doc: "Network address of the last use."},
		},
	}}
	endedMembers     = []collection.Field{messageMember, {Name: "ended", Kind: collection.Integer, Required: true, Doc: "How many sessions were ended."}}
	openSessionParam = collection.Field{Name: "session", Alias: "sessionId", Kind: collection.Text, Doc: "The session."}
)

// ownSessions are the operations by which people see and end their own sessions, and by which a tenant ends those of one
// of its people. Rules access-41, access-42.
func (s sessions) ownSessions() []Operation {
	own := []tenant.Kind{s.kind}
	return []Operation{
		{
			Name: s.name("sessions"), GraphQL: s.member + "Sessions", Summary: "List the own sessions",
			Doc:    "At most the last 200. A session of a password that counts in one tenant alone is shown those of this tenant.",
			Method: get, Path: s.path("sessions"), Credentials: CredentialsInspected, AllowedKinds: own, Output: openSessionFields,
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				token, err := s.token(call, in)
				if err != nil {
					return idempotency.Response{}, err
				}
				all, err := s.access.OpenLogins(ctx, call.Principal, token)
				return respond(openSessionFields, openSessionsRecord(all), err)
			},
		},
		{
			Name: s.name("end-session"), GraphQL: s.member + "SessionEnd", Summary: "End one of the own sessions",
			Doc: "With all its tokens, at once on every instance.", Method: del, Path: s.path("sessions/{session}"), Credentials: CredentialsInspected,
			AllowedKinds: own, Params: []collection.Field{openSessionParam}, Output: []collection.Field{messageMember},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				token, err := s.token(call, in)
				if err == nil {
					err = s.access.EndLogin(ctx, call.Principal, token, in.Param("session"))
				}
				return respondWith(collection.Everyone, err, value("message", "The session was ended."))
			},
		},
		{
			Name: s.name("end-other-sessions"), GraphQL: s.member + "SessionsEndOthers", Summary: "End all other sessions of the caller",
			Path: s.path("sessions/end-others"), NoBody: true, Credentials: CredentialsInspected, AllowedKinds: own, Output: endedMembers,
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				token, err := s.token(call, in)
				if err != nil {
					return idempotency.Response{}, err
				}
				n, err := s.access.EndOtherLogins(ctx, call.Principal, token)
				return respondWith(collection.Everyone, err, value("message", fmt.Sprintf("%d other sessions were ended.", n)),
					value("ended", int64(n)))
			},
		},
		s.endSessionsOf(),
	}
}

// endSessionsOf ends the sessions of another person.
func (s sessions) endSessionsOf() Operation {
	doc, kinds := "In this tenant: sessions that open other tenants, too, stay open there.", []tenant.Kind{tenant.User}
	if s.kind == tenant.Customer {
		doc, kinds = "", []tenant.Kind{tenant.User, tenant.SecretKey}
	}
	return Operation{
		Name: s.name("end-sessions"), GraphQL: s.member + "EndSessions", Summary: "End all sessions of a " + s.member, Doc: doc,
		Path: "/" + s.schema.Slug + "/{id}/end-sessions", AllowedKinds: kinds,
		Params: []collection.Field{{
			Name: "id", Alias: s.member + "Id", Kind: collection.Relation, RelationTo: s.schema.Slug, Doc: "The " + s.member + ".",
		}},
		Output: []collection.Field{messageMember},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			err := s.access.EndSessionsOf(ctx, s.schema, call, in.Param("id"))
			return respondWith(collection.Everyone, err, value("message", "All sessions were ended."))
		},
	}
}

func openSessionsRecord(all []access.OpenLogin) collection.Record {
	list := make([]collection.Record, len(all))
	for i, l := range all {
		list[i] = collection.Record{
			"id": l.ID, "current": l.Current, "createdAt": l.Began, "lastSeenAt": l.Seen, "expiresAt": l.Expires,
			"userAgent": l.UserAgent, "address": l.Address, "lastAddress": l.LastAddress,
		}
	}
	return collection.Record{"sessions": list}
}
