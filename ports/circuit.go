package ports

// CircuitState is the state of a circuit breaker, in the usual terms.
type CircuitState string

// The states of a circuit.
const (
	CircuitClosed   CircuitState = "closed"    // calls are made
	CircuitHalfOpen CircuitState = "half-open" // one trial call is made
	CircuitOpen     CircuitState = "open"      // none is made
)

// Circuit is the state of the circuit breaker of a dependency.
type Circuit struct {
	Name       string // "database", "redis", "mail"; "provider", "tax", "messages"
	Connection string // of the latter: the record id of the connection or message service
	State      CircuitState
	InFlight   int // of the latter: calls in progress
}
