package program

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is a window of Chromium.
type browser struct {
	*testing.T

	ctx     context.Context      //nolint:containedctx // chromedp's handle of the window is a context
	profile cdp.BrowserContextID // has its own cookies and storage
	mu      sync.Mutex
	console []string // messages and exceptions in the console
}

// chromium is the browser that all tests share, since starting it takes longer than most of them.
var chromium sharedChromium

type sharedChromium struct {
	once    sync.Once
	ctx     context.Context //nolint:containedctx // chromedp's handle of the browser is a context
	cancel  context.CancelFunc
	profile string
	err     error
}

// launch starts the browser, the first time that it is called.
func (c *sharedChromium) launch() (context.Context, error) {
	c.once.Do(func() {
		var path string
		if path, c.err = findChromium(); c.err != nil {
			return
		}
		if c.profile, c.err = os.MkdirTemp("", "chromium-"); c.err != nil {
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("no-proxy-server", true),
			chromedp.UserDataDir(c.profile), chromedp.WSURLReadTimeout(patience))
		allocated, end := chromedp.NewExecAllocator(context.Background(), options...)
		var closeTab context.CancelFunc
		c.ctx, closeTab = chromedp.NewContext(allocated)
		c.cancel = func() {
			closeTab()
			end()
		}
		started := make(chan error)
		go func() {
			goruntime.LockOSThread() // Chromium dies with the thread that started it: no other goroutine may lock and end that thread
			started <- chromedp.Run(c.ctx)
			<-c.ctx.Done()
		}()
		c.err = <-started
	})
	return c.ctx, c.err
}

// findChromium prefers the build without a user interface, which takes a third of the processor time. Debian starts it by a
// script that does not become the browser: to kill the script would leave the browser running, so its own path comes first.
func findChromium() (path string, err error) {
	for _, name := range []string{"/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell", "chromium"} {
		if path, err = exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("pages are tested in Chromium: apt-get install -y chromium-headless-shell")
}

// quit ends the browser if it was started, and removes its folder. It retries, since child processes write until
// they end.
func (c *sharedChromium) quit() error {
	if c.cancel != nil {
		c.cancel()
	}
	if c.profile == "" {
		return nil
	}
	for tick, end := time.NewTicker(20*time.Millisecond), time.Now().Add(patience); ; <-tick.C {
		if err := os.RemoveAll(c.profile); err == nil || time.Now().After(end) {
			return err
		}
	}
}

// openBrowser opens a window whose cookies and storage are the test's own.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	shared, err := chromium.launch()
	if err != nil {
		t.Fatal(err)
	}
	all := cdp.WithExecutor(shared, chromedp.FromContext(shared).Browser)
	profile, err := target.CreateBrowserContext().Do(all)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := target.DisposeBrowserContext(profile).Do(all); err != nil {
			t.Error(err)
		}
	})
	b := openWindow(t, profile)
	t.Cleanup(b.close)
	return b
}

// openWindow opens a window with the cookies and storage of profile. It behaves as if it always had the focus. Its
// context has a time limit, for pages that never load.
func openWindow(t *testing.T, profile cdp.BrowserContextID) *browser {
	t.Helper()
	shared, err := chromium.launch()
	if err != nil {
		t.Fatal(err)
	}
	all := cdp.WithExecutor(shared, chromedp.FromContext(shared).Browser)
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(profile).WithNewWindow(true).Do(all)
	if err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(shared, 2*patience)
	t.Cleanup(cancel)
	ctx, _ := chromedp.NewContext(limited, chromedp.WithTargetID(id)) // ended by close or the time limit
	b := &browser{T: t, ctx: ctx, profile: profile}
	chromedp.ListenTarget(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *cdplog.EventEntryAdded:
			b.console = append(b.console, strings.TrimSpace(e.Entry.Text+" "+e.Entry.URL))
		case *runtime.EventExceptionThrown:
			b.console = append(b.console, e.ExceptionDetails.Text)
		}
	})
	b.do(cdplog.Enable(), emulation.SetFocusEmulationEnabled(true))
	return b
}

// close closes the window and waits until it is closed.
func (b *browser) close() {
	b.Helper()
	if err := chromedp.Cancel(b.ctx); err != nil {
		b.Error(err)
	}
}

func (b *browser) do(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// evalJS evaluates a script of the test in the page, which runs no scripts of its own.
func evalJS[T any](b *browser, script string) (out T) {
	b.Helper()
	b.do(chromedp.Evaluate(script, &out))
	return out
}

// open navigates to a page and waits until it has a heading.
func (b *browser) open(page string) {
	b.Helper()
	b.do(chromedp.Navigate(page))
	b.waitFor(`document.readyState === 'complete' && document.querySelector('h1') !== null`)
}

// waitFor waits until a script evaluates to true. Evaluating fails while the window navigates.
func (b *browser) waitFor(until string) {
	b.Helper()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		var done bool
		if err := chromedp.Run(b.ctx, chromedp.Evaluate(until, &done)); done {
			return
		} else if b.ctx.Err() != nil {
			b.Fatalf("waited in vain for %s (%v)", until, err)
		}
		<-tick.C
	}
}

// press moves the focus to a button with the Tab key, and presses Enter.
func (b *browser) press(name string) {
	b.Helper()
	for range 10 {
		b.do(chromedp.KeyEvent(kb.Tab))
		if evalJS[string](b, `document.activeElement.innerText`) != name {
			continue
		}
		if outline := evalJS[string](b, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
			b.Errorf("%q has no visible focus", name)
		}
		b.do(chromedp.KeyEvent(kb.Enter))
		return
	}
	b.Fatalf("the Tab key does not reach %q", name)
}

