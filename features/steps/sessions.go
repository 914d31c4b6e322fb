package steps

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// sessionSteps logs the admin in and out.
type sessionSteps struct {
	*client

	session     session // on the current device
	otherDevice session
}

func newSessionSteps(c *client) *sessionSteps {
	return &sessionSteps{client: c}
}

func (s *sessionSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the admin logs in$`, s.logIn},
		{`^the admin logs in with a wrong password$`, func(ctx context.Context) error {
			return s.try(ctx, s.loginRequest("not the password"))
		}},
		{`^the admin logs in with a wrong password (\d+) times$`, s.tryWrongPassword},
		{`^the admin logs in on another device$`, s.logInOnOtherDevice},
		{`^the admin logs out everywhere$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", "/api/users/logout?allSessions=true", nil, s.asAdmin()})
		}},
		{`^the admin ends the session of the other device$`, s.endOtherDevice},
		{`^the admin ends all other sessions$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", "/api/users/sessions/end-others", nil, s.asAdmin()})
		}},
		{`^the admin has (\d+) session$`, s.wantSessions},
		{`^the admin is logged in on the other device$`, s.onOtherDevice(s.wantLoggedIn)},
		{`^the admin is logged out on the other device$`, s.onOtherDevice(s.wantLoggedOut)},
		{`^the admin is logged in$`, s.wantLoggedIn},
		{`^the admin refreshes the session$`, s.refresh},
		{`^the admin logs out$`, s.logOut},
		{
			`^the admin lists brands$`,
			func(ctx context.Context) error { return s.try(ctx, request{"GET", "/api/brands", nil, s.asAdmin()}) },
		},
		{`^the admin is logged out$`, s.wantLoggedOut},
		{`^the session expires (\d+) (hour|day)s? from now$`, s.wantExpiry},
		{`^the previous token no longer works$`, s.wantOldTokenEnded},
		{`^a server whose sessions last 1 hour$`, s.startWithShortSessions},
	}
}

// session is a login on one device.
type session struct{ token, previous string }

func (s *sessionSteps) loginRequest(password string) request {
	return request{"POST", "/api/users/login", object{"email": s.shop.AdminEmail, "password": password}, nil}
}

func (s *sessionSteps) logIn(ctx context.Context) error {
	if err := s.try(ctx, s.loginRequest(s.shop.AdminPassword)); err != nil || !s.got.ok() {
		return err
	}
	s.session = session{token: text(s.got.body, "token")}
	return nil
}

func (s *sessionSteps) tryWrongPassword(ctx context.Context, times int) error {
	for range times {
		if err := s.try(ctx, s.loginRequest("not the password")); err != nil {
			return err
		}
		if err := s.wantRefused("credentials_invalid"); err != nil {
			return err
		}
	}
	return nil
}

func (s *sessionSteps) logInOnOtherDevice(ctx context.Context) error {
	here := s.session
	if err := s.logIn(ctx); err != nil {
		return err
	}
	s.otherDevice, s.session = s.session, here
	return s.wantSuccess()
}

// onOtherDevice runs a check with the session of the other device.
func (s *sessionSteps) onOtherDevice(check func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		here := s.session
		defer func() { s.session = here }()
		s.session = s.otherDevice
		return check(ctx)
	}
}

func (s *sessionSteps) asAdmin() map[string]string {
	return withToken(s.session.token)
}

func (s *sessionSteps) me(ctx context.Context) (answer, error) {
	return s.must(ctx, request{"GET", "/api/users/me", nil, s.asAdmin()})
}

func (s *sessionSteps) wantLoggedIn(ctx context.Context) error {
	got, err := s.me(ctx)
	if err != nil {
		return err
	}
	if err := equal("the role", valueAt(got.body, "user", "role"), "tenant-admin"); err != nil {
		return err
	}
	return equal("the user", valueAt(got.body, "user", "email"), s.shop.AdminEmail)
}

func (s *sessionSteps) wantLoggedOut(ctx context.Context) error {
	got, err := s.me(ctx)
	if err == nil && got.body["user"] != nil {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (s *sessionSteps) refresh(ctx context.Context) error {
	if err := s.try(ctx, request{"POST", "/api/users/refresh-token", nil, s.asAdmin()}); err != nil || !s.got.ok() {
		return err
	}
	s.session = session{token: text(s.got.body, "token"), previous: s.session.token}
	return nil
}

func (s *sessionSteps) logOut(ctx context.Context) error {
	return s.try(ctx, request{"POST", "/api/users/logout", nil, s.asAdmin()})
}

// wantOldTokenEnded calls with the token before the refresh.
func (s *sessionSteps) wantOldTokenEnded(ctx context.Context) error {
	if err := s.try(ctx, request{"GET", "/api/users/me", nil, withToken(s.session.previous)}); err != nil {
		return err
	}
	return s.wantRefused("token_expired")
}

// startWithShortSessions continues the scenario on another server, in a shop there.
func (s *sessionSteps) startWithShortSessions(ctx context.Context) error {
	url, shop, err := s.target.Serve(ctx, map[string]string{"CARTWRIGHT_TOKEN_EXPIRATION": "3600"})
	s.urls, s.shop = []string{url}, shop
	return err
}

// wantExpiry allows for ten minutes that a busy machine may take.
func (s *sessionSteps) wantExpiry(amount int, unit string) error {
	exp, err := strconv.ParseInt(text(s.got.body, "exp"), 10, 64)
	want := time.Now().Add(time.Duration(amount) * timeUnits[unit])
	if off := time.Unix(exp, 0).Sub(want).Abs(); err != nil || off > 10*time.Minute {
		return fmt.Errorf("the session expires at %s", text(s.got.body, "exp"))
	}
	return nil
}

// openSessions are the sessions that the admin lists.
func (s *sessionSteps) openSessions(ctx context.Context) ([]any, error) {
	got, err := s.must(ctx, request{"GET", "/api/users/sessions", nil, s.asAdmin()})
	list, _ := got.body["sessions"].([]any)
	return list, err
}

func (s *sessionSteps) endOtherDevice(ctx context.Context) error {
	list, err := s.openSessions(ctx)
	if err != nil {
		return err
	}
	for _, one := range list {
		if valueAt(one, "current") == false {
			return s.try(ctx, request{"DELETE", "/api/users/sessions/" + text(one, "id"), nil, s.asAdmin()})
		}
	}
	return fmt.Errorf("no other session among %d", len(list))
}

func (s *sessionSteps) wantSessions(ctx context.Context, n int) error {
	list, err := s.openSessions(ctx)
	if err == nil && len(list) != n {
		err = fmt.Errorf("there are %d sessions", len(list))
	}
	return err
}
