package inventory

// Low reports whether more units should be ordered: at most threshold are free, over all levels together whose units are
// counted. Without a threshold, and where nothing is counted, never. What checkouts were promised is not free: it is as
// good as sold, and taking it later changes nothing.
func Low(threshold *int64, levels ...Level) bool {
	free, counted := int64(0), false
	for _, l := range levels {
		if l.Tracked {
			free, counted = free+l.Free(), true
		}
	}
	return threshold != nil && counted && free <= *threshold
}
