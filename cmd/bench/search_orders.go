package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// searchPart needs a shop with many orders.
const searchPart = "search-orders"

// The load of searches, and what they may take.
const (
	searchClients  = 2 // operators who search without a pause
	searchLimit    = 30 * time.Millisecond
	ordersTogether = 200 // in one import
	searchSKUs     = 500
	madePoll       = time.Second
)

// searchLoad is a shop with orders whose facts follow from their number.
type searchLoad struct {
	post   *httpClient
	secret string
	orders int
}

// The names of buyers: as in Korea, a fifth of them are called Kim.
var (
	familyNames = strings.Fields("김 김 김 김 이 이 이 박 박 최 정 강 조 윤 장")
	givenNames  = strings.Fields("민수 서연 지훈 하은 도윤 수빈 예준 지우 현우 은지 태양 가람 나래 보라 한솔 시우 다은 유진")
)

func (l *searchLoad) number(i int) string { return fmt.Sprintf("%06d%06d", 260101+i%28, i) }

func (l *searchLoad) name(i int) string {
	return familyNames[i%len(familyNames)] + givenNames[i/len(familyNames)%len(givenNames)] + " " + fmt.Sprintf("Kim%04d", i%9000)
}

func (l *searchLoad) phone(i int) string {
	return fmt.Sprintf("010-%04d-%04d", i/10_000%10_000, i%10_000)
}

func (l *searchLoad) email(i int) string { return fmt.Sprintf("buyer.%d@example.com", i) }

func (l *searchLoad) sku(i int) string { return fmt.Sprintf("MUG-%03d", i%searchSKUs) }

// order is an order as it is imported.
func (l *searchLoad) order(i int) map[string]any {
	buyer := map[string]any{"name": l.name(i), "email": l.email(i), "phone": l.phone(i)}
	return map[string]any{
		"orderNumber": l.number(i), "status": []string{"paid", "delivered"}[i%2], "email": l.email(i), "currency": "KRW", "totalAmount": 15000,
		"customerSnapshot": buyer, "shippingAddress": map[string]any{"recipientName": l.name(i), "phone": l.phone(i), "address1": "Street 1"},
		"lines": []any{map[string]any{"title": "Mug", "sku": l.sku(i), "quantity": 1, "unitPrice": 15000}},
	}
}

// searchOrders fills a shop and measures each kind of search in it.
func (p *benchConfig) searchOrders(ctx context.Context, s *testbed, database string) error {
	l := &searchLoad{post: newHTTPClient(s.server.URL, idleClients), orders: p.searchedOrders}
	account, err := createTenant(ctx, s.server, "Search")
	if err != nil {
		return err
	}
	l.secret = account.test
	began := time.Now()
	err = runEach((l.orders+ordersTogether-1)/ordersTogether, func(_, part int) error {
		var orders []any
		for i := part * ordersTogether; i < min(l.orders, (part+1)*ordersTogether); i++ {
			orders = append(orders, l.order(i))
		}
		body, err := json.Marshal(map[string]any{"orders": orders})
		if err != nil {
			return err
		}
		var done struct{ Created int }
		err = l.post.expect(200, request{method: "POST", path: "/api/orders/import", secret: l.secret, body: body}, &done)
		if err == nil && done.Created != len(orders) {
			err = fmt.Errorf("%d of %d orders were imported", done.Created, len(orders))
		}
		return err
	})
	if err != nil {
		return err
	}
	loaded := time.Since(began)
	if err := l.waitForIndex(ctx); err != nil {
		return err
	}
	fmt.Printf("%s: %d orders imported in %.0f s, and in the index %.0f s later\n", database, l.orders, loaded.Seconds(),
		(time.Since(began) - loaded).Seconds())
	return l.measure(p.length, database)
}

// waitForIndex waits until all orders are found.
func (l *searchLoad) waitForIndex(ctx context.Context) error {
	for {
		var text string
		status, err := l.post.do(request{method: "GET", path: "/metrics"}, func(body []byte) { text = string(body) })
		if err != nil || status != 200 {
			return fmt.Errorf("read the metrics: status %d, %w", status, err)
		}
		if strings.Contains(text, "\ncartwright_search_behind_events 0\n") && strings.Contains(text, "\ncartwright_search_tenants_indexing 0\n") {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(madePoll):
		}
	}
}

// measure prints each kind of search beside what it may take.
func (l *searchLoad) measure(length time.Duration, database string) error {
	list := func(q string) string { return "/api/orders?q=" + url.QueryEscape(q) }
	slow := 0
	for _, kind := range []struct {
		name string
		path func(i int) string
	}{
		{"a number", func(i int) string { return list(l.number(i)) }},
		{"the beginning of numbers", func(i int) string { return list(l.number(i)[:4]) }},
		{"an address", func(i int) string { return list(l.email(i)) }},
		{"a telephone number", func(i int) string { return list("+82 " + l.phone(i)[1:]) }},
		{"the last four digits", func(i int) string { return list(l.phone(i)[9:]) }},
		{"a frequent name", func(i int) string { return list(l.name(i)[:3]) }},
		{"an SKU", func(i int) string { return list(l.sku(i)) }},
		{"two frequent words", func(i int) string { return list("kim " + l.sku(i)) }},
		{"three words", func(i int) string { return list(l.name(i) + " " + l.sku(i)) }},
		{"nothing", func(i int) string { return list("zz" + l.number(i)) }},
		{"ten pasted numbers", func(i int) string {
			numbers := make([]string, 10)
			for n := range numbers {
				numbers[n] = l.number((i + n*7919) % l.orders)
			}
			return list(strings.Join(numbers, ", "))
		}},
		{"a name with a where", func(i int) string { return list(l.name(i)[:6]) + "&where[status][equals]=delivered" }},
		{"everything by a name", func(i int) string { return "/api/search?q=" + url.QueryEscape(l.name(i)[:9]) }},
		{"everything by a number", func(i int) string { return "/api/search?q=" + l.number(i) }},
	} {
		r := runClients(database+", "+kind.name, searchClients, length, func(int, int) error {
			var ignored struct{}
			path := kind.path(rand.IntN(l.orders))
			return l.post.expect(200, request{method: "GET", path: path, secret: l.secret}, &ignored)
		})
		if r.errors > 0 {
			return fmt.Errorf("%d searches failed: %w", r.errors, r.first)
		}
		r.more = fmt.Sprintf("limit of the p99 %v", searchLimit)
		if r.p99 > searchLimit {
			slow++
			r.more += ": TOO SLOW"
		}
		fmt.Println(r)
	}
	fmt.Printf("%s: %d kinds of searches are too slow\n\n", database, slow)
	return nil
}
