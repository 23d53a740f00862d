// Package chat has the message of a conversation, as data sets hold it and endpoints are sent it.
//
// The files:
//
//	chat.go  the message, and what of messages every server takes
//
// The way through it: A data set or a conversation makes messages; the client puts them into a request's body.
package chat
