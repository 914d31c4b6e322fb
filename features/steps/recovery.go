package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

func (w *world) recoverySteps() []definition {
	return []definition{
		{`^the customer "([^"]*)" has registered$`, w.registers},
		{`^the shop wants proven addresses$`, w.wantProof},
		{`^"([^"]*)" asks for a new password$`, w.forgets},
		{`^"([^"]*)" asks for another token$`, w.asksAgain},
		{`^"([^"]*)" sets the password "([^"]*)" with the mailed token$`, w.resets},
		{`^"([^"]*)" sets the password "([^"]*)" with the same token$`, w.resetsAgain},
		{`^"([^"]*)" proves the address with the mailed token$`, w.proves},
		{`^"([^"]*)" logs in$`, w.customerLogsIn},
		{`^"([^"]*)" can log in with "([^"]*)"$`, w.canLogIn},
		{`^"([^"]*)" cannot log in with the first password$`, w.cannotLogIn},
		{`^the earlier login of "([^"]*)" is over$`, w.wantOver},
		{`^both got the same answer$`, w.wantSameAnswers},
		{`^the admin asks for a new password$`, w.adminForgets},
		{`^the admin sets the password "([^"]*)" with the mailed token$`, w.adminResets},
	}
}

// emailOf is an address nobody has in any other scenario.
func (w *world) emailOf(name string) string { return name + "-" + w.shop.TenantID + "@shopper.example" }

func (w *world) registers(ctx context.Context, name string) error {
	_, err := w.must(ctx, request{"POST", "/api/customers/register", object{"email": w.emailOf(name), "password": password}, w.asVisitor()})
	return err
}

func (w *world) wantProof(ctx context.Context) error {
	_, err := w.must(ctx, request{"PATCH", "/api/tenants/" + w.shop.TenantID, object{"settings": object{"requireEmailVerification": true}}, w.asOwner()})
	return err
}

func (w *world) forgets(ctx context.Context, name string) error {
	err := w.try(ctx, request{"POST", "/api/customers/forgot-password", object{"email": w.emailOf(name)}, w.asVisitor()})
	w.all = append(w.all, w.got)
	return err
}

func (w *world) asksAgain(ctx context.Context, name string) error {
	if err := w.try(ctx, request{"POST", "/api/customers/verify-email", object{"email": w.emailOf(name)}, w.asVisitor()}); err != nil {
		return err
	}
	return w.succeeded()
}

// mail waits for the token that an address was sent.
func (w *world) mail(ctx context.Context, purpose, email string) (err error) {
	w.mailed, err = w.target.Mail(ctx, purpose, email)
	return err
}

func (w *world) resets(ctx context.Context, name, password string) error {
	if err := w.mail(ctx, "rst", w.emailOf(name)); err != nil {
		return err
	}
	return w.resetsAgain(ctx, name, password)
}

func (w *world) resetsAgain(ctx context.Context, _, password string) error {
	return w.try(ctx, request{"POST", "/api/customers/reset-password", object{"token": w.mailed, "password": password}, w.asVisitor()})
}

func (w *world) proves(ctx context.Context, name string) error {
	if err := w.mail(ctx, "vfy", w.emailOf(name)); err != nil {
		return err
	}
	return w.try(ctx, request{"POST", "/api/customers/verify-email", object{"token": w.mailed}, w.asVisitor()})
}

func (w *world) customerLogin(name, password string) request {
	return request{"POST", "/api/customers/login", object{"email": w.emailOf(name), "password": password}, w.asVisitor()}
}

func (w *world) customerLogsIn(ctx context.Context, name string) error {
	err := w.try(ctx, w.customerLogin(name, password))
	w.people[name] = text(w.got.body, "token")
	return err
}

func (w *world) canLogIn(ctx context.Context, name, password string) error {
	_, err := w.must(ctx, w.customerLogin(name, password))
	return err
}

func (w *world) cannotLogIn(ctx context.Context, name string) error {
	got, err := w.send(ctx, w.customerLogin(name, password))
	if err == nil && got.reason() != "credentials_invalid" {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (w *world) wantOver(ctx context.Context, name string) error {
	got, err := w.must(ctx, request{"GET", "/api/customers/me", nil, w.asCustomer(name)})
	if err == nil && got.body["customer"] != nil {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (w *world) wantSameAnswers() error {
	if len(w.all) != 2 || !w.all[0].ok() || w.all[0].status != w.all[1].status || !bytes.Equal(w.all[0].raw, w.all[1].raw) {
		return errors.New("the answers differ: " + fmt.Sprint(w.all))
	}
	return nil
}

func (w *world) adminForgets(ctx context.Context) error {
	_, err := w.must(ctx, request{"POST", "/api/users/forgot-password", object{"email": w.shop.AdminEmail}, nil})
	return err
}

func (w *world) adminResets(ctx context.Context, password string) error {
	if err := w.mail(ctx, "rst", w.shop.AdminEmail); err != nil {
		return err
	}
	err := w.try(ctx, request{"POST", "/api/users/reset-password", object{"token": w.mailed, "password": password}, nil})
	w.session = session{token: text(w.got.body, "token")}
	return err
}
