package report

// MaxTasks is how far tasks are counted.
const MaxTasks = 1000

// Task is a kind of what waits for the shop, by the name under which it is counted.
type Task string

// The tasks.
const (
	ToPack            Task = "toPack"            // paid and authorized orders that nobody prepares yet and that are not on hold
	ToShip            Task = "toShip"            // orders in preparation that are not on hold
	WaitingForDeposit Task = "waitingForDeposit" // payments whose buyers know where to pay
	Attention         Task = "attention"         // payments that require attention
	LowStock          Task = "lowStock"          // products and variants of which no more units are free than their threshold
	ReturnsOpen       Task = "returnsOpen"       // return requests that still need action
)
