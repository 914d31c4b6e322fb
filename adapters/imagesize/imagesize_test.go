package imagesize_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/imagesize"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestSizer(t *testing.T) { portstest.ImageSizer(t, imagesize.Sizer{}) }
