package operation

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	tokenMember = collection.Field{Name: "token", Kind: collection.Text, Required: true, Doc: "Token to send as Authorization: Bearer."}
	expMember   = collection.Field{
		Name: "exp", Kind: collection.Integer, Required: true, Doc: "When the token expires, in seconds since 1970.",
	}
	loginEmailInput = collection.Field{Name: "email", Kind: collection.Text, Required: true, Doc: "The email address."}
	passwordInput   = collection.Field{Name: "password", Kind: collection.Text, Required: true, Doc: "The password."}
	emailTokenText  = collection.Field{Name: "token", Kind: collection.Text, Required: true, Doc: "The token from the email."}
	customerMember  = collection.Field{
		Name: "customer", Kind: collection.Relation, RelationTo: identity.Customers.Slug, Required: true, Doc: "The customer.",
	}
)

var (
	loginReasons      = []*fault.Error{access.ErrCredentials, access.ErrTooManyLogins, access.ErrUnverified}
	emailTokenReasons = []*fault.Error{access.ErrTooManyLogins}
)

// sessions are the operations on the sessions of one kind of account: users or customers.
type sessions struct {
	access *access.Service
	kind   tenant.Kind
	schema *collection.Schema
	member string // "user" or "customer"
}

// Sessions are the operations that start, renew and end sessions, register customers, and send and redeem the
// tokens that verify an address. Rules access-1, access-19. Paths, names and answers are those of Payload's
// clients.
func Sessions(a *access.Service, registration records.Registration) []Operation {
	list := []Operation{serverToken(a)}
	customers := sessions{a, tenant.Customer, identity.Customers, "customer"}
	for _, s := range []sessions{{a, tenant.User, identity.Users, "user"}, customers} {
		list = append(list, s.login(), s.logout(), s.me(), s.refresh(), s.forgotPassword(), s.resetPassword())
	}
	factors := secondFactors{sessions{a, tenant.User, identity.Users, "user"}}
	list = append(append(list, factors.login()), factors.passkeyLogins()...)
	for i := range list {
		list[i].BeyondQuota = true
	}
	list = append(list, factors.own()...)
	for _, s := range []sessions{{a, tenant.User, identity.Users, "user"}, customers} {
		list = append(list, s.ownSessions()...)
	}
	list = append(list, customers.requestErasure(), customers.withdrawErasure())
	list = append(list, customers.register(registration), customers.verifyEmail(), customers.verifyByPath())
	for i := range list {
		list[i].Surfaces = Root
		if list[i].Method == "" {
			list[i].Method = "POST"
		}
		list[i].Mutates = list[i].Method != get
	}
	return list
}

func serverToken(a *access.Service) Operation {
	return Operation{
		Name: "auth.token", Summary: "Get a server token", Doc: "It is valid for fifteen minutes and has the rights of the secret key.",
		Path: "/auth/token", NoBody: true, Credentials: CredentialsInspected, AllowedKinds: []tenant.Kind{tenant.SecretKey},
		Output: []collection.Field{tokenMember, expMember},
		Run: func(_ context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if in.AuthError != nil {
				return idempotency.Response{}, in.AuthError
			}
			if call.Principal.Kind == tenant.Anonymous {
				return idempotency.Response{}, fault.ErrUnauthenticated
			}
			token, until, err := a.IssueServerToken(call.Principal, in.Credentials)
			return respondWith(collection.Everyone, err, value("token", token), value("exp", until.Unix()))
		},
	}
}

// path is the path of an operation on the accounts.
func (s sessions) path(verb string) string { return "/" + s.schema.Slug + "/" + verb }

// name is the name of an operation on the accounts.
func (s sessions) name(verb string) string { return s.schema.Slug + "." + verb }

// field is the GraphQL field of an operation on the accounts: the verb and the kind of account.
func (s sessions) field(verb string, f GraphQLField) *GraphQLField {
	f.Name = verb + s.schema.Singular
	if f.Result != "" {
		f.Result = s.schema.Slug + f.Result
	}
	return &f
}

// loginCallers are the callers that may try to log in.
func (s sessions) loginCallers() []tenant.Kind {
	if s.kind == tenant.Customer {
		return []tenant.Kind{tenant.ClientKey}
	}
	return []tenant.Kind{tenant.Anonymous, tenant.ClientKey}
}

// accountMembers is the account in answers. A customer is also returned as user, for clients that read only that.
func (s sessions) accountMembers(required bool) []collection.Field {
	account := collection.Field{
		Name: s.member, Kind: collection.Relation, RelationTo: s.schema.Slug, Required: required, Doc: "The " + s.member + ".",
	}
	if s.kind == tenant.User {
		return []collection.Field{account}
	}
	same := account
	same.Name, same.Doc = "user", "The same customer, for clients that read user."
	return []collection.Field{account, same}
}

