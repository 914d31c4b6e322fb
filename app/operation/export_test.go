package operation

// Parsers of cart lines, for the tests outside the package.
var (
	ReadCartLine   = readCartLine
	ReadLineUpdate = readLineUpdate
)

// NewInput is the input of a request of o.
func NewInput(o *Operation, r Request) *Input { return newInput(o, r) }
