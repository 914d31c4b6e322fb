package steps

import (
	"context"
	"fmt"
)

// customerSteps registers customers and logs them in.
type customerSteps struct {
	*client

	tokens map[string]string // by name
}

func newCustomerSteps(c *client) *customerSteps {
	return &customerSteps{client: c, tokens: map[string]string{}}
}

func (s *customerSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the customers "([^"]*)" and "([^"]*)"$`, s.registerTwo},
		{`^the customer "([^"]*)" has registered$`, s.register},
		{`^the shop requires verified email addresses$`, s.requireVerifiedEmail},
		{`^"([^"]*)" logs in$`, s.logIn},
		{`^"([^"]*)" can log in with "([^"]*)"$`, s.canLogIn},
		{`^"([^"]*)" cannot log in with the first password$`, s.cannotLogIn},
		{`^the earlier session of "([^"]*)" has ended$`, s.wantSessionEnded},
	}
}

const password = "correct horse battery staple"

// registerTwo registers customers and logs them in.
func (s *customerSteps) registerTwo(ctx context.Context, one, other string) error {
	for _, name := range []string{one, other} {
		email := name + "@shopper.example"
		if _, err := s.must(ctx, request{"POST", "/api/customers/register", object{
			"email": email, "password": password, "name": name,
		}, s.asVisitor()}); err != nil {
			return err
		}
		got, err := s.must(ctx, request{"POST", "/api/customers/login", object{"email": email, "password": password}, s.asVisitor()})
		if err != nil {
			return err
		}
		s.tokens[name] = text(got.body, "token")
	}
	return nil
}

func (s *customerSteps) as(name string) map[string]string {
	return with(s.asVisitor(), "Authorization", "Bearer "+s.tokens[name])
}

func (s *customerSteps) register(ctx context.Context, name string) error {
	_, err := s.must(ctx, request{"POST", "/api/customers/register", object{"email": s.emailOf(name), "password": password}, s.asVisitor()})
	return err
}

func (s *customerSteps) requireVerifiedEmail(ctx context.Context) error {
	_, err := s.must(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{
		"settings": object{"requireEmailVerification": true},
	}, s.asServer()})
	return err
}

func (s *customerSteps) login(name, password string) request {
	return request{"POST", "/api/customers/login", object{"email": s.emailOf(name), "password": password}, s.asVisitor()}
}

func (s *customerSteps) logIn(ctx context.Context, name string) error {
	err := s.try(ctx, s.login(name, password))
	s.tokens[name] = text(s.got.body, "token")
	return err
}

func (s *customerSteps) canLogIn(ctx context.Context, name, password string) error {
	_, err := s.must(ctx, s.login(name, password))
	return err
}

func (s *customerSteps) cannotLogIn(ctx context.Context, name string) error {
	got, err := s.send(ctx, s.login(name, password))
	if err == nil && got.reason() != "credentials_invalid" {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (s *customerSteps) wantSessionEnded(ctx context.Context, name string) error {
	got, err := s.must(ctx, request{"GET", "/api/customers/me", nil, s.as(name)})
	if err == nil && got.body["customer"] != nil {
		err = fmt.Errorf("it %s", got)
	}
	return err
}
