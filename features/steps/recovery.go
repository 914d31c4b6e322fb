package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// recoverySteps resets passwords and verifies email addresses with mailed tokens.
type recoverySteps struct {
	*client

	sessions *sessionSteps

	token   string   // the one last mailed
	answers []answer // to requests for a password reset
}

func newRecoverySteps(c *client, sessions *sessionSteps) *recoverySteps {
	return &recoverySteps{client: c, sessions: sessions}
}

func (s *recoverySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^"([^"]*)" requests a password reset$`, s.requestReset},
		{`^"([^"]*)" requests another verification email$`, s.requestVerification},
		{`^"([^"]*)" sets the password "([^"]*)" with the mailed token$`, s.resetWithMailedToken},
		{`^"([^"]*)" sets the password "([^"]*)" with the same token$`, s.reset},
		{`^"([^"]*)" verifies the address with the mailed token$`, s.verifyEmail},
		{`^both answers are the same$`, s.wantSameAnswers},
		{`^the admin requests a password reset$`, s.requestAdminReset},
		{`^the admin sets the password "([^"]*)" with the mailed token$`, s.resetAdminPassword},
	}
}

func (s *recoverySteps) requestReset(ctx context.Context, name string) error {
	err := s.try(ctx, request{"POST", "/api/customers/forgot-password", object{"email": s.emailOf(name)}, s.asVisitor()})
	s.answers = append(s.answers, s.got)
	return err
}

func (s *recoverySteps) requestVerification(ctx context.Context, name string) error {
	if err := s.try(ctx, request{"POST", "/api/customers/verify-email", object{"email": s.emailOf(name)}, s.asVisitor()}); err != nil {
		return err
	}
	return s.wantSuccess()
}

// readMailedToken waits for the token that was mailed to an address.
func (s *recoverySteps) readMailedToken(ctx context.Context, purpose, email string) (err error) {
	s.token, err = s.target.Mail(ctx, purpose, email)
	return err
}

func (s *recoverySteps) resetWithMailedToken(ctx context.Context, name, password string) error {
	if err := s.readMailedToken(ctx, "rst", s.emailOf(name)); err != nil {
		return err
	}
	return s.reset(ctx, name, password)
}

func (s *recoverySteps) reset(ctx context.Context, _, password string) error {
	return s.try(ctx, request{"POST", "/api/customers/reset-password", object{"token": s.token, "password": password}, s.asVisitor()})
}

func (s *recoverySteps) verifyEmail(ctx context.Context, name string) error {
	if err := s.readMailedToken(ctx, "vfy", s.emailOf(name)); err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/customers/verify-email", object{"token": s.token}, s.asVisitor()})
}

func (s *recoverySteps) wantSameAnswers() error {
	if len(s.answers) != 2 {
		return fmt.Errorf("there are %d answers", len(s.answers))
	}
	one, other := s.answers[0], s.answers[1]
	if !one.ok() || one.status != other.status || !bytes.Equal(one.raw, other.raw) {
		return errors.New("the answers differ: " + fmt.Sprint(s.answers))
	}
	return nil
}

func (s *recoverySteps) requestAdminReset(ctx context.Context) error {
	_, err := s.must(ctx, request{"POST", "/api/users/forgot-password", object{"email": s.shop.AdminEmail}, nil})
	return err
}

func (s *recoverySteps) resetAdminPassword(ctx context.Context, password string) error {
	if err := s.readMailedToken(ctx, "rst", s.shop.AdminEmail); err != nil {
		return err
	}
	err := s.try(ctx, request{"POST", "/api/users/reset-password", object{"token": s.token, "password": password}, nil})
	s.sessions.session = session{token: text(s.got.body, "token")}
	return err
}
