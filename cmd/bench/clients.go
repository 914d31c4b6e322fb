package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// result is a measurement of one side of a comparison.
type result struct {
	name     string
	count    int
	perSec   float64
	p50, p99 time.Duration
	allocs   int // allocations of the server per operation
	errors   int64
	first    error         // first error
	cpu      string        // processor time by process
	each     time.Duration // processor time per operation, of all processes
	more     string        // what else there is to say
}

func (r result) String() string {
	text := fmt.Sprintf("%-34s %9.0f/s   p50 %6.2f ms   p99 %6.2f ms   %s", r.name, r.perSec, millis(r.p50), millis(r.p99), r.cpu)
	if r.allocs > 0 {
		text += fmt.Sprintf("; %d allocations", r.allocs)
	}
	if r.more != "" {
		text += "; " + r.more
	}
	return text
}

// printBeside prints r beside the limit of its p99, and reports whether it is above. Errors: the first of its requests.
func (r result) printBeside(limit time.Duration) (isSlow bool, err error) {
	if r.errors > 0 {
		return false, fmt.Errorf("%s: %d requests failed: %w", r.name, r.errors, r.first)
	}
	r.more = fmt.Sprintf("limit of the p99 %v", limit)
	if isSlow = r.p99 > limit; isSlow {
		r.more += ": TOO SLOW"
	}
	fmt.Println(r)
	return isSlow, nil
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// runClients runs a closed loop of clients for the given time; call does one operation and reports its success.
func runClients(name string, clients int, length time.Duration, call func(client, n int) error) result {
	var failed atomic.Int64
	var first atomic.Pointer[error]
	latencies := make([][]time.Duration, clients)
	var wg sync.WaitGroup
	start := time.Now()
	end := start.Add(length)
	for c := range clients {
		wg.Go(func() {
			for n := 0; ; n++ {
				began := time.Now()
				if began.After(end) {
					return
				}
				if err := call(c, n); err != nil {
					failed.Add(1)
					first.CompareAndSwap(nil, &err)
				}
				latencies[c] = append(latencies[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	all := slices.Concat(latencies...)
	slices.Sort(all)
	runtime.GC()
	if len(all) == 0 {
		return result{name: name}
	}
	r := result{
		name: name, count: len(all), perSec: float64(len(all)) / took.Seconds(), errors: failed.Load(),
		p50: all[len(all)/2], p99: all[len(all)*99/100],
	}
	if err := first.Load(); err != nil {
		r.first = *err
	}
	return r
}

// httpClient calls the server over kept connections.
type httpClient struct {
	client fasthttp.Client
	base   string
}

func newHTTPClient(base string, connections int) *httpClient {
	return &httpClient{client: fasthttp.Client{MaxConnsPerHost: connections, ReadTimeout: 30 * time.Second}, base: base}
}

// request is what a client sends.
type request struct {
	method, path string
	secret       string // its API key
	key          string // idempotency key, "" for none
	body         []byte
}

// do returns the status and, when out is not nil, passes the body to it.
func (p *httpClient) do(r request, out func([]byte)) (int, error) {
	req, res := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(res)
	req.SetRequestURI(p.base + r.path)
	req.Header.SetMethod(r.method)
	req.Header.Set("X-API-Key", r.secret)
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	if r.body != nil {
		req.Header.SetContentType("application/json")
		req.SetBody(r.body)
	}
	if err := p.client.Do(req, res); err != nil {
		return 0, err
	}
	if out != nil {
		out(res.Body())
	}
	return res.StatusCode(), nil
}

// expect sends r and decodes the answer into out; the answer must have the status.
func (p *httpClient) expect(status int, r request, out any) error {
	var parse error
	got, err := p.do(r, func(b []byte) {
		if parse = json.Unmarshal(b, out); parse != nil {
			parse = fmt.Errorf("%w: %s", parse, b)
		}
	})
	if err == nil && got != status {
		err = fmt.Errorf("%s %s: status %d", r.method, r.path, got)
	}
	return cmp.Or(err, parse)
}
