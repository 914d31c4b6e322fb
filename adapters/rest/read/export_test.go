package read

// The two readers of JSON, which must agree on text that is sound.
var (
	Sound    = checkText
	Swiftly  = readFast
	Strictly = readStrict
)
