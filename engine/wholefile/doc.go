// Package wholefile writes files in one piece, so that nobody finds half of one, and what was there stays where that fails.
//
// The files:
//
//	file.go  writes a file in one piece
package wholefile
