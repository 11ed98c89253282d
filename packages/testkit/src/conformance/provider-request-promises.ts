import type { JsonValue } from "@incipit/kernel";
import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import { expect } from "bun:test";
import { ask, bodyOf, callsOf, messageOf, user, type ProviderWorld } from "./provider-world.ts";

/** Trimming, normalizing, escaping or line splitting would change it. */
const odd = '\ufeff\n NUL \u0000, é e\u0301 漢 👩‍👩‍👧, "q", \\, \r\n\u2028\t<b>&amp; ';
const tool: ToolDefinition = {
  name: "lookup",
  description: "Looks up",
  inputSchema: { type: "object", properties: { x: { type: "number" } } },
};

/** One fails, one returns nothing. */
const history: readonly ModelMessage[] = [
  user("Look twice."),
  {
    role: "assistant",
    parts: [
      { type: "tool-call", toolCallId: "call-1", name: "lookup", input: '{"x":1}' },
      { type: "tool-call", toolCallId: "call-2", name: "lookup", input: "{}" },
    ],
  },
  {
    role: "tool",
    parts: [
      { type: "tool-result", toolCallId: "call-1", name: "lookup", output: "", isError: false },
      { type: "tool-result", toolCallId: "call-2", name: "lookup", output: "not found", isError: true },
    ],
  },
  { role: "assistant", parts: [{ type: "text", text: "One was found." }] },
  user("And then?"),
];

export const providerRequestPromises = {
  "stream writes every text as it is: NUL, line breaks, white space at its ends, unicode that is not normalised":
    async (world) => {
      const texts = ["system", "user", "assistant", "result"].map((place) => `${odd}${place}${odd}`);
      const [system = "", asked = "", said = "", result = ""] = texts;
      const messages: readonly ModelMessage[] = [
        user(asked),
        {
          role: "assistant",
          parts: [
            { type: "text", text: said },
            { type: "tool-call", toolCallId: "call-1", name: "lookup", input: "{}" },
          ],
        },
        {
          role: "tool",
          parts: [{ type: "tool-result", toolCallId: "call-1", name: "lookup", output: result, isError: false }],
        },
      ];
      const written = stringsIn(bodyOf(await ask(world, { systemPrompt: [system], messages, tools: [tool] })));
      for (const text of texts) expect(written.filter((each) => each.includes(text))).toHaveLength(1);
    },
  "stream writes a tool as the same bytes, in whichever order its own keys come": async (world) => {
    const { name, description, inputSchema } = tool;
    const [first, second] = [
      await ask(world, { tools: [{ name, description, inputSchema }] }),
      await ask(world, { tools: [{ inputSchema, description, name }] }),
    ];
    expect(bodyOf(first)).toContain("Looks up");
    expect(bodyOf(second)).toBe(bodyOf(first));
  },
  "stream writes what a strict endpoint of the format takes: parallel calls, an empty result, a failed one": async (
    world,
  ) => {
    for (const length of [1, 3, 5])
      await ask(world, { tools: [tool], systemPrompt: ["One.", "Two."], messages: history.slice(0, length) });
    await ask(world, { systemPrompt: [] });
    expect(callsOf(world.server)).toHaveLength(4);
    expect(world.server.problems).toEqual([]);
  },
  "stream writes a file of a type that the model takes, and says of one that it does not that it takes it not":
    async (world) => {
      const { provider, model } = world;
      const takes = (mediaType: string): boolean => provider.acceptsFile?.({ model, mediaType }) === true;
      expect(takes("application/x-msdownload")).toBe(false);
      for (const mediaType of ["image/png", "application/pdf"].filter(takes)) {
        const file = { type: "file", mediaType, data: "iVBORw0KGgo=", filename: "a b.png" } as const;
        const message: ModelMessage = { role: "user", parts: [{ type: "text", text: "See:" }, file] };
        const written = stringsIn(bodyOf(await ask(world, { messages: [message] })));
        expect(written.filter((text) => text.endsWith("iVBORw0KGgo="))).toHaveLength(1);
      }
      expect(world.server.problems).toEqual([]);
    },
  "stream writes what a caller asks of one call, where the format has a place for it": async (world) => {
    const settings = {
      temperature: 0.25,
      maxOutputTokens: 3_210,
      stopSequences: ["STOP-HERE"],
      toolChoice: { name: "lookup" },
    };
    const plain = settingsOf(bodyOf(await ask(world, { tools: [tool] })));
    const asked = settingsOf(bodyOf(await ask(world, { tools: [tool], settings })));
    const expected = ["0.25", "3210", '"lookup"', ...(world.wire === "openai-responses" ? [] : ['"STOP-HERE"'])];
    expect(expected.filter((text) => plain.includes(text))).toEqual([]);
    expect(expected.filter((text) => !asked.includes(text))).toEqual([]);
  },
  "stream writes nothing of what an earlier call asked, such as an answer in JSON": async (world) => {
    const schema = { type: "object", properties: { marker: { type: "string" } } } as const;
    const plain = bodyOf(await ask(world));
    const asked = bodyOf(await ask(world, { settings: { responseFormat: { type: "json", schema } } }));
    expect(asked).toMatch(/json/i);
    expect(bodyOf(await ask(world))).toBe(plain);
    const again = bodyOf(await ask(world, { settings: { responseFormat: { type: "json", schema } } }));
    expect(again).toBe(asked);
  },
  "stream gives back what the vendor wants back with a reply, the same after a restart": async (world) => {
    const reasoning = { text: "Hm", signature: "c2lnbmF0dXJl", redacted: "cmVkYWN0ZWQ=" };
    world.server.enqueue({
      kind: "tool-calls",
      reasoning,
      calls: [{ id: "call-1", name: "lookup", arguments: "{}" }],
    });
    const said = messageOf(world, (await ask(world, { tools: [tool] })).events);
    const messages: readonly ModelMessage[] = [
      user("Hello?"),
      said,
      {
        role: "tool",
        parts: [{ type: "tool-result", toolCallId: "call-1", name: "lookup", output: "done", isError: false }],
      },
    ];
    const body = bodyOf(await ask(world, { tools: [tool], messages }));
    const reopened = { ...world, provider: await world.reopen() };
    const stored: readonly ModelMessage[] = JSON.parse(JSON.stringify(messages));
    expect(body).toContain(reasoning.signature);
    if (world.wire === "anthropic") expect(body).toContain(reasoning.redacted);
    expect(bodyOf(await ask(reopened, { tools: [tool], messages: stored }))).toBe(body);
    expect(world.server.problems).toEqual([]);
  },
} as const satisfies Record<string, (world: ProviderWorld) => Promise<void>>;

function stringsIn(body: string): readonly string[] {
  const strings: string[] = [];
  JSON.parse(body, (_key, value: JsonValue) => {
    if (typeof value === "string") strings.push(value);
    return value;
  });
  return strings;
}

const content = new Set(["messages", "input", "contents", "tools", "system", "systemInstruction", "instructions"]);

function settingsOf(body: string): string {
  const entries = Object.entries<JsonValue>(JSON.parse(body)).filter(([key]) => !content.has(key));
  return JSON.stringify(Object.fromEntries(entries));
}
