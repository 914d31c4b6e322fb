package productsearch

import (
	"math/big"
	"sort"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// KeysPerUnit is how many steps of a price key a minor unit has: what a discount leaves of a price is not rounded before a market
// converts it.
const KeysPerUnit = 10_000

// maxKey bounds price keys.
const maxKey = int64(1) << 62

// PriceKey is a price in minor units of the shop's currency less a discount in percent, in steps of 1/10,000 minor unit.
func PriceKey(minor int64, discount money.Decimal) int64 {
	left := new(big.Int).Sub(big.NewInt(100*1e8), big.NewInt(discount.E8())) //nolint:mnd // percent, in the steps of a Decimal
	left.Mul(left, big.NewInt(minor)).Mul(left, big.NewInt(KeysPerUnit)).Quo(left, big.NewInt(100*1e8))
	if left.Sign() < 0 || !left.IsInt64() || left.Int64() > maxKey {
		return maxKey
	}
	return left.Int64()
}

// Scale is the price in a market that a price key of the shop stands for, in minor units of the market's currency; it never falls
// when the key rises. ok is false where the market has no price for it, or one that is too large.
type Scale func(key int64) (minor int64, ok bool)

// Range are the smallest key whose price is at least low, and the largest whose price is at most high; from > to: there is none.
func (s Scale) Range(low, high int64) (from, to int64) {
	reaches := func(price int64) int64 { // the smallest key whose price is at least so high
		return int64(sort.Search(int(maxKey), func(key int) bool {
			minor, ok := s(int64(key))
			return !ok || minor >= price
		}))
	}
	return reaches(low), reaches(high+1) - 1
}
