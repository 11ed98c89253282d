import type { Work } from "@incipit/service-contract";
import type { Attributes, Histogram, Meter } from "@opentelemetry/api";
import { operationAttributes } from "./attributes.ts";

/** https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-metrics.md */
const secondsBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokenBuckets = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** `null`: not reported by the vendor; absent: not applicable. */
interface Tokens {
  readonly inputTokens: number | null;
  readonly outputTokens?: number | null;
}

export class Metrics {
  readonly #duration: Histogram;
  readonly #firstChunk: Histogram;
  readonly #tokens: Histogram;

  constructor(meter: Meter) {
    const seconds = { unit: "s", advice: { explicitBucketBoundaries: secondsBuckets } };
    this.#duration = meter.createHistogram("gen_ai.client.operation.duration", {
      ...seconds,
      description: "GenAI operation duration.",
    });
    this.#firstChunk = meter.createHistogram("gen_ai.client.operation.time_to_first_chunk", {
      ...seconds,
      description: "Time to receive the first chunk of a streamed reply.",
    });
    this.#tokens = meter.createHistogram("gen_ai.client.token.usage", {
      unit: "{token}",
      description: "Number of input and output tokens used.",
      advice: { explicitBucketBoundaries: tokenBuckets },
    });
  }

  add(work: Work): void {
    const attributes = operationAttributes(work);
    this.#duration.record((work.endedAtMs - work.startedAtMs) / 1_000, attributes);
    if (work.type === "embeddings") this.#addTokens({ inputTokens: work.inputTokens }, attributes);
    if (work.type !== "model-call") return;
    const { firstEventAtMs, startedAtMs, usage } = work;
    if (firstEventAtMs !== null) this.#firstChunk.record((firstEventAtMs - startedAtMs) / 1_000, attributes);
    if (usage !== null) this.#addTokens(usage, attributes);
  }

  #addTokens({ inputTokens, outputTokens }: Tokens, attributes: Attributes): void {
    for (const [type, count] of [
      ["input", inputTokens],
      ["output", outputTokens],
    ] as const)
      if (typeof count === "number") this.#tokens.record(count, { ...attributes, "gen_ai.token.type": type });
  }
}
