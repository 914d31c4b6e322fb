// Package deliveries is the queue of webhook deliveries: which are due, who is at them, how they ended.
package deliveries
