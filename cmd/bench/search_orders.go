package main

import (
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
	searchClients = 2 // operators who search without a pause
	searchLimit   = 30 * time.Millisecond
)

// measureSearches prints each kind of search beside what it may take.
func (l *manyOrders) measureSearches(length time.Duration, database string) error {
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
		isSlow, err := r.printBeside(searchLimit)
		if err != nil {
			return err
		}
		if isSlow {
			slow++
		}
	}
	fmt.Printf("%s: %d kinds of searches are too slow\n\n", database, slow)
	return nil
}
