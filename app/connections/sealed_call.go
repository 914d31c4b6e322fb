package connections

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// confidentialCall is what is sealed of a call whose bytes nobody may read in the log.
type confidentialCall struct {
	Request []byte   `json:"request"`
	Hidden  []string `json:"hidden"` // texts of the request that no error may repeat
}

// confidentialTexts are the texts of a request that only its provider may read; without any, it is logged as it is.
func confidentialTexts(r ports.ProviderRequest) []string {
	refund, ok := r.(ports.RefundRequest)
	if !ok || refund.Account == nil {
		return nil
	}
	return []string{refund.Account.Account, refund.Account.Holder}
}

func callLabel(session, name string) string { return "provider-calls/" + session + "/" + name }

// loggedRequest is a request as the log keeps it: sealed if it has confidential texts.
func (l CallLog) loggedRequest(s payment.Session, name string, r ports.ProviderRequest, request []byte) ([]byte, error) {
	hidden := confidentialTexts(r)
	if len(hidden) == 0 {
		return request, nil
	}
	plain, err := json.Marshal(confidentialCall{request, hidden})
	if err != nil {
		return nil, err
	}
	sealed, err := l.Vault.Seal(callLabel(s.ID, name), plain)
	return []byte(ports.SealedRequest + sealed), err
}

// openRequest is a logged call with the bytes to send.
func (l CallLog) openRequest(logged ports.ProviderCall, operation string) (Call, error) {
	c := Call{ProviderCall: logged, operation: operation}
	sealed, isSealed := bytes.CutPrefix(logged.Request, []byte(ports.SealedRequest))
	if !isSealed {
		return c, nil
	}
	plain, err := l.Vault.Open(callLabel(logged.Session, logged.Operation), string(sealed))
	var opened confidentialCall
	if err == nil {
		err = json.Unmarshal(plain, &opened)
	}
	if err != nil {
		return c, fmt.Errorf("open the logged call %s of session %s: %w", logged.Operation, logged.Session, err)
	}
	c.Request, c.hidden = opened.Request, opened.Hidden
	return c, nil
}

// Confidential reports whether the bytes of c are sealed in the log; they are erased (ports.ProviderCalls.Forget) once they
// are not needed any more.
func (c Call) Confidential() bool { return len(c.hidden) > 0 }
