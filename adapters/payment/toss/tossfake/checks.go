package tossfake

import (
	"errors"
	"mime"
	"net/http"
	"regexp"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
)

// published are the members of requests as Toss published them. CHECKS.md says where.
var published = map[string][]requestcheck.Member{
	"confirm": {
		{Name: "paymentKey", Kind: requestcheck.Text, Required: true, Min: 1, Max: 200},
		{Name: "orderId", Kind: requestcheck.Text, Required: true, Min: 6, Max: 64, Pattern: regexp.MustCompile(`^[a-zA-Z0-9\-_.]+$`)},
		{Name: "amount", Kind: requestcheck.Number, Required: true, Min: 1},
	},
	"cancel": {
		{Name: "cancelReason", Kind: requestcheck.Text, Required: true, Min: 1, Max: 200},
		{Name: "cancelAmount", Kind: requestcheck.Number},
		{Name: "taxFreeAmount", Kind: requestcheck.Number},
		{Name: "refundableAmount", Kind: requestcheck.Number}, // deprecated
		{Name: "currency", Kind: requestcheck.Text, OneOf: []string{"USD"}},
		{Name: "refundReceiveAccount", Kind: requestcheck.Object, Members: []requestcheck.Member{
			{Name: "bank", Kind: requestcheck.Text, Required: true, Min: 1},
			{Name: "accountNumber", Kind: requestcheck.Text, Required: true, Max: 20, Pattern: regexp.MustCompile(`^[0-9]+$`)},
			{Name: "holderName", Kind: requestcheck.Text, Required: true, Min: 1, Max: 60},
		}},
	},
}

// refusedForm is the refusal of a POST whose form is not what Toss published; nil when it is.
func refusedForm(r *http.Request, path string, body []byte) *Response {
	operation := path
	if _, isCancel := strings.CutSuffix(path, "/cancel"); isCancel {
		operation = "cancel"
	}
	members, known := published[operation]
	if !known {
		return refusal(http.StatusNotFound, "NOT_FOUND")
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refusal(http.StatusBadRequest, "INVALID_REQUEST")
	}
	problem, wrong := errors.AsType[*requestcheck.Problem](requestcheck.JSON(body, members))
	switch {
	case !wrong:
		return nil
	case problem.Member == "refundReceiveAccount.accountNumber":
		return refusal(http.StatusBadRequest, "INVALID_REFUND_ACCOUNT_NUMBER")
	case strings.HasPrefix(problem.Member, "refundReceiveAccount"):
		return refusal(http.StatusBadRequest, "INVALID_REFUND_ACCOUNT_INFO")
	}
	return refusal(http.StatusBadRequest, "INVALID_REQUEST")
}

func refusal(status int, code string) *Response {
	a := ErrorResponse(status, code)
	return &a
}
