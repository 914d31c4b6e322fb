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
	Name       string // "database", "redis", "mail", "provider"
	Connection string // of a provider: the record id of its connection
	State      CircuitState
	InFlight   int // of a provider: calls in progress
}
