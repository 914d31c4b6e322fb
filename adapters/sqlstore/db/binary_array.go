package db

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"
)

// BinaryArray is an array in Postgres' binary form, built value by value: the driver would make a value of
// each, and grow a new buffer for every array.
type BinaryArray struct {
	Element uint32 // OID
	n       uint32
	nulls   bool
	buf     []byte // head, then each value behind its length
}

// vectorHead is the size of what comes before the values: dimensions, whether there are nulls, the element's
// type, how many, from where.
const vectorHead = 20

// maxReusedBuffer is the largest buffer that is reused for the next batch.
const maxReusedBuffer = 4 << 20

// ElementOIDs are the types of arrays that we bind, by name.
var ElementOIDs = map[string]uint32{
	"text": pgtype.TextOID, "bytea": pgtype.ByteaOID, "bigint": pgtype.Int8OID, "boolean": pgtype.BoolOID,
	"timestamptz": pgtype.TimestamptzOID,
}

// Reset empties v.
func (v *BinaryArray) Reset() {
	if cap(v.buf) > maxReusedBuffer {
		v.buf = nil
	}
	v.n, v.nulls, v.buf = 0, false, append(v.buf[:0], make([]byte, vectorHead)...)
}

// Bytes is the finished array.
func (v *BinaryArray) Bytes() []byte {
	for i, word := range [...]uint32{1, 0, v.Element, v.n, 1} {
		binary.BigEndian.PutUint32(v.buf[4*i:], word)
	}
	if v.nulls {
		v.buf[7] = 1
	}
	return v.buf
}

// postgresEpoch is what its times are counted from.
var postgresEpoch = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

// Add appends a value, which has the type that v was made for, or nil.
func (v *BinaryArray) Add(value any) error {
	v.n++
	switch value := value.(type) {
	case nil:
		v.nulls = true
		v.buf = binary.BigEndian.AppendUint32(v.buf, 0xffffffff)
	case string:
		v.buf = append(binary.BigEndian.AppendUint32(v.buf, uint32(len(value))), value...) //nolint:gosec // far below 4 GiB
	case []byte:
		v.buf = append(binary.BigEndian.AppendUint32(v.buf, uint32(len(value))), value...) //nolint:gosec // far below 4 GiB
	case int64:
		v.addInt64(value)
	case time.Time:
		v.addInt64(value.UnixMicro() - postgresEpoch)
	case bool:
		v.buf = append(binary.BigEndian.AppendUint32(v.buf, 1), 0)
		if value {
			v.buf[len(v.buf)-1] = 1
		}
	default:
		return fmt.Errorf("a column cannot hold a %T", value)
	}
	return nil
}

func (v *BinaryArray) addInt64(n int64) {
	v.buf = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(v.buf, 8), uint64(n)) //nolint:gosec // the same bits
}
