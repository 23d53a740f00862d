// Command pictures makes the pictures of the documentation from the real program: it opens the demo on a terminal of its own,
// types, and has the console keep its screen. It takes about five minutes; what the simulator does, it does in real time.
// Run it in the repository's root:
//
//	go run ./docs/pictures
//
// With names, as in "go run ./docs/pictures live duel", it makes what comes of the same runs as these only.
//
// The files:
//
//	cast.go    writes what a terminal shows as an asciicast
//	main.go    opens the program, types, and looks whether the pictures are there
//	script.go  the table of what is typed
package main
