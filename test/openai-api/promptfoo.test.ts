import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createChatWorld } from "./chat-world.ts";
import { promptfoo } from "../other-programs/other-programs.ts";
import { runTool } from "../frontend-tools/frontend-tools.ts";
import { prefixOf, systemTexts } from "../support/request-body.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());

const resultsSchema = z.object({
  results: z.object({
    results: z.array(
      z.object({
        success: z.boolean(),
        error: z.string().nullish(),
        response: z.object({ output: z.unknown() }),
        gradingResult: z.object({
          componentResults: z.array(z.object({ score: z.number(), assertion: z.object({ type: z.string() }) })),
        }),
      }),
    ),
  }),
});

async function evaluate(configuration: string): Promise<z.infer<typeof resultsSchema>["results"]["results"]> {
  await using folder = await createTempFolder();
  const config = join(folder.path, "promptfooconfig.yaml");
  const output = join(folder.path, "results.json");
  await Bun.write(config, configuration);
  const flags = ["--no-cache", "--no-progress-bar", "--no-table", "--no-write", "--max-concurrency", "1"];
  const env = {
    OPENAI_API_KEY: world.host.token,
    ANTHROPIC_API_KEY: world.host.token,
    PROMPTFOO_CONFIG_DIR: join(folder.path, "state"),
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
    PROMPTFOO_FAILED_TEST_EXIT_CODE: "0", // Failures are reported by the results.
  };
  const command = [...promptfoo(), "eval", "--config", config, "--output", output, ...flags];
  await runTool(command, { cwd: folder.path, env });
  return resultsSchema.parse(await Bun.file(output).json()).results.results;
}

const weather = {
  name: "weather",
  description: "Tells the weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** @param call Prompt with the tool call in `last.output`, in the protocol's format. */
function conversation(call: string): string {
  const reply = `{% if isResult %}${call}{% else %}{"role":"assistant","content":{{ last.output | dump }}}{% endif %}`;
  const before = `{% for message in last.prompt %}{{ message | dump }},{% endfor %}${reply}`;
  const system = '{"role":"system","content":"Be brief."}';
  return `{% set last = _conversation | last %}[{% if last %}${before}{% else %}${system}{% endif %},{{ said | dump }}]`;
}

const protocols = [
  {
    name: "openai:chat",
    apiBaseUrl: () => world.baseURL,
    tool: { type: "function", function: weather },
    call: '{"role":"assistant","tool_calls":{{ last.output | dump }}}',
    result: { role: "tool", tool_call_id: "c1", content: "Rain in Porto" },
    validity: [{ type: "is-valid-openai-tools-call" }],
  },
  {
    name: "openai:responses",
    apiBaseUrl: () => world.baseURL,
    tool: { type: "function", ...weather },
    call: "{{ last.output }}",
    result: { type: "function_call_output", call_id: "c1", output: "Rain in Porto" },
    validity: [],
  },
  {
    name: "anthropic:messages",
    apiBaseUrl: () => world.host.url,
    tool: { name: weather.name, description: weather.description, input_schema: weather.parameters },
    call: '{"role":"assistant","content":[{{ last.output }}]}',
    result: { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "Rain in Porto" }] },
    validity: [],
  },
] as const;

const messagesSchema = z.object({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

for (const { name, apiBaseUrl, tool, call, result, validity } of protocols)
  test(`[byte-prefix] promptfoo's ${name} runs a tool, then asks a second question`, async () => {
    const metadata = { conversationId: "porto" };
    const asked = (content: string): object => ({ said: { role: "user", content } });
    world.model.enqueue(
      { kind: "tool-calls", calls: [{ id: "c1", name: "weather", arguments: '{"city":"Porto"}' }] },
      { kind: "text", chunks: ["It ", "rains."] },
      { kind: "text", chunks: ["Sun."] },
    );

    const evaluated = {
      prompts: [conversation(call)],
      providers: [{ id: `${name}:local/test-model`, config: { apiBaseUrl: apiBaseUrl(), tools: [tool] } }],
      tests: [
        { metadata, vars: asked("Weather?"), assert: [{ type: "contains", value: "Porto" }, ...validity] },
        { metadata, vars: { said: result, isResult: true }, assert: [{ type: "equals", value: "It rains." }] },
        { metadata, vars: asked("And tomorrow?"), assert: [{ type: "equals", value: "Sun." }] },
      ],
    };
    const results = await evaluate(JSON.stringify(evaluated));

    expect(results.map(({ success, error }) => error ?? success)).toEqual([true, true, true]);
    const bodies = world.model.requests.map(({ body }) => body);
    const [first = "", second = "", third = ""] = bodies;
    expect(bodies).toHaveLength(3);
    expect(second).toStartWith(prefixOf(first));
    expect(third).toStartWith(prefixOf(second));
    expect(messagesSchema.parse(JSON.parse(third)).messages).toMatchObject([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather?" },
      { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: '{"city":"Porto"}' } }] },
      { role: "tool", content: expect.stringContaining("Rain") },
      { role: "assistant", content: "It rains." },
      { role: "user", content: "And tomorrow?" },
    ]);
  }, 300_000);

test("promptfoo runs the configuration in docs/guide/openai-clients.md: profile, embeddings and a model judge", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/guide/openai-clients.md")).text();
  const [, configuration = ""] = /^```yaml\n(prompts:[\s\S]*?)^```/m.exec(page) ?? [];
  const answered = "No: never do it";
  const judged = '{"pass":true,"score":0.75,"reason":"It says no"}';
  world.model.answer = (body) => ({ kind: "text", chunks: [body.includes("Rubric") ? judged : answered] });

  const [result] = await evaluate(configuration.replaceAll("http://127.0.0.1:4140/v1", world.baseURL));

  expect(result).toMatchObject({ success: true, response: { output: answered } });
  const wanted = "No: it runs whatever it is given";
  const scores = result?.gradingResult.componentResults.map(({ assertion, score }) => [assertion.type, score]);
  expect(scores).toEqual([
    ["similar", expect.closeTo(cosine(vectorOf(wanted), vectorOf(answered)), 5)],
    ["llm-rubric", 0.75],
  ]);
  const sentTo = (path: string): readonly string[] =>
    world.model.requests.flatMap((request) => (request.path === path ? [request.body] : []));
  expect(sentTo("/v1/chat/completions").map(systemTexts)).toEqual([
    [`Review in ${world.cwd}.`],
    [expect.stringContaining("grading output according to a user-specified rubric")],
  ]);
  expect(sentTo("/v1/embeddings").map((body): unknown => JSON.parse(body))).toEqual([
    { model: "nomic-embed-text", input: wanted },
    { model: "nomic-embed-text", input: answered },
  ]);
}, 300_000);

function vectorOf(text: string): readonly number[] {
  return [0, 1, 2, 3].map((place) => (text.length + place) / 16);
}

function cosine(left: readonly number[], right: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
}
