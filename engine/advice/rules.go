// This file is the table of rules.

package advice

// rule is one thing that numbers can mean.
type rule struct {
	name string
	says string
	when func(moment) (evidence string, holds bool)
}

const ruleCount = 18

// rules returns the rules, the most important first: what makes the figures wrong, then what holds the machine back,
// then what binds, then what the curve says, then where there is room.
func rules() [ruleCount]rule {
	return [ruleCount]rule{
		{
			"client-limit",
			"The client is the limit: the server waits for requests. Use a faster machine or several, and don't trust these figures.",
			clientLimit,
		},
		{
			"cache-measured",
			"The prefix cache is being measured, though no common prefix was asked for: use another seed, or turn the server's prefix caching off.",
			cacheMeasured,
		},
		{
			"hardware-slowdown",
			"The hardware slows itself down (power brake or board protection): look at the power supply and the board before measuring.",
			hardwareSlowdown,
		},
		{
			"thermal-limit",
			"The GPU is held back by its temperature: cool it better, or measure for longer so that the figures are those of a warm machine.",
			thermalLimit,
		},
		{
			"power-limit",
			"The GPU is power-limited: its clock is held down by the power cap. Raise the cap if it may be raised.",
			powerLimit,
		},
		{
			"kv-limit",
			"The KV cache is the limit: use fewer sequences, shorter contexts, or more memory for the cache.",
			kvLimit,
		},
		{
			"scheduler-limit",
			"The scheduler's cap is the limit, not the memory for the cache: raise the server's max-num-seqs (parallel slots), or send less.",
			schedulerLimit,
		},
		{
			"compute-limit",
			"The GPU is the limit (compute): more load only adds queue.",
			computeLimit,
		},
		{
			"bandwidth-limit",
			"The GPU is the limit (memory bandwidth): more load only adds queue.",
			bandwidthLimit,
		},
		{
			"acceptance-fell",
			"Fewer of the drafted tokens are accepted than before, so a step gives fewer: draft fewer tokens, or look at what made answers harder to foresee (temperature, prompts, batch).",
			acceptanceFell,
		},
		{
			"output-flat",
			"Output no longer grows with the load: more load only adds queue. Go back to where it was reached.",
			outputFlat,
		},
		{
			"output-falls",
			"Output falls as the load rises: the server is overloaded. Go back to the level of the highest output.",
			outputFalls,
		},
		{
			"launch-bound",
			"The GPU is busy but not working: the batch is small and kernel launches bind. Raise the concurrency.",
			launchBound,
		},
		{
			"prefill-or-queue",
			"TTFT rose and TPOT did not: requests queue or wait for prefill, decoding is not the cause. Look at the queue, shorten prompts, or give prefill more room.",
			prefillOrQueue,
		},
		{
			"decode-slower",
			"TPOT rose and TTFT did not: the batch grew and each step takes longer. That is the price of concurrency.",
			decodeSlower,
		},
		{
			"stream-price-rises",
			"Each added stream costs more time per token than those before: the batch nears what the machine can carry. Raise the load in smaller steps.",
			streamPriceRises,
		},
		{
			"under-driven",
			"There is room: nothing waits and the GPU is hardly at work. Raise the load.",
			underDriven,
		},
		{
			"output-grows",
			"There is room: output still grows almost as fast as the load. Raise the load.",
			outputGrows,
		},
	}
}
