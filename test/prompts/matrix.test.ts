import {
  conversationSystemPromptResponseSchema,
  explainSchema,
  modelCallExplainResponseSchema,
  previewSystemPromptResponseSchema,
  stepRequestResponseSchema,
} from "@incipit/schema";
import { conversationsResponseSchema, stepsResponseSchema } from "@incipit/transport-contract";
import { sampleOf } from "@incipit/testkit";
import { afterAll, expect, test } from "bun:test";
import * as z from "zod";
import { MatrixWorld, vendors, type Vendor } from "./matrix-world.ts";
import { sentSystemTexts } from "../support/sent-system-texts.ts";

const configured = `system_prompt = "Of the configuration. [file:AGENTS.md] in [prompt:cwd] with [prompt:model] for [prompt:conversation_id]"
append_system_prompt = "Behind it, for [prompt:model].[if git:branch] On [git:branch].[endif]"`;

interface Tier {
  readonly name: string;
  readonly head: string;
  readonly profile?: string;
  readonly stored?: string;
  readonly request?: { readonly system: readonly string[]; readonly systemMode: "replace" | "append" };
}

const requestTexts = ["Of the call: [file:AGENTS.md] is no variable here. é 漢 🎉"];

const tiers: readonly Tier[] = [
  { name: "default", head: "" },
  { name: "configuration", head: configured },
  { name: "stored", head: configured, stored: "Stored. [file:AGENTS.md]\n[if file:none]no[else]yes[endif]" },
  { name: "profile", head: configured, profile: "reviewer", stored: "Stored, and not used." },
  { name: "request", head: configured, request: { system: requestTexts, systemMode: "replace" } },
  { name: "request-append", head: configured, request: { system: requestTexts, systemMode: "append" } },
  { name: "none", head: 'system_prompt = ""' },
];
const refreshes = ["compaction", "turn"] as const;

const profiles = `[profiles.reviewer]\nsystem_prompt = "Of the profile. [file:AGENTS.md] [prompt:model]"\n`;

interface Cell {
  readonly world: MatrixWorld;
  readonly tier: Tier;
  readonly vendor: Vendor;
  readonly model: string;
}

interface Shown {
  readonly texts: readonly string[];
  readonly body: string;
}

const entries = {
  async "turn over HTTP"(cell) {
    const id = await begin(cell);
    await turn(cell, id);
    return id;
  },
  async "one shot"(cell) {
    return runCommand(cell, ["What is new?"]);
  },
  async REPL(cell) {
    return runCommand(cell, ["chat"], "What is new?\nAnd what else?\n");
  },
  async "incipit -s"(cell) {
    const id = await begin(cell);
    await turn(cell, id);
    const { exitCode, stderr } = await cell.world.command(
      ["-s", id, "And then?", "--model", cell.model].concat(requestFlags(cell.tier)),
    );
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return id;
  },
  async "tool loop"(cell) {
    const id = await begin(cell);
    const call = { id: "call_1", name: "read_file", arguments: '{"path":"AGENTS.md"}' };
    cell.world.model.enqueue({ kind: "tool-calls", calls: [call] });
    await turn(cell, id);
    const [first = "", second = ""] = calls(cell).map(({ body }) => body);
    expect(second).toStartWith(prefixOf(first));
    return id;
  },
  async retry(cell) {
    const id = await begin(cell);
    const body = '{"error":{"message":"busy","type":"overloaded_error"}}';
    cell.world.model.enqueue({ kind: "error", status: 503, body, headers: { "retry-after": "0" } });
    await turn(cell, id);
    const [first, second] = calls(cell).map(({ body }) => body);
    expect(second).toBe(first);
    return id;
  },
  async "after compaction"(cell) {
    const id = await begin(cell);
    await turn(cell, id);
    await cell.world.host.json(`/conversations/${id}/compact`, { method: "POST" });
    await turn(cell, id);
    return id;
  },
} as const satisfies Record<string, (cell: Cell) => Promise<string>>;

