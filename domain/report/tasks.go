package report

// MaxTasks is how far tasks are counted.
const MaxTasks = 1000

// Tasks are how many things wait for the shop, each counted up to a limit.
type Tasks struct {
	ToPack            int // paid and authorized orders that nobody prepares yet and that are not on hold
	ToShip            int // orders in preparation that are not on hold
	WaitingForDeposit int // payments whose buyers know where to pay
	Attention         int // payments that require attention
	LowStock          int // products and variants of which no more units are free than their threshold
	ReturnsOpen       int // return requests that still need action
}
