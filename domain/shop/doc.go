// Package shop declares what a shop tells about itself: who is behind it, where it is and by which terms it sells.
// Rules: features/shop/RULES.md.
//
// A profile is a record of its own beside the tenant's, one per tenant (Decision 50): the tenant's record has what the
// server's rules depend on, and goes along with many answers and every credential; a profile has long texts that few read.
package shop
