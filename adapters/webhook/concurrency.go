package webhook

// The bounds of requests under way.
const (
	maxConcurrent = 512
	// filesPerRequest is how many open files a request may cost: two while a name is looked up and dialled, and as much is left
	// for everybody else.
	filesPerRequest = 4
)

// MaxConcurrentRequests is how many requests may be under way at a time, so that they take less than half of the files that this process may
// open.
func MaxConcurrentRequests() int {
	files := openFileLimit()
	if files == 0 {
		return maxConcurrent
	}
	return int(min(maxConcurrent, max(files/filesPerRequest, 1)))
}
