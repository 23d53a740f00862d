// This file is the English words that prompts are made of.

package shape

// englishWords is 256 plain English words, so that a byte chooses one. Each, with the space before it, is one token in the
// tokenizers of GPT-4 (cl100k), GPT-4o (o200k), Llama 2 and Llama 3, so that a prompt of n words is n tokens, or nearly,
// before anything has been learned about a server. It is never written to; to change it is to change every prompt, and
// with them Shape.Hash.
var englishWords = [256]string{
	"add", "age", "air", "apple", "area", "ask", "back", "bag", "bank", "beach",
	"bean", "bear", "bed", "bell", "bird", "blue", "boat", "body", "book", "box",
	"bread", "break", "bring", "brown", "build", "car", "care", "carry", "case", "catch",
	"cave", "chair", "chef", "child", "city", "clean", "clear", "clock", "close", "cloth",
	"cloud", "coal", "coast", "cold", "color", "cook", "cool", "corn", "count", "cow",
	"cup", "dance", "dark", "dawn", "day", "deep", "door", "dream", "drive", "drum",
	"dry", "east", "end", "eye", "face", "fact", "fall", "farm", "fast", "field",
	"film", "find", "fire", "fish", "flat", "floor", "food", "force", "fork", "fresh",
	"fruit", "game", "give", "glass", "gold", "grass", "gray", "green", "group", "grow",
	"guard", "hand", "hard", "head", "hear", "heavy", "help", "high", "hill", "hold",
	"home", "hope", "horse", "hot", "hour", "house", "idea", "image", "iron", "job",
	"judge", "jump", "keep", "key", "kind", "know", "lake", "lamp", "land", "leaf",
	"learn", "level", "life", "light", "line", "lock", "long", "look", "loud", "love",
	"low", "man", "map", "meat", "milk", "money", "month", "moon", "motor", "mouse",
	"move", "music", "name", "new", "night", "noise", "north", "oil", "old", "open",
	"pan", "paper", "park", "part", "path", "phone", "photo", "piano", "pilot", "place",
	"plain", "plant", "plate", "play", "point", "pot", "power", "pull", "push", "quiet",
	"radio", "rain", "read", "red", "rest", "rice", "ride", "right", "rise", "river",
	"road", "rock", "roof", "room", "root", "round", "run", "salt", "sand", "save",
	"sea", "see", "seed", "send", "sharp", "sheep", "ship", "shop", "short", "side",
	"sky", "sleep", "slow", "snow", "soft", "song", "sound", "south", "speak", "star",
	"start", "steam", "stone", "stop", "store", "storm", "story", "study", "sugar", "sun",
	"table", "take", "talk", "tall", "teach", "team", "think", "throw", "time", "tower",
	"trail", "train", "tree", "trust", "turn", "voice", "walk", "wall", "warm", "watch",
	"water", "way", "week", "west", "wet", "wheel", "wide", "wind", "wire", "wish",
	"wood", "word", "work", "write", "year", "young",
}

// englishInstruction ends a prompt, so that a server that can't be told to ignore the end of text has a reason to go on.
// It is words like the others, without punctuation, because that would cost tokens that are no words.
const englishInstruction = "Write a very long story about this"
