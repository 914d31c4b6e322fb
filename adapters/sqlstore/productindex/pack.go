package productindex

import (
	"github.com/RoaringBitmap/roaring/v2"
	"github.com/klauspost/compress/zstd"
)

// Terms are stored compressed: those of a product are its texts once more, in pieces.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
)

// blockBits are the bits of a number that tell it from the others of its block.
const blockBits = 16

func blockOf(number uint32) int64 { return int64(number >> blockBits) }

// readBits adds the numbers of a row to a set. Rows keep the numbers whole, so that sets are put together without changing them.
func readBits(to *roaring.Bitmap, row []byte) error {
	part := roaring.New()
	if err := part.UnmarshalBinary(row); err != nil {
		return err
	}
	to.Or(part)
	return nil
}
