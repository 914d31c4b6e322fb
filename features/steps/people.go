package steps

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// session is a person who logged in.
type session struct{ token, old string }

func (w *world) peopleSteps() []definition {
	return []definition{
		{`^the admin logs in$`, w.logIn},
		{`^the admin logs in with a wrong password$`, func(ctx context.Context) error { return w.try(ctx, w.login("not the password")) }},
		{`^the admin logs in with a wrong password (\d+) times$`, w.guess},
		{`^the admin logs in on another device$`, w.logInElsewhere},
		{`^the admin logs out everywhere$`, func(ctx context.Context) error {
			return w.try(ctx, request{"POST", "/api/users/logout?allSessions=true", nil, w.asAdmin()})
		}},
		{`^the admin is recognised on the other device$`, w.onOtherDevice(w.wantRecognised)},
		{`^nobody is recognised on the other device$`, w.onOtherDevice(w.wantNobody)},
		{`^the admin is recognised$`, w.wantRecognised},
		{`^the admin refreshes the login$`, w.refresh},
		{`^the admin logs out$`, w.logOut},
		{`^the admin lists brands$`, func(ctx context.Context) error { return w.try(ctx, request{"GET", "/api/brands", nil, w.asAdmin()}) }},
		{`^nobody is recognised$`, w.wantNobody},
		{`^a browser with the public key adds the brand "([^"]*)"$`, w.browserWrites},
		{`^a browser sends the secret key along with its page's address$`, w.leakedKey},
		{`^somebody without a key lists brands$`, func(ctx context.Context) error { return w.try(ctx, request{"GET", "/api/brands", nil, nil}) }},
		{`^somebody lists brands with an invented secret key$`, func(ctx context.Context) error {
			return w.try(ctx, request{"GET", "/api/brands", nil, map[string]string{"X-API-Key": "sk_test_0000000000000000000000000000000000000000000"}})
		}},
		{`^a server lists brands with both keys of the shop$`, func(ctx context.Context) error {
			return w.try(ctx, request{"GET", "/api/brands", nil, with(w.asOwner(), "X-Client-Key", w.shop.TestClientKey)})
		}},
		{`^a server lists brands with the public key of another shop$`, w.mixedKeys},
		{`^the login ends (\d+) (hour|day)s? from now$`, w.wantLoginEnd},
		{`^the login before it is over$`, w.wantOldOver},
		{`^a server on which a login lasts 1 hour$`, w.startBriefly},
		{`^a stranger with only the public key reads the cart$`, w.strangerReads},
	}
}

func (w *world) login(password string) request {
	return request{"POST", "/api/users/login", object{"email": w.shop.AdminEmail, "password": password}, nil}
}

func (w *world) logIn(ctx context.Context) error {
	if err := w.try(ctx, w.login(w.shop.AdminPassword)); err != nil || !w.got.ok() {
		return err
	}
	w.session = session{token: text(w.got.body, "token")}
	return nil
}

func (w *world) guess(ctx context.Context, times int) error {
	for range times {
		if err := w.try(ctx, w.login("not the password")); err != nil {
			return err
		}
		if err := w.refused("credentials_invalid"); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) logInElsewhere(ctx context.Context) error {
	here := w.session
	if err := w.logIn(ctx); err != nil {
		return err
	}
	w.elsewhere, w.session = w.session, here
	return w.succeeded()
}

// onOtherDevice looks from there.
func (w *world) onOtherDevice(look func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		here := w.session
		defer func() { w.session = here }()
		w.session = w.elsewhere
		return look(ctx)
	}
}

func (w *world) asAdmin() map[string]string {
	return map[string]string{"Authorization": "Bearer " + w.session.token}
}

func (w *world) me(ctx context.Context) (answer, error) {
	return w.must(ctx, request{"GET", "/api/users/me", nil, w.asAdmin()})
}

func (w *world) wantRecognised(ctx context.Context) error {
	got, err := w.me(ctx)
	if err != nil {
		return err
	}
	if err := equal("the role", dig(got.body, "user", "role"), "tenant-admin"); err != nil {
		return err
	}
	return equal("the user", dig(got.body, "user", "email"), w.shop.AdminEmail)
}

func (w *world) wantNobody(ctx context.Context) error {
	got, err := w.me(ctx)
	if err == nil && got.body["user"] != nil {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (w *world) refresh(ctx context.Context) error {
	if err := w.try(ctx, request{"POST", "/api/users/refresh-token", nil, w.asAdmin()}); err != nil || !w.got.ok() {
		return err
	}
	w.session = session{token: text(w.got.body, "token"), old: w.session.token}
	return nil
}

func (w *world) logOut(ctx context.Context) error {
	return w.try(ctx, request{"POST", "/api/users/logout", nil, w.asAdmin()})
}

func (w *world) browserWrites(ctx context.Context, name string) error {
	return w.try(ctx, request{"POST", "/api/brands", object{"name": name}, w.asVisitor()})
}

func (w *world) leakedKey(ctx context.Context) error {
	return w.try(ctx, request{"GET", "/api/brands", nil, with(w.asOwner(), "Origin", "https://shop.example")})
}

func (w *world) strangerReads(ctx context.Context) error {
	return w.try(ctx, request{"GET", public + "/carts/" + w.cart.id, nil, w.asVisitor()})
}

func (w *world) mixedKeys(ctx context.Context) error {
	other, err := w.target.Shop(ctx)
	if err != nil {
		return err
	}
	return w.try(ctx, request{"GET", "/api/brands", nil, with(w.asOwner(), "X-Client-Key", other.TestClientKey)})
}

// wantOldOver looks with the token that was given up for the one in use.
func (w *world) wantOldOver(ctx context.Context) error {
	if err := w.try(ctx, request{"GET", "/api/users/me", nil, map[string]string{"Authorization": "Bearer " + w.session.old}}); err != nil {
		return err
	}
	return w.refused("token_expired")
}

// startBriefly goes on at a server of its own, in the shop that it opens with.
func (w *world) startBriefly(ctx context.Context) error {
	url, shop, err := w.target.Serve(ctx, map[string]string{"CARTWRIGHT_TOKEN_EXPIRATION": "3600"})
	w.target.URLs, w.shop = []string{url}, shop
	return err
}

// wantLoginEnd allows for the minutes a busy machine may take.
func (w *world) wantLoginEnd(amount int, unit string) error {
	exp, err := strconv.ParseInt(text(w.got.body, "exp"), 10, 64)
	want := time.Now().Add(time.Duration(amount) * units[unit])
	if off := time.Unix(exp, 0).Sub(want).Abs(); err != nil || off > 10*time.Minute {
		return fmt.Errorf("the login ends at %s", text(w.got.body, "exp"))
	}
	return nil
}
