// This file is what a snapshot says of the file that a run is kept in.

package snapshot

// Kept is the file that a run is kept in. The zero Kept is none.
type Kept struct {
	Path    string // "": it is not kept, or not yet
	Problem string // why it is kept no longer, in a sentence; "" while it is
}
