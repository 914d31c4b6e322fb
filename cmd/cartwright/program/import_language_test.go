package program

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Rule api-27: an import of orders tells why it rejected some, and in which language.
func TestImportOfOrdersSaysItsLanguage(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.Address, c.Data, c.BurstPerMinute = "127.0.0.1:0", demoFolder(t), 0
	log, _ := captureLog(t)
	s := startServer(t, c, time.Now, log)
	req := httptest.NewRequest(http.MethodPost, "/api/orders/import", strings.NewReader(`{"orders":[1]}`))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Api-Key": s.NewCredentials.SecretKey, "Accept-Language": "fr", // and the second line
	} {
		req.Header.Set(name, value)
	}
	req.Header.Add("Accept-Language", "ko;q=0.5")
	res, err := s.app.Test(req, -1)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close() // only the head counts
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Language") != "ko" || !strings.Contains(res.Header.Get("Vary"), "Accept-Language") {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
}
