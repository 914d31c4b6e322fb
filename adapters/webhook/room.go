package webhook

// The bounds of requests under way.
const (
	roomAtMost = 512
	// filesEach is how many open files a request may cost: two while a name is looked up and dialled, and as much is left
	// for everybody else.
	filesEach = 4
)

// Room is how many requests may be under way at a time, so that they take less than half of the files that this process may
// open.
func Room() int {
	files := openFiles()
	if files == 0 {
		return roomAtMost
	}
	return int(min(roomAtMost, max(files/filesEach, 1)))
}
