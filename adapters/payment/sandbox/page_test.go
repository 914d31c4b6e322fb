package sandbox_test

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/ports"
)

// browse opens the payment page, or presses one of its buttons, without following the redirect to the shop.
func (s *shop) browse(t *testing.T, id, button string) (*http.Response, string) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	var res *http.Response
	var err error
	if button == "" {
		res, err = client.Get(s.server.URL + "/sandbox/pay/" + id)
	} else {
		res, err = client.PostForm(s.server.URL+"/sandbox/pay/"+id, url.Values{"outcome": {button}})
	}
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestPaymentPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.register(t, "hosted_v2")
	if p.URL != s.server.URL+"/sandbox/pay/"+p.Session {
		t.Errorf("the page is at %q", p.URL)
	}
	_, page := s.browse(t, p.Session, "")
	for _, want := range []string{
		"Linen shirt and 1 more", "KRW 15,000", "KAKAO PAY", `value="approve"`, `value="decline"`, `value="abandon"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	res, _ := s.browse(t, p.Session, "decline")
	if res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(res.Header.Get("Location"), p.FailURL+"?") {
		t.Errorf("declining leads to %d %s", res.StatusCode, res.Header.Get("Location"))
	}
	if _, page = s.browse(t, p.Session, ""); !strings.Contains(page, "declined") || !strings.Contains(page, `value="approve"`) {
		t.Error("after a decline the page offers no second attempt")
	}
	res, _ = s.browse(t, p.Session, "approve")
	if !strings.HasPrefix(res.Header.Get("Location"), "https://shop.example/thanks?") {
		t.Errorf("approving leads to %s", res.Header.Get("Location"))
	}
	s.wantState(t, p, ports.ProviderPaid)
	if _, page = s.browse(t, p.Session, ""); strings.Contains(page, `value="approve"`) ||
		!strings.Contains(page, "Return to the shop") {
		t.Error("a paid payment is still offered")
	}
}

func TestPageEscapesOrderName(t *testing.T) {
	s := open(t)
	req := request("Script123")
	req.OrderName = `<script>alert(1)</script>`
	got, err := s.send(t.Context(), "key-script", ports.PrepareRequest{PaymentRequest: req})
	if err != nil {
		t.Fatal(err)
	}
	res, page := s.browse(t, got.Prepared.SessionID, "")
	if strings.Contains(page, "<script") {
		t.Error("the order name is markup")
	}
	_, style, _ := strings.Cut(page, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		!strings.Contains(policy, base64.StdEncoding.EncodeToString(sum[:])) {
		t.Errorf("the policy %q does not admit the page's own style alone", policy)
	}
	req = request("Script124")
	req.SuccessURL = "javascript:alert(1)"
	_, err = s.send(t.Context(), "key-script-2", ports.PrepareRequest{PaymentRequest: req})
	wantCode(t, err, "INVALID_REQUEST")
}

func TestUnknownPage(t *testing.T) {
	s := open(t)
	if res, page := s.browse(t, "ses_unknown", ""); res.StatusCode != http.StatusNotFound || !strings.Contains(page, "no such payment") {
		t.Errorf("%d %s", res.StatusCode, page)
	}
}
