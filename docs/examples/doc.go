// Command examples makes the examples of the README from the real program, on the simulated server, or checks that what it
// prints still looks as the README has it, and that the answer lies where the README says. Run it in the repository's root:
//
//	go run ./docs/examples          writes them anew
//	go run ./docs/examples -check   compares
//
// The files:
//
//	main.go  runs each command that the README shows with its output
package main
