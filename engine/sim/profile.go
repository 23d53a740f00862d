// The profiles: what each simulated model and accelerator is, and where its constants come from.

package sim

import (
	"fmt"
	"strings"
	"time"
)

// Profile describes one model on one accelerator. The zero Profile means small-gpu wherever one is asked for.
//
// A step of the engine lasts
//
//	StepBase + StepPerSeq·b + StepPerKVToken·k + p/PrefillTokensPerSecond
//
// with b the sequences that take part in it, k the tokens that their KV caches hold, and p the prompt tokens that are
// computed in it. Where it drafts, draftCost is added.
type Profile struct {
	Name  string // as given on the command line
	Title string // one line for people
	Model string // the model's id in the API

	MaxNumSeqs       int // most sequences in the batch; the others wait
	MaxBatchedTokens int // most tokens computed in one step (chunked prefill)

	StepBase               time.Duration // reading the weights, launching kernels, the scheduler
	StepPerSeq             time.Duration // matrix work, sampling and detokenizing for one more sequence
	StepPerKVToken         float64       // nanoseconds: reading one token's keys and values
	PrefillTokensPerSecond float64       // prompt tokens computed a second, beside the terms above

	DraftTokens     int     // speculative decoding drafts so many tokens a step for each sequence; 0: it does not
	DraftAcceptance float64 // chance that one is accepted where those before it are, at temperature 0; 0–1
	// GPUs serve whole requests, each with a batch and a cache of its own; 0: one. Where they are Separate there are two: one
	// computes prompts and sends their keys and values to the other, which generates.
	GPUs        int
	Separate    bool
	TransferGBs float64 // gigabytes a second between the two

	KVBlocks      int // blocks of the KV cache
	BlockSize     int // tokens in a block
	ContextLength int // most tokens of a prompt and its answer together (max_model_len)

	GPUName     string
	MemTotalMiB float64
	WeightsMiB  float64 // weights, activations and CUDA graphs: what is taken before the KV cache
	KVTokenKiB  float64 // memory of one token's keys and values
	WeightRead  float64 // share of StepBase in which the memory bus streams weights, 0–1
	PowerIdleW  float64
	PowerMaxW   float64
}

// Profiles returns the profiles there are, the default first.
func Profiles() []Profile {
	return []Profile{smallGPU(), h100With8B(), h100With70B(), twoH100(), twoH100Separate()}
}

// LookupProfile returns the profile called name. The error lists the names there are.
func LookupProfile(name string) (Profile, error) {
	var names []string
	for _, p := range Profiles() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("there is no simulator profile %q; choose one of %s", name, strings.Join(names, ", "))
}

// smallGPU is a 4B model with 8-bit weights on a 12 GB consumer card (400 GB/s, 90 dense FP16 TFLOPS), small enough
// that a person reaches the knee by hand.
//
//   - Base: 4.5 GB of weights at 400 GB/s take 11.3 ms; launches and the scheduler bring it to 13 ms.
//   - Per sequence: 8 GFLOP are 0.1 ms at 90 TFLOPS; sampling and detokenizing double that.
//   - KV: 36 layers · 8 heads · 128 · (K and V) · 2 bytes = 144 KiB a token, 0.37 µs at full bandwidth, 0.45 µs in practice.
//   - Prefill: 8 GFLOP a token at 58 % of the peak are 6500 tokens/s.
//   - KV room: 3.4 GiB, 24,576 tokens. 32 sequences of 640 tokens just fit; longer ones make the KV cache bind first.
func smallGPU() Profile {
	return Profile{
		Name:  "small-gpu",
		Title: "4B model, 8-bit, on a 12 GB consumer GPU",
		Model: "sim-4b",

		MaxNumSeqs:       32,
		MaxBatchedTokens: 2048,

		StepBase:               13 * time.Millisecond,
		StepPerSeq:             200 * time.Microsecond,
		StepPerKVToken:         450,
		PrefillTokensPerSecond: 6500,

		KVBlocks:      1536,
		BlockSize:     16,
		ContextLength: 8192,

		GPUName:     "Simulated 12 GB GPU",
		MemTotalMiB: 12288,
		WeightsMiB:  5800,
		KVTokenKiB:  144,
		WeightRead:  0.80,
		PowerIdleW:  15,
		PowerMaxW:   170,
	}
}

// h100With8B is an 8B model in BF16 on one H100 SXM (3.35 TB/s, 990 dense BF16 TFLOPS).
//
//   - Base: 16 GB of weights at 3.35 TB/s take 4.8 ms, 5.4 ms at 89 % of it; launches bring it to 6.3 ms.
//   - Per sequence: 16 GFLOP are 27 µs at 60 % of the peak; with sampling 30 µs.
//   - KV: 32 layers · 8 heads · 128 · 2 · 2 bytes = 128 KiB a token, 39 ns at full bandwidth, 45 ns in practice.
//   - Prefill: 16 GFLOP a token at 450 TFLOPS are 28,000 tokens/s.
//   - KV room: 90 % of 80 GB less weights and activations: 48 GiB, 393,216 tokens.
func h100With8B() Profile {
	return Profile{
		Name:  "h100-8b",
		Title: "8B model, BF16, on one H100 80 GB",
		Model: "sim-8b",

		MaxNumSeqs:       256,
		MaxBatchedTokens: 8192,

		StepBase:               6300 * time.Microsecond,
		StepPerSeq:             30 * time.Microsecond,
		StepPerKVToken:         45,
		PrefillTokensPerSecond: 28_000,

		KVBlocks:      24_576,
		BlockSize:     16,
		ContextLength: 131_072,

		GPUName:     "Simulated H100 80 GB",
		MemTotalMiB: 81_559,
		WeightsMiB:  18_900,
		KVTokenKiB:  128,
		WeightRead:  0.76,
		PowerIdleW:  75,
		PowerMaxW:   700,
	}
}

