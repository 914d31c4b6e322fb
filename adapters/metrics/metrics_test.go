package metrics_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/metrics"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCircuitMetrics(t *testing.T) {
	t.Parallel()
	circuits := []ports.Circuit{
		{Name: "database", State: ports.CircuitClosed}, {Name: "redis", State: ports.CircuitHalfOpen},
		{Name: "provider", Connection: "c1", State: ports.CircuitOpen, InFlight: 7},
	}
	exporter := metrics.New(func() []ports.Circuit { return circuits })
	read := func() string {
		contentType, body, err := exporter.Expose("")
		if err != nil || !strings.HasPrefix(contentType, "text/plain; version=0.0.4") {
			t.Fatalf("%s %v", contentType, err)
		}
		return string(body)
	}
	first := read()
	for _, line := range []string{
		`cartwright_circuit_state{circuit="database",connection=""} 0`, `cartwright_circuit_state{circuit="redis",connection=""} 1`,
		`cartwright_circuit_state{circuit="provider",connection="c1"} 2`, `cartwright_provider_calls_active{connection="c1"} 7`,
		"go_goroutines ",
	} {
		if !strings.Contains(first, line) {
			t.Errorf("no line %s", line)
		}
	}
	circuits = circuits[:2]
	if strings.Contains(read(), "c1") {
		t.Error("a deleted connection is still exported")
	}
}