/** Two ways differ from the conversation's. */
const checks: Readonly<Record<string, (cell: Cell) => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(entries).map(([name, run]) => [
      name,
      async (cell: Cell) => expectConversation(cell, await run(cell)),
    ]),
  ),
  compaction: expectCompaction,
  "/v1/chat/completions": expectStateless,
};

async function expectCompaction(cell: Cell): Promise<void> {
  const { host } = cell.world;
  const id = await begin(cell);
  await turn(cell, id);
  await host.json(`/conversations/${id}/compact`, { method: "POST" });
  const kept = conversationSystemPromptResponseSchema.parse(
    await host.json(`/conversations/${id}/system-prompt`),
  ).systemPrompt;
  const { texts, body } = sent(cell);
  const own = await preview(cell, { conversationId: id });

  expect(kept).toBe(own.systemPrompt);
  expect(texts).toHaveLength(1);
  const [text = ""] = texts;
  const prefix = kept === "" ? "" : `${kept}\n\n`;
  expect(text).toStartWith(prefix);
  compactionTexts.add(text.slice(prefix.length));
  expect([...compactionTexts]).toHaveLength(1);
  await expectRecorded(cell, id, body);
}
const compactionTexts = new Set<string>();

async function expectStateless(cell: Cell): Promise<void> {
  const { world, tier, model } = cell;
  const { profile, request } = tier;
  const response = await world.host.fetch("/v1/chat/completions", {
    body: {
      model,
      cwd: world.folder,
      ...(profile === undefined ? {} : { profile }),
      ...(request === undefined ? {} : { systemMode: request.systemMode }),
      messages: [
        ...(request?.system ?? []).map((content) => ({ role: "system", content })),
        { role: "user", content: "What is new?" },
      ],
    },
  });
  expect(await response.json()).toMatchObject({ object: "chat.completion" });
  const id = response.headers.get("x-incipit-call-id");
  const shown = await preview(cell, { ...request });
  const { explain, systemTexts } = modelCallExplainResponseSchema.parse(
    await world.host.json(`/calls/${id}/explain`),
  );
  const recorded = stepRequestResponseSchema.parse(await world.host.json(`/calls/${id}/request`));
  const { texts, body } = sent(cell);

  if (explain === null) throw new Error("There is a prompt builder");
  expect(explain.sha256).toBe(shown.explain.sha256);
  expectExplains(explain, shown.systemPrompt);
  expect(systemTexts.join("\n\n")).toBe(shown.systemPrompt);
  expect(texts.join("\n\n")).toBe(shown.systemPrompt);
  expect(texts).not.toContain("");
  expect(recorded.body).toBe(body);
}

async function begin({ world, tier, model }: Cell): Promise<string> {
  const profile = tier.profile === undefined ? {} : { profile: tier.profile };
  return (await world.host.createConversation({ model, ...profile })).id;
}

async function turn({ world, tier }: Cell, id: string): Promise<void> {
  const events = await world.host.turn(id, { input: "What is new?", ...tier.request });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
}

function requestFlags({ request }: Tier): readonly string[] {
  if (request === undefined) return [];
  return [...request.system.flatMap((text) => ["--system", text]), "--system-mode", request.systemMode];
}

async function runCommand(cell: Cell, args: readonly string[], input?: string): Promise<string> {
  const { world, tier, model } = cell;
  const profile = tier.profile === undefined ? [] : ["--profile", tier.profile];
  const result = await world.command([...args, "--model", model, ...profile, ...requestFlags(tier)], input);
  expect(result).toMatchObject({ exitCode: 0 });
  const { conversations } = conversationsResponseSchema.parse(await world.host.json("/conversations?limit=1"));
  return conversations[0]?.id ?? "";
}

function calls({ world }: Cell): MatrixWorld["model"]["requests"] {
  return world.model.requests.filter(({ wire }) => wire !== undefined);
}

function prefixOf(body: string): string {
  if (!body.endsWith("]}")) throw new Error(`The messages are not at the end of the body: …${body.slice(-80)}`);
  return body.slice(0, -2);
}

