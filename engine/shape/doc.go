// Package shape decides what a request asks for: how long its prompt and its answer are, what its prompt says, and how
// much of it is shared with the others.
//
// Everything in it follows from a seed and a request's number. It knows no clock, no network and no tokenizer: lengths
// are in tokens, and words stand for tokens at a rate that a Calibration learns from what the server counts.
//
// The files:
//
//	calibration.go       learns how much text makes a token, from what servers count
//	generator.go         the generator: its seed, its streams of random numbers, and what it writes prompts with
//	ids.go               makes prompts of token ids
//	layout.go            how a prompt is divided into what is common, what is its own, and what asks for a long answer
//	length.go            the length distributions: what they are, what they draw, what they average to
//	length_file.go       reads the lengths that a file lists
//	length_lognormal.go  the lognormal lengths, which real prompts and answers resemble most: many short ones and a
//	                     long tail
//	length_step.go       how a knob turns a length: by a factor, or a step at a time
//	length_table.go      the distribution that a file of lengths gives, and the factor over it
//	length_text.go       the lengths as people write them
//	permutation.go       a permutation of the numbers below n that takes no memory
//	script.go            the scripts: what one conversation, or one request, will ask
//	script_data.go       makes scripts of a data set's items
//	script_trace.go      makes scripts of a trace's events
//	shape.go             the shape of the load, and the hash by which runs compare
//	text.go              the kinds of text that synthetic prompts are made of, and how a kind is written out
//	text_chinese.go      the Chinese words that prompts are made of
//	text_code.go         the fragments of code that prompts are made of
//	text_words.go        the English words that prompts are made of
//
// The way through it: A Shape says what is asked for. The Generator draws a Script for each conversation from the seed
// and its number: lengths (length*), layout of the prompt (layout), words (text*) or token ids (ids), or an item of a
// data set or trace (script_*). What the server then counts teaches the Calibration how many words make a token.
package shape
