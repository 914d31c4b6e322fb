package portonefake

const (
	statusAwaitingDeposit = "VIRTUAL_ACCOUNT_ISSUED"
	inConsole             = "in the console" // the reason of cancellations that are not made by the API
)

// RefundedTo are the accounts of the cancellations of a payment, null where there was none.
func (f *PortOne) RefundedTo(id string) []any {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.payments[id].refundedTo
}
