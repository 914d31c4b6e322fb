package read

// The two JSON readers, which must agree on valid JSON.
var (
	Sound    = checkText
	Swiftly  = readFast
	Strictly = readStrict
)
