"""Reads the formats as scripts made for the tools do, and holds their statistics against their lists."""
import json
import math
import sys


def linear(values, p):
    values = sorted(values)
    h = (len(values) - 1) * p
    i = math.floor(h)
    return values[i] + (h - i) * (values[min(i + 1, len(values) - 1)] - values[i])


vllm = json.load(open(sys.argv[1]))
ok = [i for i, e in enumerate(vllm["errors"]) if e == ""]
ttfts = [vllm["ttfts"][i] * 1000 for i in ok]
assert len(ok) == vllm["completed"] and len(vllm["errors"]) == vllm["num_prompts"]
assert abs(linear(ttfts, 0.99) - vllm["p99_ttft_ms"]) < 1e-6
mean = sum(ttfts) / len(ttfts)
assert abs(math.sqrt(sum((t - mean) ** 2 for t in ttfts) / len(ttfts)) - vllm["std_ttft_ms"]) < 1e-6
assert abs(vllm["completed"] / vllm["duration"] - vllm["request_throughput"]) < 1e-9
assert abs(sum(vllm["output_lens"]) / vllm["duration"] - vllm["output_throughput"]) < 1e-9
gaps = [g for i in ok for g in vllm["itls"][i]]
assert abs(linear(gaps, 0.99) * 1000 - vllm["p99_itl_ms"]) < 1e-6
for i in ok:
    assert abs(vllm["ttfts"][i] + sum(vllm["itls"][i]) - vllm["latencies"][i]) < 1e-5

aiperf = json.load(open(sys.argv[2]))
assert aiperf["time_to_first_token"]["unit"] == "ms" and aiperf["request_count"]["avg"] == len(ok)
assert abs(aiperf["inter_token_latency"]["avg"] - vllm["mean_tpot_ms"]) < 1e-6

lines = [json.loads(line) for line in open(sys.argv[3])]
good = [r for r in lines if r["error"] is None]
assert [r["metrics"]["time_to_first_token"]["value"] for r in good] == [round(t, 6) for t in ttfts]
assert all(r["metadata"]["request_end_ns"] > r["metadata"]["request_start_ns"] for r in good)

report = json.load(open(sys.argv[4]))
latency = report["results"]["request_performance"]["aggregate"]["latency"]
print("vllm %.3f aiperf %.3f jsonl %d llm-d %.3f" % (
    vllm["p99_ttft_ms"], aiperf["time_to_first_token"]["p99"], len(good), latency["time_to_first_token"]["p99"]))