// sessionMembers is a session in answers, or for users what the login still has to prove.
func (s sessions) sessionMembers() []collection.Field {
	if s.kind == tenant.Customer {
		return s.wholeSession()
	}
	members := append([]collection.Field{tokenMember, expMember}, s.accountMembers(false)...)
	for i := range members {
		members[i].Required, members[i].OmitMissing = false, true
	}
	return slices.Concat([]collection.Field{messageMember}, members, challengeMembers)
}

// wholeSession is a session in answers that are nothing else.
func (s sessions) wholeSession() []collection.Field {
	return append([]collection.Field{messageMember, tokenMember, expMember}, s.accountMembers(true)...)
}

// namedTenant documents the header with which users name their tenant: it is the tenant with this role. Customers have that
// of the client key.
func (s sessions) namedTenant(role string) (headers []collection.Field, doc string) {
	if s.kind == tenant.Customer {
		return nil, ""
	}
	headers = []collection.Field{{Name: "X-Tenant-Id", Kind: collection.Text, Doc: "The tenant " + role}}
	return headers, "The header X-Tenant-Id, or else a client key, names the tenant " + role
}

func (s sessions) login() Operation {
	headers, doc := s.namedTenant(fmt.Sprintf("to log in to. If none is named, the password is compared with at most %d of the address, "+
		"that of the person's own account first, then those of the newest.", access.MaxLoginCandidates))
	return Operation{
		Name: s.name("login"), GraphQLField: s.field("login", GraphQLField{Result: "LoginResult"}), Summary: "Log a " + s.member + " in",
		Doc: doc, Headers: headers, Path: s.path("login"), Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(), SetsCookie: s.kind == tenant.User,
		ChecksPassword: true, Input: []collection.Field{loginEmailInput, passwordInput}, RawInput: true, Output: s.sessionMembers(),
		Reasons: loginReasons,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p, err := s.keyPrincipal(ctx, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			open := s.access.LoginUser
			if s.kind == tenant.Customer {
				open = s.access.LoginCustomer
			}
			session, err := open(ctx, access.Login{
				Principal: p, Email: in.rawText("email"), Password: in.rawText("password"), ClientIP: call.Address,
				UserAgent: in.Credentials.UserAgent, Tenant: in.Credentials.Tenant,
			})
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "Authentication Passed", session)
		},
	}
}

func (s sessions) logout() Operation {
	return Operation{
		Name: s.name("logout"), GraphQLField: s.field("logout", GraphQLField{Answer: AnswersMessage}),
		Summary: "End the token in use, or all sessions", Path: s.path("logout"), NoBody: true, Credentials: CredentialsInspected,
		AllowedKinds: []tenant.Kind{s.kind}, SetsCookie: s.kind == tenant.User,
		Input:    []collection.Field{{Name: "allSessions", Kind: collection.Boolean, Doc: "End all sessions of the " + s.member + "."}},
		RawInput: true, Output: []collection.Field{messageMember},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p, token, err := s.enrolling(ctx, call, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			if in.rawFlag("allSessions") {
				err = s.access.LogoutAll(ctx, p, token)
			} else {
				err = s.access.Logout(ctx, token)
			}
			if err == nil {
				in.setCookie("", time.Unix(1, 0))
			}
			return respondWith(collection.Everyone, err, value("message", "You have been logged out successfully."))
		},
	}
}

// me returns null without a valid token; only an expired token is an error, so that the client refreshes it or logs in.
// Rule access-32. Over GraphQL it also returns the token.
func (s sessions) me() Operation {
	return Operation{
		Name: s.name("me"), Summary: "Retrieve the user or customer of the token",
		Doc: "Null without a valid token; only an expired one is an error.",
		GraphQLField: s.field("me", GraphQLField{
			Result: "Me", Output: append([]collection.Field{tokenMember, expMember}, s.accountMembers(false)...),
		}),
		Method: get, Path: s.path("me"), Credentials: CredentialsOptional, AllowedKinds: []tenant.Kind{s.kind, tenant.Anonymous},
		Output: s.accountMembers(false)[:1],
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			token, err := s.token(call, in)
			if err != nil {
				if fault.From(err).Kind != fault.Unauthenticated {
					return idempotency.Response{}, err
				}
				return respondWith(s.audience(), nil, value(s.member, nil))
			}
			account, err := s.access.Me(ctx, call.Principal)
			if err != nil || !in.GraphQL {
				return respondWith(s.audience(), err, s.account(account)[:1]...)
			}
			until, err := s.access.TokenExpiry(ctx, token)
			return respondWith(s.audience(), err,
				append([]reply.Member{value("token", token), value("exp", until.Unix())}, s.account(account)...)...)
		},
	}
}

