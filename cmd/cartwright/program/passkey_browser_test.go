package program

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// passkeyWindow is a browser window with a device that has passkeys, and always finds its person.
type passkeyWindow struct {
	*browser

	device webauthn.AuthenticatorID
}

func openPasskeyWindow(t *testing.T) passkeyWindow {
	t.Helper()
	w := passkeyWindow{browser: openBrowser(t)}
	w.do(webauthn.Enable(), chromedp.ActionFunc(func(ctx context.Context) (err error) {
		w.device, err = webauthn.AddVirtualAuthenticator(&webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal, HasResidentKey: true,
			HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}).Do(ctx)
		return err
	}))
	return w
}

// answered is what a script of the page returned: a call's status and body, or what a device answered, or the error's name.
type answered struct {
	Status int
	Body   map[string]any
	Device json.RawMessage
	Failed string
}

// run runs the body of an async function in the page, with what is passed to it as "given".
func (w passkeyWindow) run(script string, given any) (out answered) {
	w.Helper()
	value, err := json.Marshal(given)
	if err != nil {
		w.Fatal(err)
	}
	whole := fmt.Sprintf(`(async given => { try { %s } catch (e) { return { failed: e.name } } })(%s)`, script, value)
	w.do(chromedp.Evaluate(whole, &out, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true).WithUserGesture(true)
	}))
	return out
}

// call calls the server from its page, with the cookie that the browser keeps.
func (w passkeyWindow) call(path string, body any) answered {
	w.Helper()
	return w.run(`const r = await fetch('/api/users' + given.path, {
		method: given.body === null ? 'GET' : 'POST', headers: { 'Content-Type': 'application/json' },
		body: given.body === null ? undefined : JSON.stringify(given.body),
	}); return { status: r.status, body: await r.json() }`, map[string]any{"path": path, "body": body})
}

// must is call for what has to succeed.
func (w passkeyWindow) must(path string, body any) map[string]any {
	w.Helper()
	a := w.call(path, body)
	if a.Failed != "" || a.Status/100 != 2 {
		w.Fatalf("%s: %+v", path, a)
	}
	return a.Body
}

// create and use ask the device of the browser as a console does.
func (w passkeyWindow) create(options any) answered {
	w.Helper()
	return w.run(`const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
		return { device: (await navigator.credentials.create({ publicKey })).toJSON() }`, options)
}

func (w passkeyWindow) use(options any) answered {
	w.Helper()
	return w.run(`const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
		return { device: (await navigator.credentials.get({ publicKey })).toJSON() }`, options)
}

// mustUse is what the device answers to the options of a step, with the challenge of the step.
func (w passkeyWindow) mustUse(challenge, options any) map[string]any {
	w.Helper()
	a := w.use(options)
	if a.Device == nil {
		w.Fatalf("the device answers nothing: %s", a.Failed)
	}
	return map[string]any{"challenge": challenge, "credential": a.Device}
}

// loginAnswer is what a device answers to a login with a passkey alone.
func (w passkeyWindow) loginAnswer() map[string]any {
	w.Helper()
	begun := w.must("/login/passkey/begin", struct{}{})
	return w.mustUse(begun["challenge"], begun["options"])
}

// who is the address of the user whom the browser is logged in as, or "".
func (w passkeyWindow) who() string {
	w.Helper()
	return textAt(w.must("/me", nil), "user", "email")
}

func (w passkeyWindow) wantRefused(name, path string, body any, reason string) {
	w.Helper()
	if a := w.call(path, body); a.Status/100 != 4 || reasonOf(a.Body) != reason {
		w.Errorf("%s: %d %v", name, a.Status, a.Body)
	}
	if who := w.who(); who != "" {
		w.Errorf("%s: logged in as %s", name, who)
	}
}

func reasonOf(body map[string]any) string { return textAt(body, "errors", "0", "extensions", "reason") }

// A browser registers a passkey on a page of the server, and logs in with it alone and as a second factor.
func TestPasskeysInBrowser(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(server.url)
	if err != nil {
		t.Fatal(err)
	}
	w := openPasskeyWindow(t)
	w.open("http://localhost:" + at.Port() + "/demo/") // browsers know no passkeys of a network address
	password := map[string]any{"email": keys.AdminEmail, "password": keys.AdminPassword}
	w.must("/login", password)
	begun := w.must("/passkeys/begin", struct{}{})
	made := w.create(begun["options"])
	if made.Device == nil {
		t.Fatalf("no passkey was made: %s", made.Failed)
	}
	w.must("/passkeys", map[string]any{"challenge": begun["challenge"], "credential": made.Device, "name": "laptop"})
	if again := w.create(w.must("/passkeys/begin", struct{}{})["options"]); again.Failed != "InvalidStateError" {
		t.Errorf("the device makes a second passkey for one person: %+v", again)
	}
	w.must("/logout", struct{}{})

	sent := w.loginAnswer()
	if w.must("/login/passkey", sent); w.who() != keys.AdminEmail {
		t.Errorf("logged in as %q", w.who())
	}
	w.must("/logout", struct{}{})
	w.wantRefused("the same answer again", "/login/passkey", sent, "challenge_invalid")

	first := w.must("/login", password)
	if first["token"] != nil || w.who() != "" {
		t.Errorf("the password alone logs in: %v", first)
	}
	options := w.must("/login/passkey-options", map[string]any{"challenge": first["challenge"]})["options"]
	if w.must("/login/second-factor", w.mustUse(first["challenge"], options)); w.who() != keys.AdminEmail {
		t.Errorf("logged in as %q", w.who())
	}
	w.must("/logout", struct{}{})
	checkForgedAnswers(w)
	checkOtherOrigins(w, server.url, "http://localhost:"+at.Port()+"/demo/")
}

// checkForgedAnswers has the device answer wrongly in one way after the other: each is refused, and the next right one is not.
func checkForgedAnswers(w passkeyWindow) {
	w.Helper()
	for name, wrong := range map[string]*webauthn.SetResponseOverrideBitsParams{
		"another signature":         webauthn.SetResponseOverrideBits(w.device).WithIsBogusSignature(true),
		"nobody touched the device": webauthn.SetResponseOverrideBits(w.device).WithIsBadUP(true),
		"nobody was recognized":     webauthn.SetResponseOverrideBits(w.device).WithIsBadUV(true),
	} {
		w.do(wrong)
		w.wantRefused(name, "/login/passkey", w.loginAnswer(), "passkey_invalid")
	}
	w.do(webauthn.SetResponseOverrideBits(w.device))
	w.must("/login/passkey", w.loginAnswer())
	w.must("/logout", struct{}{})
}

// checkOtherOrigins uses the passkey on pages that are not the server's: the browser gives none to another host, and the server
// takes none of another port, which the browser does not tell apart.
func checkOtherOrigins(w passkeyWindow, address, home string) {
	w.Helper()
	page := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(out, `<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,"><h1>Elsewhere</h1>`)
	}))
	w.Cleanup(page.Close)
	begun := w.must("/login/passkey/begin", struct{}{})
	w.open(address + "/demo/")
	if a := w.use(begun["options"]); a.Failed != "SecurityError" {
		w.Errorf("on another host the device answers %+v", a)
	}
	w.open(strings.Replace(page.URL, "127.0.0.1", "localhost", 1))
	sent := w.mustUse(begun["challenge"], begun["options"])
	w.open(home)
	w.wantRefused("another port", "/login/passkey", sent, "passkey_invalid")
}
