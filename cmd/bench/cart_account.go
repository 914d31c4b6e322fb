package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// spans are the parts of the time of a cart change that the server measures, as histograms, from the request inwards. A run
// is a batch of changes of one cart: it is decided, waits for a commit with those of other carts, is committed and
// published. What a request takes beyond waiting and running is HTTP, and waiting for a processor.
var spans = []struct{ title, metric string }{
	{"request", `cartwright_http_request_duration_seconds_bucket{method="POST",route="[^"]*/items",status="2xx",`},
	{"waits for its cart", `cartwright_cart_wait_seconds_bucket{`},
	{"run", `cartwright_cart_run_seconds_bucket{`},
	{"waits for a commit", `cartwright_commit_wait_seconds_bucket{`},
	{"commit", `cartwright_commit_duration_seconds_bucket{`},
}

// histogram is how many observations were at most so many seconds.
type histogram map[float64]float64

// addItemsWithAccount is addItems, and prints where the time of the changes went.
func (h *cartLoad) addItemsWithAccount(clients int, length time.Duration) result {
	before, err := h.measuredSpans()
	if err != nil {
		return result{errors: 1, first: err}
	}
	r := h.addItems(clients, length)
	after, err := h.measuredSpans()
	if err != nil {
		return result{errors: 1, first: err}
	}
	var parts []string
	for i, span := range spans {
		d := after[i].since(before[i])
		parts = append(parts, fmt.Sprintf("%s %.1f/%.1f/%.1f", span.title, d.quantile(.5), d.quantile(.9), d.quantile(.99)))
	}
	fmt.Printf("   p50/p90/p99 in ms, %d clients: %s\n", clients, strings.Join(parts, ", "))
	return r
}

// measuredSpans reads the histograms of spans.
func (h *cartLoad) measuredSpans() (all []histogram, err error) {
	var text string
	if _, err := h.post.do(request{method: "GET", path: "/metrics"}, func(b []byte) { text = string(b) }); err != nil {
		return nil, err
	}
	for _, span := range spans {
		found := histogram{}
		for _, m := range regexp.MustCompile(`(?m)^`+strings.ReplaceAll(span.metric, "{", `\{`)+`le="([^"]+)"\} (\S+)`).FindAllStringSubmatch(text, -1) {
			limit, limitErr := strconv.ParseFloat(m[1], 64)
			n, countErr := strconv.ParseFloat(m[2], 64)
			if limitErr != nil || countErr != nil {
				return nil, fmt.Errorf("metrics: %q is no bucket", m[0])
			}
			found[limit] += n
		}
		all = append(all, found)
	}
	return all, nil
}

// since is h less what was there before.
func (h histogram) since(before histogram) histogram {
	d := maps.Clone(h)
	for limit, n := range before {
		d[limit] -= n
	}
	return d
}

// quantile is about what the share q of all observations took at most, in milliseconds: within a bucket they are taken as
// evenly spread.
func (h histogram) quantile(q float64) float64 {
	limits := slices.Sorted(maps.Keys(h))
	if len(limits) == 0 || h[limits[len(limits)-1]] == 0 {
		return 0
	}
	const milliseconds = 1000
	wanted := q * h[limits[len(limits)-1]]
	low, below := 0.0, 0.0
	for i, limit := range limits {
		switch {
		case h[limit] < wanted:
			low, below = limit, h[limit]
		case i == len(limits)-1: // infinite
			return low * milliseconds
		default:
			return (low + (limit-low)*(wanted-below)/(h[limit]-below)) * milliseconds
		}
	}
	return low * milliseconds
}
