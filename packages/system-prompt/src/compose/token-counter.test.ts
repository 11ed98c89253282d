import { expect, test } from "bun:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import fc from "fast-check";
import { TokenCounter } from "./token-counter.ts";

const model = "openai/gpt-5.2";

function count(text: string, ofModel: string | null = model): ReturnType<TokenCounter["count"]> {
  return new TokenCounter().count(text, { model: ofModel, sha256: "" });
}

test("count() uses the model's encoding and names it", async () => {
  expect(await count("hello world")).toEqual({ count: 2, method: "o200k_base" });
  expect(await count("")).toEqual({ count: 0, method: "o200k_base" });
});

test("count() estimates for models with an unknown encoding", async () => {
  for (const other of [null, "offline/echo", "anthropic/claude-opus-4-5", "openai/gpt-4", "deepseek/deepseek-chat"])
    expect(await count("hello worlds é", other)).toEqual({ count: 4, method: "estimate" });
  for (const known of ["openai/gpt-4o-mini", "x/openai/gpt-4.1", "openai/o3", "azure/o4-mini", "local/gpt-oss-20b"])
    expect(await count("hello world", known)).toEqual({ count: 2, method: "o200k_base" });
});

test("count() of a long text equals the encoding's count for the whole", async () => {
  const word = fc.oneof(
    fc.constantFrom("\n", "  ", "\r\n\r\n", "\t", " ", "don't", "12345", "漢字", "é", "<|endoftext|>", "=>", "😀"),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 40 }), async (words) => {
      const text = `${words.join(" ")} `.repeat(Math.ceil(40_000 / (words.join(" ").length + 1)));
      const whole = countTokens(text, { disallowedSpecial: new Set() });
      const { count: counted, method } = await count(text);
      if (method === "o200k_base") expect(counted).toBe(whole);
    }),
    { numRuns: 10 },
  );
});

test("count() of a long text of words is exact", async () => {
  const text = "don't do 12345 => this, (ever)\n".repeat(3_000);

  expect(await count(text)).toEqual({ count: countTokens(text), method: "o200k_base" });
  // Without spaces, the text is cut at possible token positions.
  expect(await count(text.replaceAll(" ", "\t"))).toMatchObject({ method: "estimate" });
});

test("count() caches the counts of 64 texts by hash", async () => {
  const counter = new TokenCounter();
  const countAs = async (text: string, sha256: string): Promise<number> =>
    (await counter.count(text, { model, sha256 })).count;
  for (let index = 0; index < 64; index += 1) await countAs("hello", `${index}`);

  const remembered = await countAs("hello world", "0");
  await countAs("hello", "64");
  const forgotten = await countAs("hello world", "0");

  expect([remembered, forgotten]).toEqual([1, 2]);
});

test("count() estimates a run of 1 MB instead of encoding it", async () => {
  for (const unit of ["a", " ", "\n", "漢", "!"]) {
    const { count: counted, method } = await count(unit.repeat(1_000_000));
    expect(method).toBe("estimate");
    expect(counted).toBeGreaterThan(1_000);
  }
});

test("the encoding is loaded only when an explanation is read", async () => {
  const script = `
    import { startService } from "../testing/start-service.ts";
    const isLoaded = () => Object.keys(require.cache).some((path) => path.includes("gpt-tokenizer"));
    await using started = await startService({ config: { systemPrompt: "hello" } });
    const { service } = started;
    await service.construct("c1", "/", { model: "${model}" });
    await service.get("c1");
    await service.explain("c1", { areTokensEstimated: true });
    const before = isLoaded();
    const { tokens } = await service.explain("c1");
    console.log(JSON.stringify({ before, after: isLoaded(), tokens }));`;
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: import.meta.dir, stderr: "inherit" });

  expect(JSON.parse(await child.stdout.text())).toEqual({
    before: false,
    after: true,
    tokens: { count: 1, method: "o200k_base" },
  });
});

test("count() loads the encoding again after a failure", async () => {
  const script = `
    let isBroken = true;
    Bun.plugin({
      name: "an encoding that is broken at first",
      setup(build) {
        const countTokens = () => {
          if (isBroken) throw new Error("broken");
          return 7;
        };
        build.module("gpt-tokenizer/encoding/o200k_base", () => ({ loader: "object", exports: { countTokens } }));
      },
    });
    const { TokenCounter } = await import("./token-counter.ts");
    const counter = new TokenCounter();
    const count = () => counter.count("text", { model: "${model}", sha256: "1" }).catch(({ message }) => message);
    const first = await count();
    isBroken = false;
    console.log(JSON.stringify([first, await count()]));`;
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: import.meta.dir, stderr: "inherit" });

  expect(JSON.parse(await child.stdout.text())).toEqual(["broken", { count: 7, method: "o200k_base" }]);
});
