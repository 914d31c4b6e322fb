package webhook

// Bounds of concurrent requests.
const (
	maxConcurrent = 512
	// filesPerRequest is the share of open files per request: two while a name is looked up and dialed, and
	// as many for the rest of the process.
	filesPerRequest = 4
)

// MaxConcurrentRequests is how many requests may run at a time, so that they take at most half of the files
// that this process may open.
func MaxConcurrentRequests() int {
	files := openFileLimit()
	if files == 0 {
		return maxConcurrent
	}
	return int(min(maxConcurrent, max(files/filesPerRequest, 1)))
}
