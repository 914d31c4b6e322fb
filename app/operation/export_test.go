package operation

// What reads the lines of a cart, for the tests from outside of the package.
var (
	ReadCartLine   = readCartLine
	ReadLineUpdate = readLineUpdate
)

// NewInput reads the body of a request of o.
func NewInput(o *Operation, r Request) *Input { return newInput(o, r) }
