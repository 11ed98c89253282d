import { encodeGguf, type MetadataValue, type Tensor } from "./gguf.ts";

const embedding = 32;
const heads = 2;
const blocks = 2;
const feedForward = 64;
const contextLength = 65_536;

/** As numbered by llama.cpp. */
const tokenType = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;

interface Token {
  readonly text: string;
  readonly type: number;
}

/** One token per byte, and one for the space, which the tokenizer writes as U+2581. No merges. */
const vocabulary: readonly Token[] = [
  { text: "<unk>", type: tokenType.unknown },
  { text: "<s>", type: tokenType.control },
  { text: "</s>", type: tokenType.control },
  ...Array.from({ length: 256 }, (_, byte) => ({
    text: `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
    type: tokenType.byte,
  })),
  { text: "\u2581", type: tokenType.normal },
];

/** Random weights make output meaningless; evaluation and cache are real. */
export function randomModel(seed: number): Uint8Array {
  const random = randomNumbers(seed);
  const weights = (name: string, ...shape: readonly number[]): Tensor => {
    const length = shape.reduce((product, size) => product * size, 1);
    return { name, shape, values: Float32Array.from({ length }, () => (random() - 0.5) * 0.4) };
  };
  const norm = (name: string): Tensor => ({
    name,
    shape: [embedding],
    values: new Float32Array(embedding).fill(1),
  });
  const tensors = [
    weights("token_embd.weight", embedding, vocabulary.length),
    norm("output_norm.weight"),
    weights("output.weight", embedding, vocabulary.length),
    ...Array.from({ length: blocks }, (_, index) => `blk.${index}`).flatMap((block) => [
      norm(`${block}.attn_norm.weight`),
      ...["q", "k", "v", "output"].map((part) => weights(`${block}.attn_${part}.weight`, embedding, embedding)),
      norm(`${block}.ffn_norm.weight`),
      weights(`${block}.ffn_gate.weight`, embedding, feedForward),
      weights(`${block}.ffn_up.weight`, embedding, feedForward),
      weights(`${block}.ffn_down.weight`, feedForward, embedding),
    ]),
  ];
  return encodeGguf(metadata, tensors);
}

const metadata: ReadonlyMap<string, MetadataValue> = new Map<string, MetadataValue>([
  ["general.architecture", { type: "string", value: "llama" }],
  ["general.name", { type: "string", value: "random" }],
  ["llama.vocab_size", { type: "uint32", value: vocabulary.length }],
  ["llama.context_length", { type: "uint32", value: contextLength }],
  ["llama.embedding_length", { type: "uint32", value: embedding }],
  ["llama.block_count", { type: "uint32", value: blocks }],
  ["llama.feed_forward_length", { type: "uint32", value: feedForward }],
  ["llama.attention.head_count", { type: "uint32", value: heads }],
  ["llama.attention.head_count_kv", { type: "uint32", value: heads }],
  ["llama.attention.layer_norm_rms_epsilon", { type: "float32", value: 1e-5 }],
  ["llama.rope.dimension_count", { type: "uint32", value: embedding / heads }],
  ["tokenizer.ggml.model", { type: "string", value: "llama" }],
  ["tokenizer.ggml.tokens", { type: "strings", value: vocabulary.map(({ text }) => text) }],
  ["tokenizer.ggml.scores", { type: "float32s", value: vocabulary.map(() => 0) }],
  ["tokenizer.ggml.token_type", { type: "int32s", value: vocabulary.map(({ type }) => type) }],
  ["tokenizer.ggml.unknown_token_id", { type: "uint32", value: 0 }],
  ["tokenizer.ggml.bos_token_id", { type: "uint32", value: 1 }],
  ["tokenizer.ggml.eos_token_id", { type: "uint32", value: 2 }],
  ["tokenizer.ggml.add_bos_token", { type: "bool", value: false }],
  ["tokenizer.ggml.add_space_prefix", { type: "bool", value: false }],
]);

/** Deterministic per seed: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
