package program

import (
	"testing"
)

func TestFailpointFiresOnNthVisit(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"confirm.sent:", "confirm.sent:0", "confirm.sent:soon"} {
		if _, err := failpoint(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	reach, err := failpoint("confirm.sent:3")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		reach("confirm.sent") // the third visit would end this process
	}
	reach("elsewhere")
}
