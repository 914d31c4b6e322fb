package portonefake

import "net/http"

// refusedCancel is why a cancel of this amount is refused, with the balance that it expects; its status is 0 when it is not.
// Facts portone-2, portone-15, portone-24, portone-30.
func (f *PortOne) refusedCancel(p *payment, in map[string]any, amount, left int64, parts taxParts) errorResponse {
	switch reason, _ := in["reason"].(string); {
	case reason == "":
		return newError(http.StatusBadRequest, "INVALID_REQUEST")
	case p.status == "CANCELLED":
		return newError(http.StatusConflict, "PAYMENT_ALREADY_CANCELLED")
	case p.status != "PAID" && p.status != "PARTIAL_CANCELLED":
		return newError(http.StatusConflict, "PAYMENT_NOT_PAID")
	case amount <= 0:
		return newError(http.StatusBadRequest, "INVALID_REQUEST")
	case left != p.Amount-p.cancelled: // the expected balance
		return newError(http.StatusConflict, "CANCELLABLE_AMOUNT_CONSISTENCY_BROKEN")
	case amount > p.Amount-p.cancelled:
		return newError(http.StatusConflict, "CANCEL_AMOUNT_EXCEEDS_CANCELLABLE_AMOUNT")
	case p.refusedParts(amount, parts) != "":
		return newError(http.StatusConflict, p.refusedParts(amount, parts))
	case p.byAccount && in["refundAccount"] == nil && in["reason"] != inConsole: // Fact portone-24
		broken := newError(http.StatusBadGateway, "PG_PROVIDER")
		broken.PgCode, broken.PgText = "REFUND_ACCOUNT_REQUIRED", "message of the gateway"
		return broken
	case f.NextBankError != "": // Fact portone-2: the bank's failure is a 502
		broken := newError(http.StatusBadGateway, "PG_PROVIDER")
		broken.PgCode, broken.PgText, f.NextBankError = f.NextBankError, "message of the bank", ""
		return broken
	}
	return errorResponse{}
}