// h100With70B is a 70B model in FP8 on one H100 NVL (94 GB, 3.9 TB/s, 1670 dense FP8 TFLOPS).
//
//   - Base: 70.6 GB of weights at 3.9 TB/s take 18 ms, 22.6 ms at 80 % of it; launches bring it to 26 ms.
//   - Per sequence: 141 GFLOP at half the peak, 0.17 ms, partly hidden behind the weights: 0.14 ms.
//   - KV in FP8: 80 layers · 8 heads · 128 · 2 · 1 byte = 160 KiB a token, 53 ns at 3.1 TB/s.
//   - Prefill: 141 GFLOP a token at 700 TFLOPS are 5000 tokens/s.
//   - KV room: 11.7 GiB, 76,800 tokens: 600 for each of 128 sequences, so here the KV cache binds before the cap.
func h100With70B() Profile {
	return Profile{
		Name:  "h100-70b",
		Title: "70B model, FP8, on one H100 NVL 94 GB",
		Model: "sim-70b",

		MaxNumSeqs:       128,
		MaxBatchedTokens: 8192,

		StepBase:               26 * time.Millisecond,
		StepPerSeq:             140 * time.Microsecond,
		StepPerKVToken:         53,
		PrefillTokensPerSecond: 5000,

		KVBlocks:      4800,
		BlockSize:     16,
		ContextLength: 32_768,

		GPUName:     "Simulated H100 NVL 94 GB",
		MemTotalMiB: 95_830,
		WeightsMiB:  71_500,
		KVTokenKiB:  160,
		WeightRead:  0.70,
		PowerIdleW:  65,
		PowerMaxW:   400,
	}
}

// twoH100 is two replicas of h100-8b behind one address, each of which computes prompts and generates in the same steps.
func twoH100() Profile {
	p := h100With8B()
	p.Name, p.Title, p.GPUs = "h100-8b-2", "8B model, BF16, on two H100 80 GB, each for whole requests", 2
	return p
}

// twoH100Separate is the same two GPUs with prefill and decode separated: no step that generates waits for a prompt, and each
// prompt waits for one GPU alone, and for its keys and values to be sent: 50 GB/s is a 400 Gbit/s network.
func twoH100Separate() Profile {
	p := h100With8B()
	p.Name, p.Title, p.Separate = "h100-8b-pd", "8B model, BF16, on two H100 80 GB: one for prefill, one for decode", true
	p.TransferGBs = 50
	return p
}

// gpus is how many there are.
func (p Profile) gpus() int {
	if p.Separate {
		return 2
	}
	return max(p.GPUs, 1)
}

// check says what makes the profile impossible to run, or nil. The rules are those that vLLM applies at its start.
func (p Profile) check() error {
	switch {
	case p.Model == "":
		return fmt.Errorf("the simulator profile %q names no model", p.Name)
	case p.MaxNumSeqs < 1 || p.BlockSize < 1 || p.ContextLength < 2:
		return fmt.Errorf("the simulator profile %q needs MaxNumSeqs and BlockSize of at least 1 and a ContextLength of at least 2", p.Name)
	case p.MaxBatchedTokens < p.MaxNumSeqs:
		return fmt.Errorf("the simulator profile %q has MaxBatchedTokens %d below MaxNumSeqs %d: a full batch could not step", p.Name, p.MaxBatchedTokens, p.MaxNumSeqs)
	case p.KVBlocks*p.BlockSize < p.ContextLength:
		return fmt.Errorf("the simulator profile %q has room for %d KV tokens, fewer than its context of %d: one long request could never finish", p.Name, p.KVBlocks*p.BlockSize, p.ContextLength)
	case p.DraftTokens < 0 || p.DraftTokens > longestDraft || !(p.DraftAcceptance >= 0 && p.DraftAcceptance <= 1):
		return fmt.Errorf("the simulator can draft 0 to %d tokens a step, of which a share of 0 to 100 %% is accepted", longestDraft)
	case p.MaxBatchedTokens < p.MaxNumSeqs*(1+p.DraftTokens):
		return fmt.Errorf("the simulator profile %q has no room for %d drafted tokens of %d sequences in a step of %d tokens; draft fewer", p.Name, p.DraftTokens, p.MaxNumSeqs, p.MaxBatchedTokens)
	case p.Separate && !(p.TransferGBs > 0):
		return fmt.Errorf("the simulator profile %q separates prefill from decode and needs a positive TransferGBs", p.Name)
	case p.StepBase <= 0 || p.StepPerSeq < 0 || !(p.StepPerKVToken >= 0) || !(p.PrefillTokensPerSecond > 0):
		return fmt.Errorf("the simulator profile %q needs a positive StepBase and PrefillTokensPerSecond, and no negative cost", p.Name)
	}
	return nil
}

// faster returns the profile of a server that does everything f times as fast.
func (p Profile) faster(f float64) Profile {
	p.StepBase = max(time.Duration(float64(p.StepBase)/f), 1)
	p.StepPerSeq = time.Duration(float64(p.StepPerSeq) / f)
	p.StepPerKVToken /= f
	p.PrefillTokensPerSecond *= f
	p.TransferGBs *= f
	return p
}
