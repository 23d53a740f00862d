// This file leaves things out until the rest fits: columns, rows, keys, groups of words.

package cell

import "slices"

// Drop leaves out items until those that are left fit: that of the highest rank first, and of several the one that comes
// first. Items of rank 0 stay whether they fit or not. It may reuse the slice.
func Drop[T any](items []T, rank func(*T) int, fits func([]T) bool) []T {
	return Shrink(items, rank, fits, func(*T) bool { return false })
}

// Shrink is Drop where an item can be made less of before it goes: less does so, and reports whether it could.
func Shrink[T any](items []T, rank func(*T) int, fits func([]T) bool, less func(*T) bool) []T {
	for len(items) > 0 && !fits(items) {
		worst := 0
		for i := range items {
			if rank(&items[i]) > rank(&items[worst]) {
				worst = i
			}
		}
		if rank(&items[worst]) <= 0 {
			break
		}
		if !less(&items[worst]) {
			items = slices.Delete(items, worst, worst+1)
		}
	}
	return items
}

// Lead returns as many items as fit together, from the first on.
func Lead[T any](items []T, fits func([]T) bool) []T {
	for len(items) > 0 && !fits(items) {
		items = items[:len(items)-1]
	}
	return items
}

// Fill returns the items that fit into room cells one after the other; one that finds no room is passed over.
func Fill[T any](items []T, room int, width func(*T) int) []T {
	var kept []T
	for i := range items {
		if n := width(&items[i]); n <= room {
			kept, room = append(kept, items[i]), room-n
		}
	}
	return kept
}
