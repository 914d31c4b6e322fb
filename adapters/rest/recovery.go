package rest

import (
	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// asking reads who asks for a letter, beside a body with the address.
func (a Auth) asking(c *fiber.Ctx) (body map[string]any, in access.Asking, err error) {
	if body, err = readTree(c); err != nil {
		return nil, in, err
	}
	in.Email, _ = body["email"].(string)
	in.Address = visitOf(c).address
	in.Principal, err = a.keyOnly(c)
	return body, in, err
}

func (s session) forgot(c *fiber.Ctx) error {
	_, in, err := s.asking(c)
	if err != nil {
		return err
	}
	if err := s.Access.ForgotPassword(c.UserContext(), s.kind, in); err != nil {
		return err
	}
	return send(c, fiber.StatusOK, []byte(`{"message":"If there is an account with this address, a token is on its way to it."}`))
}

func (s session) reset(c *fiber.Ctx) error {
	body, in, err := s.asking(c)
	if err != nil {
		return err
	}
	token, _ := body["token"].(string)
	password, _ := body["password"].(string)
	session, err := s.Access.ResetPassword(c.UserContext(), s.kind, access.NewPassword{
		Principal: in.Principal, Token: token, Password: password, Address: in.Address,
	})
	if err != nil {
		return err
	}
	s.setCookie(c, session.Token, session.ExpiresAt)
	return send(c, fiber.StatusOK, s.sessionBody("Password reset successfully.", session, nil))
}

// verifyEmail takes a token; with an email instead it has a new one sent.
func (a Auth) verifyEmail(c *fiber.Ctx) error {
	body, in, err := a.asking(c)
	if err != nil {
		return err
	}
	token, given := body["token"].(string)
	if !given {
		if err := a.Access.SendVerification(c.UserContext(), in); err != nil {
			return err
		}
		return send(c, fiber.StatusOK, []byte(`{"message":"If this address waits to be verified, a token is on its way to it."}`))
	}
	return a.verified(c, in.Principal, token)
}

// verifyByPath takes the token where the Payload client puts it.
func (a Auth) verifyByPath(c *fiber.Ctx) error {
	p, err := a.keyOnly(c)
	if err != nil {
		return err
	}
	return a.verified(c, p, c.Params("token"))
}

func (a Auth) verified(c *fiber.Ctx, p tenant.Principal, token string) error {
	customer, err := a.Access.VerifyEmail(c.UserContext(), p, token)
	if err != nil {
		return err
	}
	b := collection.AppendJSON([]byte(`{"message":"Email verified successfully.","customer":`), identity.Customers, customer, collection.View{Audience: collection.Everyone})
	return send(c, fiber.StatusOK, append(b, '}'))
}
