package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/examplepay/examplepayfake"
)

// asServer is the variable that makes the test binary run as the program.
const asServer = "EXAMPLEPAY_TEST_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(serve())
	}
	os.Exit(m.Run())
}

// A shop takes money at the new provider, on a complete server: connection, cart, checkout, page, order.
func TestShopTakesMoneyAtTheNewProvider(t *testing.T) {
	t.Parallel()
	provider := examplepayfake.New()
	bank := httptest.NewServer(provider)
	t.Cleanup(bank.Close)
	s := start(t, bank.URL)
	var listed bool
	for _, p := range s.call("GET", "/payment-providers", nil, s.secret)["providers"].([]any) {
		listed = listed || p.(object)["name"] == "examplepay" && p.(object)["signsWebhooks"] == true
	}
	if !listed {
		t.Fatal("the server does not list the provider")
	}
	connection := s.call("POST", "/provider-connections", object{
		"name": "ExamplePay", "provider": "examplepay", "accountKey": examplepayfake.Shop, "environment": "test",
		"enabledMethods": []string{"KAKAO_PAY"}, "credentials": object{"secretKey": examplepayfake.SecretKey},
	}, s.secret)["doc"].(object)["id"]
	opened := s.open(connection)
	session := opened["paymentSession"].(object)["id"].(string)
	payment := s.call("GET", "/server/commerce/payment-sessions/"+session, nil, s.secret)["paymentSession"].(object)["paymentId"].(string)
	asked, _ := provider.PaymentOf(payment)
	if opened["checkoutUrl"] != asked.PageURL || asked.Amount != 15000 || asked.Currency != "KRW" || asked.Method != "wallet" {
		t.Fatalf("the buyer is sent to %v for %+v", opened["checkoutUrl"], asked)
	}
	if !provider.Pay(payment) {
		t.Fatal("the buyer cannot pay")
	}
	paid := s.call("GET", "/server/commerce/payment-sessions/aggregator/"+session, nil, s.secret)
	if order, _ := paid["order"].(object); order["status"] != "paid" || order["paymentStatus"] != "paid" {
		t.Errorf("the session is %v", paid)
	}
}

type object = map[string]any

// server is the program as a process of its own, and the demo shop in it.
type server struct {
	*testing.T

	url, secret, client string // keys as headers
	serial              int
}

// start starts the program on an empty folder and a free port, until the test ends.
func start(t *testing.T, provider string) *server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder, log := t.TempDir(), &bytes.Buffer{}
	program := exec.CommandContext(t.Context(), self, "serve")
	program.Env = append(os.Environ(), asServer+"=yes", "EXAMPLEPAY_URL="+provider, "CARTWRIGHT_ADDR=127.0.0.1:0", "CARTWRIGHT_DATA="+folder)
	program.Cancel, program.Stderr = func() error { return program.Process.Signal(os.Interrupt) }, log
	out, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &server{T: t}
	lines := bufio.NewScanner(out)
	for s.url == "" && lines.Scan() {
		s.url, _ = strings.CutPrefix(lines.Text(), "Cartwright is at ")
	}
	t.Cleanup(func() {
		_, _ = io.Copy(io.Discard, out) // until it ended, since the test's context interrupts it
		if _ = program.Wait(); t.Failed() {
			t.Logf("the program logged:\n%s", log)
		}
	})
	var keys struct{ TestClientKey, TestSecretKey string }
	text, err := os.ReadFile(filepath.Join(folder, "credentials.json"))
	if err == nil {
		err = json.Unmarshal(text, &keys)
	}
	if err != nil || s.url == "" {
		t.Fatalf("the program did not start: %v", err)
	}
	s.client, s.secret = "X-Client-Key: "+keys.TestClientKey, "X-API-Key: "+keys.TestSecretKey
	return s
}

// open checks a cart out and opens a payment page for it.
func (s *server) open(connection any) object {
	s.Helper()
	product := s.call("POST", "/products", object{
		"name": "Tea", "status": "published", "price": 15000, "variants": []any{object{"title": "One", "stock": 9, "kind": "digital"}},
	}, s.secret)["doc"].(object)["id"].(string)
	variant := s.call("GET", "/product-variants?where[product][equals]="+product, nil, s.secret)["docs"].([]any)[0].(object)["id"]
	cart := s.call("POST", "/commerce/carts", object{"items": []any{object{"variantId": variant, "quantity": 1}}}, s.client)
	checkout := s.call("POST", "/commerce/checkouts", object{"cartId": cart["cart"].(object)["id"], "email": "kim@shop.example"},
		s.client, fmt.Sprint("X-Cart-Token: ", cart["cartToken"]))
	return s.call("POST", "/commerce/payment-sessions/aggregator", object{
		"checkoutId": checkout["checkout"].(object)["id"], "connectionId": connection, "mode": "hosted_v2", "method": "KAKAO_PAY",
		"redirectUrl": "https://shop.example/back",
	}, s.client, fmt.Sprint("X-Checkout-Token: ", checkout["checkoutToken"]))
}

// call makes a request that must succeed.
func (s *server) call(method, path string, body any, headers ...string) (answer object) {
	s.Helper()
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body) // objects of texts and numbers
	}
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+"/api"+path, bytes.NewReader(text))
	if err != nil {
		s.Fatal(err)
	}
	s.serial++
	for _, header := range append(headers, "Content-Type: application/json", fmt.Sprintf("Idempotency-Key: ik_%032d", s.serial)) {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusBadRequest || json.Unmarshal(said, &answer) != nil {
		s.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, said, err)
	}
	return answer
}
