package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Work counts what this process does, as it does it. Its methods are cheap and safe for concurrent use.
type Work struct {
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	runs      prometheus.Histogram
	steps     prometheus.Histogram
	commits   prometheus.Histogram
	calls     *prometheus.CounterVec
	answers   *prometheus.HistogramVec

	mu    sync.RWMutex
	known map[answered]counted
}

// answered is what a request is counted as.
type answered struct {
	route, method string
	class         int // of the status: 2 for 200
}

// counted are the series of one kind of request: finding them by their labels would cost more than counting.
type counted struct {
	total prometheus.Counter
	took  prometheus.Observer
}

// Buckets of the histograms: answers take from half a millisecond to the 30 s a request may take, commits less.
var (
	answerBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	commitBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
	callBuckets   = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}
	batchBuckets  = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}
)

// NewWork counts from zero.
func NewWork() *Work {
	request, call := []string{"route", "method", "status"}, []string{"provider", "operation", "outcome"}
	counter := func(name, help string, labels []string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}
	}
	return &Work{
		requests:  counter("cartwright_http_requests_total", "Requests that were answered, by the pattern of their address, by method and by class of the status.", request),
		durations: prometheus.NewHistogramVec(histogram("cartwright_http_request_duration_seconds", "Time from a request's headers to its answer.", answerBuckets), request),
		runs:      prometheus.NewHistogram(histogram("cartwright_cart_run_changes", "Changes of one cart that its worker did together.", batchBuckets)),
		steps:     prometheus.NewHistogram(histogram("cartwright_commit_batch_steps", "Steps that were made durable by one transaction of the committer.", batchBuckets)),
		commits:   prometheus.NewHistogram(histogram("cartwright_commit_duration_seconds", "Time that a transaction of the committer took.", commitBuckets)),
		calls:     counter("cartwright_provider_calls_total", "Calls of payment providers that ended.", call),
		answers:   prometheus.NewHistogramVec(histogram("cartwright_provider_call_duration_seconds", "Time that a call of a payment provider took, the wait for its turn included.", callBuckets), call),
		known:     map[answered]counted{},
	}
}

func (w *Work) collectors() []prometheus.Collector {
	return []prometheus.Collector{w.requests, w.durations, w.runs, w.steps, w.commits, w.calls, w.answers}
}

// Describe implements prometheus.Collector.
func (w *Work) Describe(to chan<- *prometheus.Desc) {
	for _, c := range w.collectors() {
		c.Describe(to)
	}
}

// Collect implements prometheus.Collector.
func (w *Work) Collect(to chan<- prometheus.Metric) {
	for _, c := range w.collectors() {
		c.Collect(to)
	}
}

// hundred turns a status into its class.
const hundred = 100

// classes of statuses, by their first digit.
var classes = [...]string{"0xx", "1xx", "2xx", "3xx", "4xx", "5xx"}

// Request counts a request that was answered. Route is the pattern of its address, method one that HTTP knows: whoever asks
// for what does not exist must not make series.
func (w *Work) Request(route, method string, status int, took time.Duration) {
	class := status / hundred
	if class >= len(classes) || class < 0 {
		class = 0
	}
	one := answered{route, method, class}
	w.mu.RLock()
	c, ok := w.known[one]
	w.mu.RUnlock()
	if !ok {
		c = counted{w.requests.WithLabelValues(route, method, classes[class]), w.durations.WithLabelValues(route, method, classes[class])}
		w.mu.Lock()
		w.known[one] = c
		w.mu.Unlock()
	}
	c.total.Inc()
	c.took.Observe(took.Seconds())
}

// Ran counts a run of changes of one cart.
func (w *Work) Ran(changes int) { w.runs.Observe(float64(changes)) }

// Committed counts a transaction of the committer.
func (w *Work) Committed(steps int, took time.Duration) {
	w.steps.Observe(float64(steps))
	w.commits.Observe(took.Seconds())
}