// waitForShop waits for a page of the shop and returns the query of its URL.
func (b *browser) waitForShop(shop string) url.Values {
	b.Helper()
	b.waitFor(`document.querySelector('#shop') !== null`)
	at := evalJS[string](b, `location.href`)
	u, err := url.Parse(at)
	if err != nil || !strings.HasPrefix(at, shop) {
		b.Fatalf("the browser is at %s, want a page of %s", at, shop)
	}
	return u.Query()
}

// contrastScript lists texts with too little contrast for the Web Content Accessibility Guidelines, level AA.
const contrastScript = `(() => {
	const rgb = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length > 3 && m[3] === 0 ? null : m };
	const light = c => c.slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c) return c } return [255, 255, 255] };
	return [...document.querySelectorAll('body *')].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
		const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))];
		return [e.innerText, (Math.max(a, b) + .05) / (Math.min(a, b) + .05)];
	}).filter(([, ratio]) => ratio < 4.5).map(([text, ratio]) => text + ': ' + ratio.toFixed(2));
})()`

// checkAccessibility checks what people with impaired vision or mobility depend on.
func (b *browser) checkAccessibility() {
	b.Helper()
	for what, script := range map[string]string{
		"a language":                     `document.documentElement.lang !== ''`,
		"a title":                        `document.title !== ''`,
		"one main part":                  `document.querySelectorAll('main').length === 1`,
		"one heading":                    `document.querySelectorAll('h1').length === 1 && document.querySelector('h1').innerText !== ''`,
		"a name for each button":         `[...document.querySelectorAll('button, a')].every(e => e.innerText.trim() !== '')`,
		"buttons of 44 pixels":           `[...document.querySelectorAll('button, a')].every(e => e.getBoundingClientRect().height >= 44)`,
		"no script":                      `document.scripts.length === 0`,
		"no need to scroll sideways":     `document.documentElement.scrollWidth <= window.innerWidth`,
		"a term for each of the details": `[...document.querySelectorAll('dd')].every(e => e.previousElementSibling.tagName === 'DT')`,
	} {
		if !evalJS[bool](b, script) {
			b.Errorf("the page lacks %s", what)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
		if pale := evalJS[[]string](b, contrastScript); len(pale) > 0 {
			b.Errorf("too little contrast in %s mode: %v", scheme, pale)
		}
	}
}

// Shoppers use the sandbox's payment page with the keyboard alone: they decline, leave, pay and return to the shop,
// and the shop has the order.
func TestSandboxPaymentPageInBrowser(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1 id="shop">Shop</h1>`)
	}))
	t.Cleanup(front.Close)
	buyer := newBuyer(t, server.url, keys.TestSecretKey)
	b := openBrowser(t)
	openHosted := func() (session, page string) {
		opened := buyer.must("/payment-sessions/aggregator",
			fmt.Sprintf(`{"checkoutId": %q, "mode": "hosted_v2", "method": "KAKAO_PAY", "redirectUrl": %q}`,
				buyer.checkout(), front.URL+"/thanks"))
		return textAt(opened, "paymentSession", "id"), textAt(opened, "checkoutUrl")
	}
	find := func(session string) map[string]any {
		_, a := requestJSON(t, "GET", server.url+"/api/server/commerce/payment-sessions/aggregator/"+session, "", buyer.key)
		s, _ := a["paymentSession"].(map[string]any)
		return s
	}

	session, page := openHosted()
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(page)
	b.checkAccessibility()
	b.press("Decline the payment")
	if back := b.waitForShop(front.URL); back.Get("code") == "" {
		t.Errorf("after declining, the shopper returns with %v", back)
	}
	if s := find(session); s["order"] != nil || s["slotHeld"] != true {
		t.Errorf("after a decline: %v", s)
	}
	b.open(page)
	if status := evalJS[string](b, `document.querySelector('[role="status"]').innerText`); !strings.Contains(status, "declined") {
		t.Errorf("after a decline the page shows %q", status)
	}
	b.checkAccessibility()
	b.press("Leave without paying")
	if back := b.waitForShop(front.URL); back.Get("code") == "" {
		t.Errorf("after leaving, the shopper returns with %v", back)
	}
	b.open(page)
	b.press("Pay KRW 15,000")
	if back := b.waitForShop(front.URL); back.Get("code") != "" || back.Get("paymentId") == "" {
		t.Errorf("after paying, the shopper returns with %v", back)
	}
	if s := find(session); s["status"] != "succeeded" || s["order"] == nil {
		t.Errorf("after the payment: %v", s)
	}
	b.open(page)
	b.checkAccessibility()
	b.press("Return to the shop")
	b.waitForShop(front.URL)

	_, opened := buyer.post("/payment-sessions",
		fmt.Sprintf(`{"checkoutId": %q, "successUrl": %q, "failUrl": %q}`, buyer.checkout(), front.URL+"/ok", front.URL+"/no"))
	action, _ := opened["action"].(map[string]any)
	b.open(server.url + "/sandbox/pay/" + textAt(action, "orderId"))
	b.press("Pay KRW 15,000")
	back := b.waitForShop(front.URL + "/ok")
	done := buyer.must("/payment-sessions/"+textAt(opened, "paymentSession", "id")+"/confirm",
		fmt.Sprintf(`{"paymentKey": %q, "orderId": %q, "amount": {"amount": %s, "currency": "KRW"}}`,
			back.Get("paymentKey"), back.Get("orderId"), back.Get("amount")))
	if textAt(done, "order", "status") != "paid" {
		t.Errorf("%v", done)
	}

	b.open(server.url + "/sandbox/pay/ses_unknown")
	b.checkAccessibility()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.console) > 1 || len(b.console) == 1 && !strings.Contains(b.console[0], "404") { // of the last page
		t.Errorf("the console shows %v", b.console)
	}
}
