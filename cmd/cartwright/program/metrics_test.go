package program

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sumSeries adds up the samples of all series of that name whose labels include the given ones.
func sumSeries(t *testing.T, scrape, name string, labels ...string) (sum float64, found int) {
	t.Helper()
next:
	for line := range strings.Lines(scrape) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok || !strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, " ") {
			continue
		}
		for _, label := range labels {
			if !strings.Contains(rest, label) {
				continue next
			}
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(rest[strings.LastIndex(rest, " ")+1:]), 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		sum, found = sum+value, found+1
	}
	return sum, found
}

// The server exports metrics of requests, of carts and their commits, and of payment providers.
func TestMetricsCountServerActivity(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	shopper := newBuyer(t, server.url, creds.TestSecretKey)
	before := scrapeMetrics(t, server.url)
	shopper.buy()
	requestJSON(t, "GET", server.url+"/api/products/nothing-of-this-id", "", shopper.key)
	carts := []string{`route="/api/server/commerce/carts"`, `method="POST"`, `status="2xx"`}
	counted := []struct {
		name   string
		labels []string
	}{
		{"cartwright_http_requests_total", carts},
		{"cartwright_http_request_duration_seconds_count", carts},
		{"cartwright_http_requests_total", []string{`route="/api/products/:id"`, `method="GET"`, `status="4xx"`}},
		{"cartwright_commit_batch_steps_sum", nil},
		{"cartwright_commit_duration_seconds_count", nil},
		{"cartwright_provider_calls_total", []string{`provider="sandbox"`, `operation="confirm"`, `outcome="ok"`}},
		{"cartwright_provider_call_duration_seconds_count", []string{`provider="sandbox"`, `operation="confirm"`}},
	}
	cart := textAt(shopper.must("/carts", "{}"), "cart", "id")
	shopper.must("/carts/"+cart+"/items", fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, shopper.variant))
	after := scrapeMetrics(t, server.url)
	// a batch is counted after its steps were answered
	for until := time.Now().Add(patience); time.Now().Before(until); after = scrapeMetrics(t, server.url) {
		if n, _ := sumSeries(t, after, "cartwright_cart_run_changes_sum"); n > 0 {
			break
		}
	}
	for _, s := range append(counted, struct {
		name   string
		labels []string
	}{"cartwright_cart_run_changes_sum", nil}) {
		first, _ := sumSeries(t, before, s.name, s.labels...)
		if last, _ := sumSeries(t, after, s.name, s.labels...); last <= first {
			t.Errorf("%s %v was %v and is %v", s.name, s.labels, first, last)
		}
	}
	for _, name := range []string{
		"cartwright_cart_mailbox_depth", "cartwright_commit_queue_steps", "cartwright_circuit_state", "cartwright_provider_calls_active",
		"go_goroutines", "process_resident_memory_bytes",
	} {
		if _, found := sumSeries(t, after, name); found == 0 {
			t.Errorf("there is no metric %s", name)
		}
	}
	for _, private := range []string{creds.TenantID, creds.TestSecretKey, cart, "nothing-of-this-id"} {
		if strings.Contains(after, private) {
			t.Errorf("the metrics contain %s", private)
		}
	}
}

// Requests for unknown paths or with unknown methods add no series, and neither do malformed requests.
func TestUnknownRequestsAddNoMetricSeries(t *testing.T) {
	t.Parallel()
	m := newDemoEnv(t)
	server := m.serve(t)
	creds, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	_, first := sumSeries(t, scrapeMetrics(t, server.url), "cartwright_http_requests_total")
	for i := range 1000 {
		path := []string{
			"/%s", "/api/%s", "/api/products/%s", "/api/%s/count?where=%[1]s", "/api/server/commerce/%s", "/api/commerce/carts/%s/items",
			"/metrics/%s",
		}[i%7]
		method := []string{"GET", "POST", "DELETE"}[i%3]
		requestJSON(t, method, server.url+fmt.Sprintf(path, "rubbish"+strconv.Itoa(i)), "", "X-API-Key: "+creds.SecretKey)
	}
	for i := range 20 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "RUBBISH%d / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", i)
		_, _ = io.ReadAll(conn)
		conn.Close()
	}
	scrape := scrapeMetrics(t, server.url)
	if _, last := sumSeries(t, scrape, "cartwright_http_requests_total"); last-first > 25 {
		t.Errorf("there were %d series of requests, now %d", first, last)
	}
	if strings.Contains(strings.ToLower(scrape), "rubbish") {
		t.Error("the metrics have a label of an unknown path")
	}
	if n, _ := sumSeries(t, scrape, "cartwright_http_requests_total", `route="unmatched"`); n == 0 {
		t.Error("requests for unknown paths are not counted")
	}
}

// scrapeMetrics reads /metrics of the server at url.
func scrapeMetrics(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%d %v", res.StatusCode, err)
	}
	return string(body)
}
