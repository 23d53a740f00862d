// The KV cache: reference-counted blocks, the prefix cache over them, and its eviction order.

package sim

// blockID is a block's place in the pool.
type blockID int32

// none ends a list of blocks.
const none blockID = -1

// block is one piece of the KV cache. A block that nobody holds stays findable by its hash until it is given out anew.
type block struct {
	refs       int32
	hashed     bool // hash is in pool.byHash and leads here
	hash       uint64
	prev, next blockID // neighbours in the free list, while refs is 0
}

// blockPool hands out blocks. The free list runs from the block to be given out next to the one to be kept longest:
// blocks without content first, then cached ones, the least recently used before the others.
type blockPool struct {
	blocks     []block
	byHash     map[uint64]blockID
	head, tail blockID
	free       int
}

func newBlockPool(n int) *blockPool {
	p := &blockPool{blocks: make([]block, n), byHash: make(map[uint64]blockID), head: none, tail: none}
	for i := range p.blocks {
		p.pushBack(blockID(i))
	}
	return p
}

// usage returns the share of the blocks that sequences hold, 0–1. Cached blocks that nobody holds count as free.
func (p *blockPool) usage() float64 {
	return 1 - float64(p.free)/float64(len(p.blocks))
}

// cachedPrefix returns how many of the leading hashes are in the cache, and how many of their blocks are on the free
// list (taking those uses up free blocks too).
func (p *blockPool) cachedPrefix(hashes []uint64) (hits, fromFree int) {
	for _, h := range hashes {
		id, ok := p.byHash[h]
		if !ok {
			break
		}
		hits++
		if p.blocks[id].refs == 0 {
			fromFree++
		}
	}
	return hits, fromFree
}

// share takes one more reference to the block with the hash. The caller has found it by cachedPrefix.
func (p *blockPool) share(hash uint64) blockID {
	id := p.byHash[hash]
	if p.blocks[id].refs == 0 {
		p.unlink(id)
	}
	p.blocks[id].refs++
	return id
}

// take gives out an empty block, forgetting what it cached; false when all are held.
func (p *blockPool) take() (blockID, bool) {
	id := p.head
	if id == none {
		return none, false
	}
	p.unlink(id)
	b := &p.blocks[id]
	if b.hashed {
		delete(p.byHash, b.hash)
		b.hashed = false
	}
	b.refs = 1
	return id, true
}

// remember makes a held block findable by the hash of its content. Where another block has the same content that one
// stays, and this one is simply not shared.
func (p *blockPool) remember(id blockID, hash uint64) {
	b := &p.blocks[id]
	if _, taken := p.byHash[hash]; taken || b.hashed {
		return
	}
	b.hash, b.hashed = hash, true
	p.byHash[hash] = id
}

// release gives up one reference to each of the blocks of a sequence. The last goes first, so that of one prompt the
// front, which others are likelier to share, is evicted last.
func (p *blockPool) release(ids []blockID) {
	for i := len(ids) - 1; i >= 0; i-- {
		b := &p.blocks[ids[i]]
		b.refs--
		switch {
		case b.refs > 0:
		case b.hashed:
			p.pushBack(ids[i])
		default:
			p.pushFront(ids[i])
		}
	}
}

func (p *blockPool) pushBack(id blockID) {
	b := &p.blocks[id]
	b.prev, b.next = p.tail, none
	if p.tail == none {
		p.head = id
	} else {
		p.blocks[p.tail].next = id
	}
	p.tail = id
	p.free++
}

func (p *blockPool) pushFront(id blockID) {
	b := &p.blocks[id]
	b.prev, b.next = none, p.head
	if p.head == none {
		p.tail = id
	} else {
		p.blocks[p.head].prev = id
	}
	p.head = id
	p.free++
}

func (p *blockPool) unlink(id blockID) {
	b := &p.blocks[id]
	if b.prev == none {
		p.head = b.next
	} else {
		p.blocks[b.prev].next = b.next
	}
	if b.next == none {
		p.tail = b.prev
	} else {
		p.blocks[b.next].prev = b.prev
	}
	b.prev, b.next = none, none
	p.free--
}
