package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The size of the shop with many orders.
const (
	ordersTogether = 200 // in one import
	importClients  = 4   // more of them make each import take seconds
	soldSKUs       = 500
	madePoll       = time.Second
	daysOfOrders   = 365
)

// manyOrders is a shop with orders of a year whose facts follow from their number.
type manyOrders struct {
	post     *httpClient
	account  account
	secret   string
	orders   int
	variants []string // by SKU
	first    time.Time
}

// The names of buyers: as in Korea, a fifth of them are called Kim.
var (
	familyNames = strings.Fields("김 김 김 김 이 이 이 박 박 최 정 강 조 윤 장")
	givenNames  = strings.Fields("민수 서연 지훈 하은 도윤 수빈 예준 지우 현우 은지 태양 가람 나래 보라 한솔 시우 다은 유진")
)

func (l *manyOrders) number(i int) string { return fmt.Sprintf("%06d%06d", 260101+i%28, i) }

// placedAt spreads the orders over the year.
func (l *manyOrders) placedAt(i int) string {
	return l.first.Add(daysOfOrders * 24 * time.Hour / time.Duration(l.orders) * time.Duration(i)).Format(time.RFC3339)
}

func (l *manyOrders) name(i int) string {
	return familyNames[i%len(familyNames)] + givenNames[i/len(familyNames)%len(givenNames)] + " " + fmt.Sprintf("Kim%04d", i%9000)
}

func (l *manyOrders) phone(i int) string {
	return fmt.Sprintf("010-%04d-%04d", i/10_000%10_000, i%10_000)
}

func (l *manyOrders) email(i int) string { return fmt.Sprintf("buyer.%d@example.com", i) }

func (l *manyOrders) sku(i int) string { return fmt.Sprintf("MUG-%03d", i%soldSKUs) }

// order is an order as it is imported.
func (l *manyOrders) order(i int) map[string]any {
	buyer := map[string]any{"name": l.name(i), "email": l.email(i), "phone": l.phone(i)}
	return map[string]any{
		"orderNumber": l.number(i), "status": []string{"paid", "delivered"}[i%2], "email": l.email(i), "currency": "KRW", "totalAmount": 15000,
		"placedAt":         l.placedAt(i),
		"customerSnapshot": buyer, "shippingAddress": map[string]any{"recipientName": l.name(i), "phone": l.phone(i), "address1": "Street 1"},
		"lines": []any{map[string]any{"title": "Mug", "variant": l.variants[i%soldSKUs], "sku": l.sku(i), "quantity": 1, "unitPrice": 15000}},
	}
}

// measureManyOrders fills a shop, and measures searches and figures in it.
func (p *benchConfig) measureManyOrders(ctx context.Context, s *testbed, database string) error {
	owner, err := createTenant(ctx, s.server, "Search")
	if err != nil {
		return err
	}
	l := &manyOrders{
		post: newHTTPClient(s.server.URL, idleClients), account: owner, secret: owner.test, orders: p.searchedOrders,
		variants: make([]string, soldSKUs), first: time.Now().UTC().AddDate(0, 0, -daysOfOrders),
	}
	if err := l.createProducts(); err != nil {
		return err
	}
	if err := l.importAll(ctx, database); err != nil {
		return err
	}
	if p.wants(searchPart) {
		if err := l.measureSearches(p.length, database); err != nil {
			return err
		}
	}
	if p.wants(summaryPart) {
		return l.measureSummaries(ctx, s, p.length, database)
	}
	return nil
}

// createProducts creates what the orders are of.
func (l *manyOrders) createProducts() error {
	return runEach(soldSKUs, func(_, i int) error {
		var made struct{ Doc struct{ ID string } }
		body := fmt.Appendf(nil, `{"name": "Mug %d", "status": "published", "price": 15000}`, i)
		err := l.post.expect(201, request{method: "POST", path: "/api/products", secret: l.secret, body: body}, &made)
		if err == nil {
			l.variants[i], err = variantOf(l.post, l.secret, made.Doc.ID)
		}
		return err
	})
}

// importAll imports the orders and waits until they are found.
func (l *manyOrders) importAll(ctx context.Context, database string) error {
	began := time.Now()
	err := runEach(importClients, func(_, lane int) error {
		for first := lane * ordersTogether; first < l.orders; first += importClients * ordersTogether {
			if err := l.importSome(first, min(first+ordersTogether, l.orders)); err != nil {
				return err
			}
		}
		return nil
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
	return nil
}

// importSome imports the orders from a number up to before another one.
func (l *manyOrders) importSome(from, to int) error {
	orders := make([]any, 0, to-from)
	for i := from; i < to; i++ {
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
}

// waitForIndex waits until all orders are found.
func (l *manyOrders) waitForIndex(ctx context.Context) error {
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
