package eventlog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// BenchmarkBacklog numbers five million events of a thousand tenants that nobody has numbered, beside a database that
// gives up a statement after ten seconds, as servers have it.
func BenchmarkBacklog(b *testing.B) {
	const events = 5_000_000
	for b.Loop() {
		b.StopTimer()
		q := openQueue(b)
		q.exec(q, appendEvents+"SELECT 't' || n % 1000, 'products', ARRAY['r' || n], ARRAY[1] FROM generate_series(1, $1) n", events)
		b.StartTimer()
		total, rounds, failed := int64(0), 0, 0
		for total < events {
			n, _, err := q.sequencer.Round(b.Context())
			rounds++
			if total += n; err != nil {
				if failed++; fault.From(err).Kind != fault.Unavailable || failed > 20 {
					b.Fatalf("%d events were numbered in %d rounds, %d of which failed: %v", total, rounds, failed, err)
				}
			}
		}
		b.ReportMetric(float64(rounds), "rounds")
		b.ReportMetric(events/b.Elapsed().Seconds(), "events/s")
	}
}
