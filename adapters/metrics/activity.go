package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Activity counts what this process does. Its methods are cheap and safe for concurrent use.
type Activity struct {
	requests        *prometheus.CounterVec
	durations       *prometheus.HistogramVec
	cartBatches     prometheus.Histogram
	cartWaits       prometheus.Histogram
	cartRuns        prometheus.Histogram
	commitSteps     prometheus.Histogram
	commitWaits     prometheus.Histogram
	commitDurations prometheus.Histogram
	calls           *prometheus.CounterVec
	callDurations   *prometheus.HistogramVec

	mu     sync.RWMutex
	series map[requestLabels]requestSeries
}

// requestLabels are the labels of a request.
type requestLabels struct {
	route, method string
	class         int // of the status: 2 for 200
}

// requestSeries are the series of one kind of request, kept because looking them up by labels costs more than
// counting.
type requestSeries struct {
	total prometheus.Counter
	took  prometheus.Observer
}

// Buckets of the histograms: requests take from half a millisecond to their limit of 30 s, commits less, and what a change
// of a cart waits for less still.
var (
	answerBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	commitBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
	waitBuckets   = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1}
	callBuckets   = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}
	batchBuckets  = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}
)

// NewActivity starts at zero.
func NewActivity() *Activity {
	request, call := []string{"route", "method", "status"}, []string{"provider", "operation", "outcome"}
	counter := func(name, help string, labels []string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}
	}
	return &Activity{
		requests: counter("cartwright_http_requests_total", "HTTP requests by route, method and status class.", request),
		durations: prometheus.NewHistogramVec(
			histogram("cartwright_http_request_duration_seconds", "HTTP request duration.", answerBuckets), request),
		cartBatches: prometheus.NewHistogram(histogram("cartwright_cart_run_changes", "Cart changes applied in one batch.", batchBuckets)),
		cartWaits:   prometheus.NewHistogram(histogram("cartwright_cart_wait_seconds", "How long cart changes waited for their batch.", waitBuckets)),
		cartRuns: prometheus.NewHistogram(histogram("cartwright_cart_run_seconds",
			"Duration of a batch of changes of one cart, with its commit.", waitBuckets)),
		commitWaits: prometheus.NewHistogram(histogram("cartwright_commit_wait_seconds", "How long steps waited for their group commit.", waitBuckets)),
		commitSteps: prometheus.NewHistogram(histogram("cartwright_commit_batch_steps", "Steps per group commit.", batchBuckets)),
		commitDurations: prometheus.NewHistogram(histogram("cartwright_commit_duration_seconds",
			"Duration of a group commit.", commitBuckets)),
		calls: counter("cartwright_provider_calls_total", "Finished payment provider calls.", call),
		callDurations: prometheus.NewHistogramVec(histogram("cartwright_provider_call_duration_seconds",
			"Duration of payment provider calls, including queueing.", callBuckets), call),
		series: map[requestLabels]requestSeries{},
	}
}

func (w *Activity) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		w.requests, w.durations, w.cartBatches, w.cartWaits, w.cartRuns, w.commitSteps, w.commitWaits, w.commitDurations, w.calls, w.callDurations,
	}
}

// Describe implements prometheus.Collector.
func (w *Activity) Describe(to chan<- *prometheus.Desc) {
	for _, c := range w.collectors() {
		c.Describe(to)
	}
}

// Collect implements prometheus.Collector.
func (w *Activity) Collect(to chan<- prometheus.Metric) {
	for _, c := range w.collectors() {
		c.Collect(to)
	}
}

// statusClassSize divides a status into its class.
const statusClassSize = 100

// statusClasses are the classes by the first digit of the status.
var statusClasses = [...]string{"0xx", "1xx", "2xx", "3xx", "4xx", "5xx"}

// Request counts an answered request. Route is the pattern of its path and method a known HTTP method, so
// that requests for unknown paths do not create series.
func (w *Activity) Request(route, method string, status int, took time.Duration) {
	class := status / statusClassSize
	if class >= len(statusClasses) || class < 0 {
		class = 0
	}
	one := requestLabels{route, method, class}
	w.mu.RLock()
	c, ok := w.series[one]
	w.mu.RUnlock()
	if !ok {
		c = requestSeries{
			w.requests.WithLabelValues(route, method, statusClasses[class]),
			w.durations.WithLabelValues(route, method, statusClasses[class]),
		}
		w.mu.Lock()
		w.series[one] = c
		w.mu.Unlock()
	}
	c.total.Inc()
	c.took.Observe(took.Seconds())
}

// CartBatch counts a batch of changes of one cart.
func (w *Activity) CartBatch(changes int) { w.cartBatches.Observe(float64(changes)) }

// CartRun tells how long the changes of a batch of one cart had waited, and how long the batch took.
func (w *Activity) CartRun(waited []time.Duration, took time.Duration) {
	for _, d := range waited {
		w.cartWaits.Observe(d.Seconds())
	}
	w.cartRuns.Observe(took.Seconds())
}

// CommitBatch counts a transaction of the committer, for which its steps had waited so long.
func (w *Activity) CommitBatch(waited []time.Duration, took time.Duration) {
	w.commitSteps.Observe(float64(len(waited)))
	for _, d := range waited {
		w.commitWaits.Observe(d.Seconds())
	}
	w.commitDurations.Observe(took.Seconds())
}
