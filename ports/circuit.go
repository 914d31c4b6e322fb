package ports

// CircuitState is whether calls are made, in the words that breakers have for it.
type CircuitState string

// The states of a circuit.
const (
	CircuitClosed   CircuitState = "closed"    // calls are made
	CircuitHalfOpen CircuitState = "half-open" // one is made, to see how it ends
	CircuitOpen     CircuitState = "open"      // none is made
)

// Circuit is the state of the breaker in front of something that may be away.
type Circuit struct {
	Name       string // "database", "redis", "provider"
	Connection string // of a provider: the record id of its connection
	State      CircuitState
	Busy       int // of a provider: calls under way
}
