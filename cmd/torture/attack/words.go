package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// importManyProducts gives the shop under attack 10,000 products with long descriptions.
func importManyProducts(ctx context.Context, t *target) error {
	return t.importProducts(ctx, 10_000, 100)
}

// searchWords is eight clients, each request from another address, who search for as many words as one may: thousands,
// and where those are refused twenty, in descriptions that no index serves.
func searchWords(ctx context.Context, t *target) string {
	var o outcomes
	words := 1500
	for ctx.Err() == nil && words > 20 {
		if err := t.search(ctx, words); !isBadRequest(err) {
			break
		}
		words = 20
	}
	parallel(ctx, 8, func(int) { o.count(t.search(ctx, words)) })
	return fmt.Sprintf("%d words each: %s", words, &o)
}

func isBadRequest(err error) bool {
	var refusal statusError
	return errors.As(err, &refusal) && (refusal.status == 400 || refusal.status == 414 || refusal.status == 431)
}

func (t *target) search(ctx context.Context, words int) error {
	var phrase strings.Builder
	for range words {
		fmt.Fprintf(&phrase, "w%d ", rand.IntN(100_000))
	}
	_, err := t.call(ctx, "GET", "/api/products?limit=1&where[description][like]="+url.QueryEscape(strings.TrimSpace(phrase.String())),
		map[string]string{
			"X-Client-Key": t.mine.ClientKey, "X-Forwarded-For": fmt.Sprintf("198.51.%d.%d", rand.IntN(256), rand.IntN(256)),
		}, nil)
	return err
}

// listProducts is what the neighbor's storefront asks for.
func listProducts(ctx context.Context, t *target) error {
	_, err := t.call(ctx, "GET", "/api/products?limit=10", t.visitor(), nil)
	return err
}
