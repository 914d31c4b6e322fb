package read

// The two readers of JSON, which must agree on text that is sound.
var (
	Sound    = sound
	Swiftly  = swiftly
	Strictly = strictly
)
