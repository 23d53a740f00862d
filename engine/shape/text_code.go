// This file is the fragments of code that prompts are made of.

package shape

// codeFragments is 256 pieces of code in no one language, so that a byte chooses one. Each ends with a space or a new
// line and has none inside: a text of them parts in one way only. In a random row of them a fragment is about 1.5 tokens
// in the tokenizers of GPT-4 (cl100k) and GPT-4o (o200k). It is never written to; to change it is to change every prompt
// of code, and with them Shape.Hash.
var codeFragments = [256]string{
	"{\n", "}\n", ");\n", "};\n", "})\n", ")\n", "]\n", "),\n", "},\n", "}:\n",
	"x;\n", "y;\n", "i++;\n", "n--;\n", "i++\n", "j++\n", "0;\n", "1;\n", "nil;\n", "true;\n",
	"nil)\n", "err;\n", "ok;\n", "0,\n", "1,\n", "end;\n", "];\n", "a;\n", "b;\n", "s;\n",
	"[]\n", "x]\n", "()\n", "();\n", "{}\n", "v;\n", "pass;\n", "id,\n", "else:\n", "try:\n",
	"do;\n", "f();\n", "g();\n", "run()\n", "...;\n", "in:\n", "self):\n", "x):\n", "i):\n", "n):\n",
	"or:\n", "if ", "else ", "for ", "func ", "return ", "var ", "const ", "let ", "new ",
	"try ", "catch ", "break ", "switch ", "case ", "type ", "struct ", "int ", "bool ", "string ",
	"float ", "void ", "nil ", "null ", "true ", "false ", "range ", "in ", "is ", "not ",
	"and ", "or ", "with ", "yield ", "async ", "await ", "go ", "defer ", "map ", "enum ",
	"static ", "public ", "this ", "self ", "super ", "import ", "assert ", "print ", "match ", "where ",
	"def ", "class ", "from ", "while ", "pass ", "del ", "i ", "j ", "x ", "y ",
	"err ", "ctx ", "buf ", "key ", "val ", "node ", "list ", "item ", "size ", "index ",
	"count ", "data ", "file ", "line ", "path ", "name ", "user ", "token ", "queue ", "stack ",
	"cache ", "table ", "total ", "start ", "end ", "left ", "right ", "head ", "tail ", "next ",
	"prev ", "root ", "leaf ", "input ", "output ", "args ", "opts ", "conf ", "log ", "sum ",
	"max ", "min ", "avg ", "len( ", "cap( ", "int( ", "str( ", "abs( ", "max(a, ", "min(b, ",
	"f(x), ", "g(y), ", "add(x, ", "get(k, ", "put(v, ", "pop(), ", "push(x ", "read() ", "open(f ", "sort( ",
	"map[k] ", "a[i] ", "x[0] ", "p.x ", "p.y ", "x.y ", "a.b ", "s.len ", "(x ", "(y ",
	"(i ", "(n ", "(err ", "(key ", "(a, ", "(b, ", "(s, ", "x, ", "y, ", "i, ",
	"nil, ", "key, ", "ok ", "ok, ", "val, ", "buf, ", "msg: ", "x) ", "y) ", "i) ",
	"err) ", "key) ", "a) ", "b) ", "0) ", "1) ", "[i] ", "[0] ", "[]int ", "[]byte ",
	"= ", "== ", "!= ", "<= ", ">= ", "+= ", "-= ", "*= ", ":= ", "=> ",
	"-> ", "&& ", "|| ", "+ ", "- ", "* ", "/ ", "% ", "> ", "<< ",
	">> ", "& ", "| ", "! ", "? ", ": ", "... ", "// ", "# ", "0 ",
	"1 ", "2 ", "3 ", "4 ", "8 ", "10 ", "16 ", "32 ", "64 ", "100 ",
	"255 ", "256 ", "1024 ", "0x0f ", "0.5 ", "3.14 ",
}

// codeInstruction asks for more of it, in a comment; each of its words counts as a fragment.
const codeInstruction = "// Write a very long program from this"