func (s sessions) refresh() Operation {
	return Operation{
		Name: s.name("refresh-token"), GraphQLField: s.field("refreshToken", GraphQLField{Result: "RefreshedUser"}),
		Summary: "Exchange the token for a new one", Doc: "The old token stays valid for one more minute.", Path: s.path("refresh-token"),
		NoBody: true, Credentials: CredentialsInspected, AllowedKinds: []tenant.Kind{s.kind}, SetsCookie: s.kind == tenant.User,
		Output: append([]collection.Field{
			{Name: "refreshedAt", Kind: collection.Date, Required: true, Doc: "Time of the refresh."},
			{Name: "refreshedToken", Kind: collection.Text, Required: true, Doc: "The same as token, for the Payload client."},
		}, s.wholeSession()...),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			token, err := s.token(call, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			session, err := s.access.Refresh(ctx, call.Principal, token, in.Credentials)
			if err != nil {
				return idempotency.Response{}, err
			}
			at := s.access.Now().UTC().Format(collection.TimeFormat)
			return s.respondSession(ctx, in, "Token refresh successful",
				session, value("refreshedAt", at), value("refreshedToken", session.Token))
		},
	}
}

func (s sessions) forgotPassword() Operation {
	headers, doc := s.namedTenant(fmt.Sprintf("that sends the token. If none is named, at most %d tenants of the address each send one, "+
		"those of the person's own account first, then those of the newest.", access.MaxResetTokens))
	return Operation{
		Name: s.name("forgot-password"), GraphQLField: s.field("forgotPassword", GraphQLField{Answer: AnswersTrue}),
		Summary: "Request a password reset", Doc: strings.TrimSpace("The answer is the same whether there is an account or not. " + doc),
		Headers: headers, Path: s.path("forgot-password"), Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(),
		Input: []collection.Field{loginEmailInput}, RawInput: true, Output: []collection.Field{messageMember}, Reasons: emailTokenReasons,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			request, err := s.tokenRequest(ctx, call, in)
			if err == nil {
				err = s.access.ForgotPassword(ctx, s.kind, request)
			}
			message := "If there is an account with this address, a token will be sent to it."
			if s.kind == tenant.User && request.Wanted() == "" {
				message += " " + access.NamingAdvice
			}
			return respondWith(collection.Everyone, err, value("message", message))
		},
	}
}

func (s sessions) resetPassword() Operation {
	return Operation{
		Name: s.name("reset-password"), GraphQLField: s.field("resetPassword", GraphQLField{Result: "ResetPassword"}),
		Summary: "Set a new password", Doc: "It ends all sessions and opens a new one.", Path: s.path("reset-password"),
		Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(), SetsCookie: s.kind == tenant.User, ChecksPassword: true,
		Input: []collection.Field{emailTokenText, passwordInput}, RawInput: true, Output: s.sessionMembers(),
		Reasons: append(slices.Clip(emailTokenReasons), access.ErrEmailToken, access.ErrUnverified),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p, err := s.keyPrincipal(ctx, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			session, err := s.access.ResetPassword(ctx, s.kind, access.PasswordReset{
				Principal: p, Token: in.rawText("token"), Password: in.rawText("password"), ClientIP: call.Address,
				UserAgent: in.Credentials.UserAgent,
			})
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "Password reset successfully.", session)
		},
	}
}

// rawText is a text of an unvalidated input, "" when it is missing or not a text.
func (in *Input) rawText(name string) string {
	text, _ := in.Raw()[name].(string)
	return text
}

// rawFlag is a flag of an unvalidated input, in any form that strconv.ParseBool accepts.
func (in *Input) rawFlag(name string) bool {
	on, isFlag := in.Raw()[name].(bool)
	if !isFlag {
		on, _ = strconv.ParseBool(in.rawText(name))
	}
	return on
}

// setCookie sets the cookie that carries a user's token until then, and clears it with "".
func (in *Input) setCookie(token string, until time.Time) {
	if in.operation.SetsCookie && in.SetCookie != nil {
		in.SetCookie(token, until)
	}
}

// value is a member of an answer that is not a record.
func value(name string, v collection.JSONValue) reply.Member {
	return reply.Member{Name: name, Value: v}
}

// respondWith is the answer with these members.
func respondWith(audience collection.Audience, err error, members ...reply.Member) (idempotency.Response, error) {
	if err != nil {
		return idempotency.Response{}, err
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: reply.Of(audience, members...)}, nil
}
