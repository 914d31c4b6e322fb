package access

import (
	"sync"
	"testing"
)

func TestPendingWorkMayBeWaitedForWhileOthersBegin(t *testing.T) {
	t.Parallel()
	var pending pendingWork
	pending.wait() // none was ever requested
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 1000 {
				ended := false
				if !pending.begin() {
					t.Error("refused below the limit")
					return
				}
				go func() {
					ended = true
					pending.end()
				}()
				if pending.wait(); !ended {
					t.Error("a wait returned before what had begun before it")
				}
			}
		})
	}
	callers.Wait()
}

func TestPendingTokensAreLimited(t *testing.T) {
	t.Parallel()
	var pending pendingWork
	for range maxPending {
		if !pending.begin() {
			t.Fatal("refused below the limit")
		}
	}
	if pending.begin() {
		t.Error("accepted above the limit")
	}
	pending.end()
	if !pending.begin() {
		t.Error("refused although one has ended")
	}
}
