package inventory

// IsLow reports whether more units should be ordered: at most threshold are available, over all tracked
// levels together. It is false without a threshold and when no level is tracked. Reserved units are not
// available: they are as good as sold, and selling them later changes nothing.
func IsLow(threshold *int64, levels ...Level) bool {
	free, counted := int64(0), false
	for _, l := range levels {
		if l.Tracked {
			free, counted = free+l.Available(), true
		}
	}
	return threshold != nil && counted && free <= *threshold
}
