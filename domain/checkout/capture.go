package checkout

// CaptureMode says when the money of an approved payment is collected. Rule payments-63.
type CaptureMode string

// The modes.
const (
	CaptureAtOnce     CaptureMode = "automatic"   // by the approval itself
	CaptureOnShipping CaptureMode = "on_shipping" // once everything of the order was shipped or completed
	CaptureByHand     CaptureMode = "manual"      // when an operator says so
)

// CaptureModes lists the modes.
var CaptureModes = []string{string(CaptureAtOnce), string(CaptureOnShipping), string(CaptureByHand)}

// Later reports whether the money is not collected at once. "" is at once.
func (m CaptureMode) Later() bool { return m == CaptureOnShipping || m == CaptureByHand }
