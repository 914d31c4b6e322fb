package graphql

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	gql "github.com/graphql-go/graphql"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Sessions is what logging in and out takes.
type Sessions struct {
	Access *access.Access
	People content.People
}

// openFields need no caller: they are how one becomes somebody. They run beside credentials that were not accepted.
var openFields = map[string]bool{
	"meUser": true, "meCustomer": true, "loginUser": true, "loginCustomer": true, "registerCustomer": true,
	"forgotPasswordUser": true, "forgotPasswordCustomer": true, "resetPasswordUser": true, "resetPasswordCustomer": true,
	"sendVerificationCustomer": true, "verifyEmailCustomer": true,
}

// passwordCost is what checking or hashing a password costs besides the field itself: it takes as long as reading
// thousands.
const passwordCost = 1_900

// heavy is what some fields cost besides themselves.
var heavy = map[string]int64{
	"loginUser": passwordCost, "loginCustomer": passwordCost, "registerCustomer": passwordCost,
	"resetPasswordUser": passwordCost, "resetPasswordCustomer": passwordCost,
}

// people is the session fields of users or of customers. Spec 4.5, contract 2; what clients of Payload know has its names.
type people struct {
	Sessions
	*builder

	kind   tenant.Kind
	schema *collection.Schema
}

// sessions adds the fields of logging in and out to Query and Mutation, where both kinds of people are collections.
func (b *builder) sessions(s Sessions, queries, mutations gql.Fields) {
	for _, p := range []people{{s, b, tenant.User, identity.Users}, {s, b, tenant.Customer, identity.Customers}} {
		if s.Access == nil || b.registry.Get(p.schema.Slug) == nil {
			continue
		}
		text := func(names ...string) gql.FieldConfigArgument {
			args := gql.FieldConfigArgument{}
			for _, name := range names {
				args[name] = &gql.ArgumentConfig{Type: gql.NewNonNull(gql.String)}
			}
			return args
		}
		session := p.result("LoginResult", nil)
		p.add(queries, "me", "Who is logged in; null for nobody.", p.result("Me", nil), nil, p.me)
		p.add(mutations, "login", "Log in with email and password.", session, text("email", "password"), p.login)
		p.add(mutations, "logout", "End this token, or every session.", gql.String,
			gql.FieldConfigArgument{"allSessions": {Type: gql.Boolean}}, p.logout)
		p.add(mutations, "refreshToken", "Get a new token for this one.", p.result("RefreshedUser", gql.Fields{
			"refreshedToken": {Type: gql.String, Description: "The token under the name Payload gives it."}, "refreshedAt": {Type: dateScalar},
		}), nil, p.refresh)
		p.add(mutations, "forgotPassword", "Have a token sent by which the password can be set. The answer does not tell whether there is such an account.",
			gql.Boolean, text("email"), p.forgot)
		p.add(mutations, "resetPassword", "Set a password with the token that was sent, and log in.", p.result("ResetPassword", nil), text("token", "password"), p.reset)
		if p.kind == tenant.Customer {
			p.customersOnly(mutations, text)
		}
	}
}

func (p people) customersOnly(mutations gql.Fields, text func(...string) gql.FieldConfigArgument) {
	fields := slices.DeleteFunc(slices.Clone(writable(p.schema)), func(f collection.Field) bool {
		return f.Name != "email" && !slices.Contains(p.content.Hooks[p.schema.Slug].Own, f.Name)
	})
	input := gql.NewInputObject(gql.InputObjectConfig{Name: "mutationRegisterCustomerInput", Fields: p.inputs("RegisterCustomer", fields, true)})
	p.add(mutations, "register", "Open an account in the shop of the client key. It does not log in.", gql.NewObject(gql.ObjectConfig{
		Name: "customersRegistered", Fields: gql.Fields{"customer": {Type: p.object(p.schema)}, "verificationRequired": {Type: gql.NewNonNull(gql.Boolean)}},
	}), gql.FieldConfigArgument{"data": {Type: gql.NewNonNull(input)}}, p.register)
	p.add(mutations, "sendVerification", "Have a token sent that proves the address.", gql.Boolean, text("email"), p.sendVerification)
	p.add(mutations, "verifyEmail", "Prove the address with the token that was sent.", gql.Boolean, text("token"), p.verify)
}

// add makes the field verb + User or Customer.
func (p people) add(to gql.Fields, verb, doc string, t gql.Output, args gql.FieldConfigArgument, answer root) {
	name := verb + p.schema.Singular
	to[name] = &gql.Field{Type: t, Description: doc, Args: args}
	p.roots[name] = answer
}

// result is the type of a session: the token, when it ends in seconds since 1970, and whose it is. Customers come as user
// too, for clients that know no other word.
func (p people) result(name string, more gql.Fields) *gql.Object {
	fields := gql.Fields{"token": {Type: gql.String}, "exp": {Type: gql.Int}, "user": {Type: p.object(p.schema)}}
	if name != "Me" {
		fields["message"] = &gql.Field{Type: gql.String}
	}
	if p.kind == tenant.Customer {
		fields["customer"] = &gql.Field{Type: p.object(p.schema)}
	}
	maps.Copy(fields, more)
	return gql.NewObject(gql.ObjectConfig{Name: p.schema.Slug + name, Fields: fields})
}

// told is a session as result shows it.
func (p people) told(message, token string, ends time.Time, person collection.Record) map[string]any {
	return map[string]any{
		"message": message, "token": token, "exp": collection.Numeral(strconv.FormatInt(ends.Unix(), 10)), "user": person, "customer": person,
	}
}

