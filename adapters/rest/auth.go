package rest

import (
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Auth registers sessions of users and customers, and server tokens. Contract 2, 3. It comes before Collections.
type Auth struct {
	Access *access.Access
	People content.People
	Secure bool // the cookie only travels over HTTPS
}

// Mount implements Area.
func (a Auth) Mount(r fiber.Router) {
	r.Post("/auth/token", a.serverToken)
	for _, kind := range []tenant.Kind{tenant.User, tenant.Customer} {
		s := session{a, kind}
		at := "/users"
		if kind == tenant.Customer {
			at = "/customers"
			r.Post(at+"/register", a.register)
			r.Post(at+"/verify-email", a.verifyEmail)
			r.Post(at+"/verify/:token", a.verifyByPath)
		}
		r.Post(at+"/forgot-password", s.forgot)
		r.Post(at+"/reset-password", s.reset)
		r.Post(at+"/login", s.login)
		r.Post(at+"/logout", s.logout)
		r.Get(at+"/me", s.me)
		r.Post(at+"/refresh-token", s.refresh)
	}
}

// session is the routes of one kind of person.
type session struct {
	Auth

	kind tenant.Kind
}

// keyOnly is the principal of the client key alone: logging in must work with a dead token beside it.
func (a Auth) keyOnly(c *fiber.Ctx) (tenant.Principal, error) {
	cred := credentials(c)
	cred.Bearer, cred.Cookie = "", ""
	return a.Access.Authenticate(c.UserContext(), cred)
}

func (s session) login(c *fiber.Ctx) error {
	body, err := readTree(c)
	if err != nil {
		return err
	}
	p, err := s.keyOnly(c)
	if err != nil {
		return err
	}
	email, _ := body["email"].(string)
	password, _ := body["password"].(string)
	in := access.Login{Principal: p, Email: email, Password: password, Address: visitOf(c).address, Tenant: c.Get("X-Tenant-Id")}
	open := s.Access.LoginUser
	if s.kind == tenant.Customer {
		open = s.Access.LoginCustomer
	}
	session, err := open(c.UserContext(), in)
	if err != nil {
		return err
	}
	s.setCookie(c, session.Token, session.ExpiresAt)
	return send(c, fiber.StatusOK, s.sessionBody("Authentication Passed", session, nil))
}

// sessionBody is {message, token, exp, user}, with more between; customers come as customer, and as user for the client
// that knows no other word.
func (s session) sessionBody(message string, in access.Session, more func([]byte) []byte) []byte {
	b := collection.AppendString([]byte(`{"message":`), message)
	b = collection.AppendString(append(b, `,"token":`...), in.Token)
	b = strconv.AppendInt(append(b, `,"exp":`...), in.ExpiresAt.Unix(), 10)
	if more != nil {
		b = more(b)
	}
	if s.kind == tenant.Customer {
		b = append(s.person(append(b, `,"customer":`...), in.Person), ',')
	} else {
		b = append(b, ',')
	}
	return append(s.person(append(b, `"user":`...), in.Person), '}')
}

func (s session) person(b []byte, r collection.Record) []byte {
	if s.kind == tenant.Customer {
		return collection.AppendJSON(b, identity.Customers, r, collection.View{Audience: collection.Everyone})
	}
	return collection.AppendJSON(b, identity.Users, r, collection.View{Audience: collection.Staff})
}

// token is the one the request came with. Errors: those of Authenticator, fault.ErrUnauthenticated.
func (s session) token(c *fiber.Ctx) (tenant.Principal, string, error) {
	p, err := principal(c)
	if err == nil && p.Kind != s.kind {
		err = fault.ErrUnauthenticated
	}
	cred := credentials(c)
	if cred.Bearer != "" {
		return p, cred.Bearer, err
	}
	return p, cred.Cookie, err
}

func (s session) logout(c *fiber.Ctx) error {
	p, token, err := s.token(c)
	if err != nil {
		return err
	}
	if c.QueryBool("allSessions") {
		err = s.Access.LogoutAll(c.UserContext(), p)
	} else {
		err = s.Access.Logout(c.UserContext(), token)
	}
	if err != nil {
		return err
	}
	s.setCookie(c, "", time.Unix(1, 0))
	return send(c, fiber.StatusOK, []byte(`{"message":"You have been logged out successfully."}`))
}

// me answers null for nobody; only an expired token is an error, so that the client refreshes or logs in. Contract 3.
func (s session) me(c *fiber.Ctx) error {
	word := `{"user":`
	if s.kind == tenant.Customer {
		word = `{"customer":`
	}
	p, _, err := s.token(c)
	if err != nil {
		if k := fault.From(err).Kind; k != fault.Unauthenticated {
			return err
		}
		return send(c, fiber.StatusOK, []byte(word+`null}`))
	}
	r, err := s.Access.Me(c.UserContext(), p)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "private, no-store")
	return send(c, fiber.StatusOK, append(s.person([]byte(word), r), '}'))
}

func (s session) refresh(c *fiber.Ctx) error {
	p, token, err := s.token(c)
	if err != nil {
		return err
	}
	session, err := s.Access.Refresh(c.UserContext(), p, token)
	if err != nil {
		return err
	}
	s.setCookie(c, session.Token, session.ExpiresAt)
	return send(c, fiber.StatusOK, s.sessionBody("Token refresh successful", session, func(b []byte) []byte {
		b = append(s.Access.Now().UTC().AppendFormat(append(b, `,"refreshedAt":"`...), collection.TimeFormat), '"')
		return collection.AppendString(append(b, `,"refreshedToken":`...), session.Token)
	}))
}

// setCookie keeps a user's token in the browser; customers' tokens are kept by their storefront.
func (s session) setCookie(c *fiber.Ctx, token string, until time.Time) {
	if s.kind != tenant.User {
		return
	}
	c.Cookie(&fiber.Cookie{Name: tokenCookie, Value: token, Path: "/", Expires: until, HTTPOnly: true, Secure: s.Secure, SameSite: fiber.CookieSameSiteLaxMode})
}

func (a Auth) serverToken(c *fiber.Ctx) error {
	p, err := principal(c)
	if err != nil {
		return err
	}
	if p.Kind == tenant.Anonymous {
		return fault.ErrUnauthenticated
	}
	token, until, err := a.Access.ServerToken(p, credentials(c))
	if err != nil {
		return err
	}
	b := collection.AppendString([]byte(`{"token":`), token)
	return send(c, fiber.StatusOK, append(strconv.AppendInt(append(b, `,"exp":`...), until.Unix(), 10), '}'))
}

func (a Auth) register(c *fiber.Ctx) error {
	body, err := readTree(c)
	if err != nil {
		return err
	}
	p, err := a.keyOnly(c)
	if err != nil {
		return err
	}
	customer, mustVerify, err := a.People.Register(c.UserContext(), p, visitOf(c).address, body)
	if err != nil {
		return err
	}
	b := collection.AppendJSON([]byte(`{"customer":`), identity.Customers, customer, collection.View{Audience: collection.Everyone})
	return send(c, fiber.StatusCreated, append(strconv.AppendBool(append(b, `,"verificationRequired":`...), mustVerify), '}'))
}
