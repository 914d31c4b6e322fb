package payment

import "github.com/cartwright-dev/cartwright/domain/collection"

// SessionsUnderWay finds the sessions whose money may still come or go: those that are not ended, that an operator has to decide
// about, and that ended while their provider may still be paid (State.MayBePaid). Rule access-58.
func SessionsUnderWay() collection.Cond {
	return collection.Or{
		collection.FieldIn(Sessions, "status", []Status{
			StatusCreated, StatusPending, StatusProcessing, StatusAuthorized, StatusRequiresAttention,
		}),
		collection.And{
			collection.FieldIn(Sessions, "status", []Status{StatusFailed, StatusCanceled, StatusExpired}),
			Sessions.Where("resolution", collection.Exists, false),
			collection.Or{Sessions.Where("slotHeld", collection.Equals, true), Sessions.Where("released", collection.Equals, true)},
		},
	}
}

// MovementsUnderWay finds the transactions whose money has not arrived: refunds that wait for their provider or bank, and payments
// that are authorized and not captured.
func MovementsUnderWay() collection.Cond {
	return collection.FieldIn(Transactions, "status", []string{"pending", statusAuthorized})
}

// DisputesUnderWay finds the disputes that are not decided.
func DisputesUnderWay() collection.Cond {
	return collection.FieldIn(Disputes, "status", []DisputeStatus{DisputeNeedsResponse, DisputeUnderReview})
}