// shop is the principal of the client key alone: logging in must work with a dead token beside it.
func (p people) shop(ctx context.Context, r *run) (tenant.Principal, error) {
	cred := callFrom(r).Credentials
	cred.Bearer, cred.Cookie = "", ""
	return p.Access.Authenticate(ctx, cred)
}

// token is the one the request came with. Errors: fault.ErrUnauthenticated.
func (p people) token(r *run) (string, error) {
	c := callFrom(r)
	if c.Refused != nil {
		return "", c.Refused
	}
	if c.Call.Principal.Kind != p.kind {
		return "", fault.ErrUnauthenticated
	}
	if c.Credentials.Bearer != "" {
		return c.Credentials.Bearer, nil
	}
	return c.Credentials.Cookie, nil
}

// keep has the browser keep a user's token; customers' tokens are kept by their storefront.
func (p people) keep(r *run, token string, until time.Time) {
	if set := callFrom(r).Session; set != nil && p.kind == tenant.User {
		set(token, until)
	}
}

// opened answers with a new session. What it leads to is shown to whom it belongs.
func (p people) opened(ctx context.Context, r *run, f *planned, message string, s access.Session) (map[string]any, error) {
	cred := callFrom(r).Credentials
	cred.APIKey, cred.Bearer, cred.Cookie = "", s.Token, ""
	principal, err := p.Access.Authenticate(ctx, cred)
	if err != nil {
		return nil, err
	}
	r.become(principal, f)
	p.keep(r, s.Token, s.ExpiresAt)
	return p.told(message, s.Token, s.ExpiresAt, s.Person), nil
}

func (p people) login(ctx context.Context, r *run, f *planned) (any, error) {
	shop, err := p.shop(ctx, r)
	if err != nil {
		return nil, err
	}
	open := p.Access.LoginUser
	if p.kind == tenant.Customer {
		open = p.Access.LoginCustomer
	}
	s, err := open(ctx, access.Login{
		Principal: shop, Email: f.text("email"), Password: f.text("password"), Address: r.Call.Address, Tenant: callFrom(r).Credentials.Tenant,
	})
	if err != nil {
		return nil, err
	}
	return p.opened(ctx, r, f, "Authentication Passed", s)
}

func (p people) logout(ctx context.Context, r *run, f *planned) (any, error) {
	token, err := p.token(r)
	if err != nil {
		return nil, err
	}
	if f.args["allSessions"] == true {
		err = p.Access.LogoutAll(ctx, r.Call.Principal)
	} else {
		err = p.Access.Logout(ctx, token)
	}
	if err != nil {
		return nil, err
	}
	p.keep(r, "", time.Unix(1, 0))
	return "You have been logged out successfully.", nil
}

// me answers null for nobody; only an expired token is an error, so that the client refreshes or logs in. Contract 3.
func (p people) me(ctx context.Context, r *run, _ *planned) (any, error) {
	token, err := p.token(r)
	if err != nil {
		if fault.From(err).Kind != fault.Unauthenticated {
			return nil, err
		}
		return map[string]any{}, nil
	}
	person, err := p.Access.Me(ctx, r.Call.Principal)
	if err != nil {
		return nil, err
	}
	ends, err := p.Access.Ends(ctx, token)
	return p.told("", token, ends, person), err
}

func (p people) refresh(ctx context.Context, r *run, f *planned) (any, error) {
	token, err := p.token(r)
	if err != nil {
		return nil, err
	}
	s, err := p.Access.Refresh(ctx, r.Call.Principal, token)
	if err != nil {
		return nil, err
	}
	out, err := p.opened(ctx, r, f, "Token refresh successful", s)
	if err != nil {
		return nil, err
	}
	out["refreshedToken"], out["refreshedAt"] = s.Token, p.Access.Now().UTC().Format(collection.TimeFormat)
	return out, nil
}

func (p people) forgot(ctx context.Context, r *run, f *planned) (any, error) {
	shop, err := p.shop(ctx, r)
	if err != nil {
		return nil, err
	}
	return true, p.Access.ForgotPassword(ctx, p.kind, access.Asking{Principal: shop, Email: f.text("email"), Address: r.Call.Address})
}

func (p people) reset(ctx context.Context, r *run, f *planned) (any, error) {
	shop, err := p.shop(ctx, r)
	if err != nil {
		return nil, err
	}
	s, err := p.Access.ResetPassword(ctx, p.kind, access.NewPassword{
		Principal: shop, Token: f.text("token"), Password: f.text("password"), Address: r.Call.Address,
	})
	if err != nil {
		return nil, err
	}
	return p.opened(ctx, r, f, "Password reset successfully.", s)
}

func (p people) register(ctx context.Context, r *run, f *planned) (any, error) {
	shop, err := p.shop(ctx, r)
	if err != nil {
		return nil, err
	}
	data, _ := f.args["data"].(map[string]any)
	customer, mustVerify, err := p.People.Register(ctx, shop, r.Call.Address, data)
	if err != nil {
		return nil, err
	}
	return map[string]any{"customer": customer, "verificationRequired": mustVerify}, nil
}

func (p people) sendVerification(ctx context.Context, r *run, f *planned) (any, error) {
	shop, err := p.shop(ctx, r)
	if err != nil {
		return nil, err
	}
	return true, p.Access.SendVerification(ctx, access.Asking{Principal: shop, Email: f.text("email"), Address: r.Call.Address})
}

func (p people) verify(ctx context.Context, r *run, f *planned) (any, error) {
	shop, err := p.shop(ctx, r)
	if err != nil {
		return nil, err
	}
	_, err = p.Access.VerifyEmail(ctx, shop, f.text("token"))
	return err == nil, err
}