function sent(cell: Cell): Shown {
  const request = calls(cell).at(-1);
  if (request?.wire === undefined) throw new Error("Nothing was sent");
  return { texts: sentSystemTexts(request.wire, request.body), body: request.body };
}

async function preview(
  { world, tier, model }: Cell,
  request: Record<string, unknown>,
): Promise<z.infer<typeof previewSystemPromptResponseSchema>> {
  const profile = tier.profile === undefined ? {} : { profile: tier.profile };
  const body = { cwd: world.folder, model, ...profile, ...request };
  return previewSystemPromptResponseSchema.parse(await world.host.json("/system-prompt/preview", { body }));
}

function expectExplains(explain: Pick<z.infer<typeof explainSchema>, "ranges" | "sha256">, text: string): void {
  let at = 0;
  for (const { start, end } of explain.ranges) {
    expect(start).toBe(at);
    at = end;
  }
  expect(at).toBe(text.length);
  expect(explain.sha256).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex"));
}

async function expectConversation(cell: Cell, id: string): Promise<void> {
  const { host } = cell.world;
  const { systemPrompt } = conversationSystemPromptResponseSchema.parse(
    await host.json(`/conversations/${id}/system-prompt`),
  );
  const { explain } = z.object({ explain: explainSchema }).parse(await host.json(`/conversations/${id}/explain`));
  const own = await preview(cell, { conversationId: id });
  const forCall = await preview(cell, { conversationId: id, ...cell.tier.request });
  const { texts, body } = sent(cell);

  expect(systemPrompt).toBe(own.systemPrompt);
  expect(explain.sha256).toBe(own.explain.sha256);
  expectExplains(explain, systemPrompt ?? "");
  expectExplains(forCall.explain, forCall.systemPrompt);
  expect(texts.join("\n\n")).toBe(forCall.systemPrompt);
  // An empty text has no field.
  expect(texts).not.toContain("");
  await expectRecorded(cell, id, body);
}

async function expectRecorded({ world: { host } }: Cell, id: string, body: string): Promise<void> {
  const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps?limit=1000`));
  const recorded = stepRequestResponseSchema.parse(
    await host.json(`/conversations/${id}/steps/${steps.at(-1)?.id}/request`),
  );
  expect(recorded.body).toBe(body);
  expect(recorded.sha256).toBe(new Bun.CryptoHasher("sha256").update(body).digest("hex"));
}

const everyCell = tiers.flatMap((tier) =>
  refreshes.flatMap((refresh) =>
    vendors.flatMap((vendor) =>
      Object.entries(checks).map(([entry, check]) => {
        const name = `${tier.name}, ${refresh}: ${entry} with ${vendor.name}`;
        return { name, tier, refresh, vendor, check };
      }),
    ),
  ),
);
const taken = sampleOf(everyCell.map(({ name }) => name));

let cells = 0;
afterAll(() => process.stderr.write(`matrix: ${cells} of ${everyCell.length} cells\n`));

for (const tier of tiers)
  for (const refresh of refreshes)
    test(`[sent-is-shown] preview, explain, stored and sent prompt are the same bytes: tier "${tier.name}", refresh "${refresh}"`, async () => {
      await using world = await MatrixWorld.start({
        head: `${tier.head}\nprompt_refresh = "${refresh}"\ntools.workspace = true\ncompaction.auto = false`,
        tables: profiles,
      });
      if (tier.stored !== undefined)
        await world.host.json("/system-prompt", { method: "PUT", body: { template: tier.stored } });
      const here = everyCell.filter((cell) => cell.tier === tier && cell.refresh === refresh);
      for (const { name, vendor, check } of here.filter((cell) => taken.has(cell.name))) {
        const cell = { world, tier, vendor, model: `${vendor.name}/test-model` };
        world.model.forget();
        try {
          await check(cell);
          expect(world.model.problems).toEqual([]);
        } catch (error) {
          throw new Error(name, { cause: error });
        }
        cells += 1;
      }
    }, 1_800_000);
