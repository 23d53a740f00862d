// This file puts payloads into blocks, and takes them out again.

package runfile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Magic begins every file.
const Magic = "TOKDYNO\x01"

type blockType uint8

const (
	blockHeader blockType = iota + 1
	blockBegun
	blockFine
	blockChunks
	blockEnded
	blockGaps
	blockTick
	blockEvent
	blockEnd
	blockTail
	blockTexts
)

const (
	compressed   = 0x80     // of a block's type
	compressOver = 256      // bytes of payload
	maxBlock     = 64 << 20 // of a payload, compressed or not: more is not from here, and would be a way to exhaust memory
	tailLength   = 1 + 1 + 8 + 4
)

func checksum(parts ...[]byte) (sum uint32) {
	table := crc32.MakeTable(crc32.Castagnoli)
	for _, p := range parts {
		sum = crc32.Update(sum, table, p)
	}
	return sum
}

// blockWriter makes blocks. It must not be used by two goroutines at once.
type blockWriter struct {
	zstd    *zstd.Encoder
	scratch []byte
}

func newBlockWriter() (*blockWriter, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	return &blockWriter{zstd: z}, err
}

// add appends a block to a buffer.
func (w *blockWriter) add(to []byte, kind blockType, payload []byte) []byte {
	mark := byte(kind)
	if len(payload) > compressOver {
		if w.scratch = w.zstd.EncodeAll(payload, w.scratch[:0]); len(w.scratch) < len(payload) {
			payload, mark = w.scratch, mark|compressed
		}
	}
	from := len(to)
	to = binary.AppendUvarint(append(to, mark), uint64(len(payload)))
	to = append(to, payload...)
	return binary.LittleEndian.AppendUint32(to, checksum(to[from:]))
}

// blockReader takes blocks one after the other until one does not check.
type blockReader struct {
	in   *bufio.Reader
	zstd *zstd.Decoder
	at   int64 // where the next block begins

	read, plain []byte // the latest payload, as it stands and decompressed
}

func newBlockReader(in io.Reader) (*blockReader, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBlock))
	if err != nil {
		return nil, err
	}
	return &blockReader{in: bufio.NewReaderSize(in, 1<<16), zstd: z}, nil
}

func (r *blockReader) close() { r.zstd.Close() }

// errCut says that a file ends within a block.
var errCut = errors.New("the file ends in the middle")

// next returns a block; the payload is valid until the next one. io.EOF is the end of the file, between two blocks.
func (r *blockReader) next() (blockType, []byte, error) {
	return r.nextOf(func(blockType) bool { return true })
}

// nextOf is next, of which only the payloads of some types are decompressed.
func (r *blockReader) nextOf(wanted func(blockType) bool) (blockType, []byte, error) {
	mark, err := r.in.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	head := []byte{mark}
	for len(head) <= binary.MaxVarintLen64 {
		b, err := r.in.ReadByte()
		if err != nil {
			return 0, nil, cut(err)
		}
		if head = append(head, b); b < 0x80 {
			break
		}
	}
	length, n := binary.Uvarint(head[1:])
	if n <= 0 || length > maxBlock {
		return 0, nil, errors.New("a length can't be true")
	}
	if r.read, err = readAll(r.in, r.read[:0], int(length)); err != nil {
		return 0, nil, cut(err)
	}
	payload := r.read
	var sum [4]byte
	if _, err := io.ReadFull(r.in, sum[:]); err != nil {
		return 0, nil, cut(err)
	}
	if binary.LittleEndian.Uint32(sum[:]) != checksum(head, payload) {
		return 0, nil, errors.New("a checksum is wrong")
	}
	r.at += int64(len(head) + len(payload) + len(sum))
	kind := blockType(mark &^ compressed)
	if mark&compressed != 0 && wanted(kind) {
		if r.plain, err = r.zstd.DecodeAll(payload, r.plain[:0]); err != nil {
			return 0, nil, fmt.Errorf("a block can't be decompressed: %w", err)
		}
		payload = r.plain
	}
	return kind, payload, nil
}

// readAll appends so many bytes, and does not believe in them before they are there: a length that is wrong costs no more
// memory than the file is long.
func readAll(in io.Reader, to []byte, n int) ([]byte, error) {
	const step = 1 << 20
	for left := n; left > 0; {
		from, more := len(to), min(step, left)
		to = slices.Grow(to, more)[:from+more]
		if _, err := io.ReadFull(in, to[from:]); err != nil {
			return to[:from], err
		}
		left -= more
	}
	return to, nil
}

func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}
