// Package dataset reads prompts and conversations from files.
//
// Open goes through a file once and keeps where its items are; the items themselves stay in the file and are read one
// by one when they are wanted. So a data set may be far larger than memory.
//
// The files:
//
//	dataset.go   an item of a data set: the turns of a conversation
//	decode.go    makes items of a file's lines
//	dialogue.go  makes turns of the messages of a chat
//	format.go    the formats: their names, and how a file's content tells which one it is
//	open.go      goes through a file once, to learn where its items are
//	set.go       a data set once it is open
//	table.go     tables: comma-, tab- or semicolon-separated values under a header that names their columns
//
// The way through it: Open detects the format, goes through the file once and keeps the offset of each item; Set.Item
// reads one item from the file, decode makes turns of it (dialogue).
package dataset
