package steps

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" // RFC 6238
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"time"
)

// secondFactorSteps give the admin an authenticator app.
type secondFactorSteps struct {
	*client

	sessions *sessionSteps
	members  *memberSteps
	secret   string
	recovery []any
	used     int64 // time step of the last code
}

func newSecondFactorSteps(c *client, sessions *sessionSteps, members *memberSteps) *secondFactorSteps {
	return &secondFactorSteps{client: c, sessions: sessions, members: members}
}

func (s *secondFactorSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the admin adds an authenticator app$`, s.addApp},
		{`^the admin logs in with the password alone$`, s.sessions.logIn},
		{`^the admin is asked for a second factor$`, s.wantChallenge},
		{`^the admin logs in with a code of the app$`, func(ctx context.Context) error {
			if err := s.prove(ctx, s.newerCode); err != nil {
				return err
			}
			return s.wantSuccess()
		}},
		{`^the admin logs in with a recovery code$`, func(ctx context.Context) error { return s.prove(ctx, s.recoveryCode) }},
		{`^the same recovery code is refused$`, func(ctx context.Context) error {
			if err := s.prove(ctx, s.recoveryCode); err != nil {
				return err
			}
			return s.wantRefused("second_factor_invalid")
		}},
		{`^the admin logs in with a wrong code$`, func(ctx context.Context) error {
			return s.prove(ctx, func() string { return "no code" })
		}},
		{`^the shop requires a second factor$`, s.require},
		{`^"([^"]*)" logs in to the shop and lists brands$`, func(ctx context.Context, name string) error {
			header, err := s.members.logIn(ctx, name)
			if err != nil {
				return err
			}
			return s.try(ctx, request{"GET", "/api/brands", nil, header})
		}},
	}
}

func (s *secondFactorSteps) addApp(ctx context.Context) error {
	if err := s.sessions.logIn(ctx); err != nil {
		return err
	}
	enrolled, err := s.must(ctx, request{"POST", "/api/users/totp/enroll", nil, s.sessions.asAdmin()})
	if err != nil {
		return err
	}
	s.secret = text(enrolled.body, "secret")
	s.used = time.Now().Unix()/30 - 1 // so that the next code is still to come
	code, err := s.codeAt(s.used)
	if err != nil {
		return err
	}
	confirmed, err := s.must(ctx, request{"POST", "/api/users/totp/confirm", object{"code": code}, s.sessions.asAdmin()})
	s.recovery, _ = confirmed.body["recoveryCodes"].([]any)
	if err == nil && len(s.recovery) != 10 {
		err = fmt.Errorf("there are %d recovery codes", len(s.recovery))
	}
	return err
}

// codeAt is the code of a time step (RFC 6238).
func (s *secondFactorSteps) codeAt(step int64) (string, error) {
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s.secret)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:at+4])&0x7fffffff)%1_000_000), nil
}

// newerCode is the code that follows the last one.
func (s *secondFactorSteps) newerCode() string {
	s.used++
	code, _ := s.codeAt(s.used) // the secret was read before
	return code
}

func (s *secondFactorSteps) recoveryCode() string { return text(s.recovery, 0) }

func (s *secondFactorSteps) wantChallenge(context.Context) error {
	if valueAt(s.got.body, "secondFactorRequired") != true || valueAt(s.got.body, "token") != nil {
		return fmt.Errorf("no second factor was asked for: it %s", s.got)
	}
	return nil
}

// prove logs in with the password, and then with a code.
func (s *secondFactorSteps) prove(ctx context.Context, code func() string) error {
	first, err := s.must(ctx, s.sessions.loginRequest(s.shop.AdminPassword))
	if err != nil {
		return err
	}
	return s.try(ctx, request{
		"POST", "/api/users/login/second-factor", object{"challenge": text(first.body, "challenge"), "code": code()}, nil,
	})
}

func (s *secondFactorSteps) require(ctx context.Context) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{"settings": object{"requireSecondFactor": true}}, admin})
	return err
}
