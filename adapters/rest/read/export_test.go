package read

// The two JSON readers, which must agree on valid JSON.
var (
	CheckText  = checkText
	ReadFast   = readFast
	ReadStrict = readStrict
)
