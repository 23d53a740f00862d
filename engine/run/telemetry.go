// This file is what accelerators and the inference server said of themselves, as a document.

package run

// GPU summarises the accelerators over a stage, or over the run.
type GPU struct {
	Source  string   `json:"source"`
	Behind  bool     `json:"behind_endpoint"` // false: they are this machine's, and not known to serve the endpoint
	Devices []Device `json:"devices"`
}

// Device is one accelerator.
type Device struct {
	UUID            string   `json:"uuid"`
	Name            string   `json:"name"`
	MemPeakMiB      *float64 `json:"mem_peak_mib"`
	UtilMean        *float64 `json:"util_mean"` // percent, like the means that follow
	SMActiveMean    *float64 `json:"sm_active_mean"`
	OccupancyMean   *float64 `json:"sm_occupancy_mean"`
	TensorMean      *float64 `json:"tensor_active_mean"`
	DRAMMean        *float64 `json:"dram_active_mean"`
	PowerMeanW      *float64 `json:"power_w_mean"`
	EnergyJ         *float64 `json:"energy_j"`
	EnergyEstimated bool     `json:"energy_estimated"` // power integrated over time, for want of a counter
}

// ServerMetrics are what the inference server said of itself.
type ServerMetrics struct {
	Kind          *string  `json:"kind"`    // null: nothing was read
	Servers       int      `json:"servers"` // whose figures they are, of several that share a load all or one; 0: nothing was read
	RunningMean   *float64 `json:"running_mean"`
	RunningMax    *float64 `json:"running_max"`
	WaitingMean   *float64 `json:"waiting_mean"`
	WaitingMax    *float64 `json:"waiting_max"`
	KVUsageMean   *float64 `json:"kv_usage_mean"` // 0…1
	KVUsageMax    *float64 `json:"kv_usage_max"`
	PrefixHitRate *float64 `json:"prefix_hit_rate"` // 0…1
	Preemptions   *float64 `json:"preemptions"`
	// Speculative decoding, as its counters grew: never since the server's start.
	SpecAcceptRate      *float64  `json:"spec_accept_rate"`           // accepted / drafted tokens, 0…1
	SpecAcceptLength    *float64  `json:"spec_accept_length"`         // tokens per step: 1 + accepted / drafts
	SpecDrafts          *float64  `json:"spec_drafts"`                // null also where the server gives averages only
	SpecDraftTokens     *float64  `json:"spec_draft_tokens"`          // likewise
	SpecAcceptedTokens  *float64  `json:"spec_accepted_tokens"`       // likewise
	SpecPositionAccepts []float64 `json:"spec_position_accept_rates"` // share of drafts accepted at each position, 0…1; null: not told

	TTFTP50MS      *float64 `json:"ttft_p50_ms"` // as the server sees it
	TTFTP95MS      *float64 `json:"ttft_p95_ms"`
	QueueTimeP50MS *float64 `json:"queue_time_p50_ms"`
	QueueTimeP95MS *float64 `json:"queue_time_p95_ms"`
	OutputTokPerS  *float64 `json:"output_tok_per_s"` // by its own counter
	Restarted      bool     `json:"restarted"`
}

// Efficiency is what output costs.
type Efficiency struct {
	GPUs           int      `json:"gpus"`
	OutputPerGPU   *float64 `json:"output_tok_per_s_per_gpu"`
	TokensPerJoule *float64 `json:"output_tok_per_joule"`
	OutputPerKW    *float64 `json:"output_tok_per_s_per_kw"`
	Estimated      bool     `json:"energy_estimated"`
	CostPerMillion *float64 `json:"cost_per_million_output_tok"`
}
