import { defineExtension, type Extension } from "@incipit/kernel";
import { promptSegmentsPoint } from "@incipit/service-contract";
import { sampleOf } from "@incipit/testkit";
import { callIdHeader, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { HostWorld } from "./testing/host-world.ts";

const states = ["set", "empty", "absent"] as const;
type State = (typeof states)[number];

interface Cell {
  readonly request: State | "several";
  readonly mode: "replace" | "append";
  readonly profile: State;
  readonly stored: State;
  readonly config: State;
  readonly hasAppend: boolean;
  readonly hasSegment: boolean;
}

/** The variable is resolved in templates and literal elsewhere. */
const requestTexts = {
  set: ["Request [prompt:cwd]"],
  several: ["First [prompt:cwd]", "Second\n", "  "],
  empty: [" \n"],
  absent: undefined,
} as const satisfies Record<Cell["request"], readonly string[] | undefined>;
const templates = {
  profile: { set: "Profile [prompt:cwd]", empty: "", absent: undefined },
  stored: { set: "Stored [prompt:cwd]", empty: "\t", absent: undefined },
  config: { set: "Configured [prompt:cwd]", empty: "  ", absent: undefined },
} as const;
const appendTemplate = "Append [prompt:model]";
const segmentText = "Segment [prompt:cwd]";

const guide = await Bun.file(join(import.meta.dir, "../../../docs/guide/which-prompt-wins.md")).text();
const rules = [...guide.matchAll(/^\| (\w+) \| (\w+) \| (\w+) \| (\w+) \| (.+) \|$/gm)].map((row) => row.slice(1));

function baseByGuide({ request, mode, profile, stored, config }: Cell): string {
  const asked = mode === "append" ? "absent" : request === "several" ? "set" : request;
  const given = [asked, profile, stored, config];
  const fitting = rules.filter((row) =>
    given.every((state, index) => row[index] === "any" || row[index] === state),
  );
  if (fitting.length !== 1)
    throw new Error(`${fitting.length} rows of the guide say what wins for ${given.join(", ")}`);
  return fitting[0]?.at(-1) ?? "";
}

const winners: Readonly<
  Record<string, { readonly tier: string; readonly text: (cwd: string) => readonly string[] }>
> = {
  "the profile's": { tier: "profile", text: (cwd) => [`Profile ${cwd}`] },
  "the stored template": { tier: "global", text: (cwd) => [`Stored ${cwd}`] },
  "the configuration's": { tier: "global", text: (cwd) => [`Configured ${cwd}`] },
  "the built-in default": {
    tier: "default",
    text: (cwd) => [`You are a helpful coding assistant.\n\nThe current working directory is ${cwd}.`],
  },
  none: { tier: "", text: () => [] },
};

function expectedTexts(cell: Cell, cwd: string): readonly string[] {
  const own = (requestTexts[cell.request] ?? []).filter((text) => text.trim() !== "");
  const winner = baseByGuide(cell);
  const base =
    winner === "the call's texts" ? own : (winners[winner]?.text(cwd) ?? [`"${winner}" is no base text`]);
  const tail = [...(cell.hasAppend ? ["Append local/test-model"] : []), ...(cell.hasSegment ? [segmentText] : [])];
  const last = [...base.slice(-1), ...tail].join("\n\n");
  const texts = [...base.slice(0, -1), ...(last === "" ? [] : [last])];
  return cell.mode === "append" ? [...texts, ...own] : texts;
}

function wonTier(cell: Cell): string {
  const winner = baseByGuide(cell);
  if (winner === "the call's texts") return "request";
  if (winner !== "none") return winners[winner]?.tier ?? "";
  if (cell.mode === "replace" && cell.request === "empty") return "request";
  return cell.profile === "empty" ? "profile" : "global";
}

const segmentExtension: Extension = defineExtension(
  { id: "acme.segment", version: "1.0.0", api: "^1", contributes: ["prompt-segments@1"] },
  (host) => host.contribute(promptSegmentsPoint, { id: "note", order: 1, text: () => segmentText }),
);

type HostCell = Pick<Cell, "config" | "hasAppend" | "hasSegment">;

function createWorld({ config, hasAppend, hasSegment }: HostCell): Promise<HostWorld> {
  const configured = templates.config[config];
  return HostWorld.start({
    config: (modelUrl) => `model = "local/test-model"
listen.port = 0
${configured === undefined ? "" : `system_prompt = ${JSON.stringify(configured)}`}
${hasAppend ? `append_system_prompt = ${JSON.stringify(appendTemplate)}` : ""}
providers.local = { kind = "openai-compatible", base_url = "${modelUrl}", family = "openai" }
profiles.set.system_prompt = ${JSON.stringify(templates.profile.set)}
profiles.empty.system_prompt = ${JSON.stringify(templates.profile.empty)}
profiles.absent.model = "local/test-model"
`,
    extensions: () => (hasSegment ? [segmentExtension] : []),
  });
}

function sentSystemTexts({ model }: HostWorld, input: string): readonly string[] {
  const found = model.requests.filter(({ body }) => body.includes(`"${input}"`));
  if (found.length !== 1) throw new Error(`"${input}" was sent ${found.length} times`);
  const { messages } = requestSchema.parse(JSON.parse(found[0]?.body ?? ""));
  return messages.flatMap(({ role, content }) => (role === "system" ? [content] : []));
}

const requestSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

async function toldIn(world: HostWorld, cell: Cell): Promise<unknown> {
  const { host, client } = world;
  const { mode, profile } = cell;
  const texts = requestTexts[cell.request];
  const name = JSON.stringify(cell).replaceAll(/[^a-z]/g, "");
  const answer = await fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${host.token}` },
    body: JSON.stringify({
      messages: [
        ...(texts ?? []).map((content) => ({ role: "system", content })),
        { role: "user", content: `completion ${name}` },
      ],
      systemMode: mode,
      profile,
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const id = answer.headers.get(callIdHeader) ?? "";
  const { explain, systemTexts } = await client.call(routes.explainCall, { params: { id } });
  const system = texts === undefined ? {} : { system: [...texts] };
  const preview = await client.call(routes.previewSystemPrompt, { body: { profile, systemMode: mode, ...system } });
  const { conversation } = await client.call(routes.createConversation, { body: { profile } });
  const turn = { input: `turn ${name}`, systemMode: mode, ...system };
  for await (const event of client.sendTurn(conversation.id, turn))
    if (event.type === "turn-end" && event.status !== "completed") throw new Error(JSON.stringify(event));
  return {
    cell,
    inCompletion: sentSystemTexts(world, `completion ${name}`),
    inTurn: sentSystemTexts(world, turn.input),
    explained: systemTexts,
    previewed: preview.systemTexts,
    won: [explain, preview.explain].map((explained) => explained?.tiers.find(({ won }) => won)?.tier),
    covered: preview.explain.ranges.map(({ start, end }) => preview.systemPrompt.slice(start, end)).join(""),
  };
}

const hostCells = states.flatMap((config) =>
  [false, true].flatMap((hasAppend) =>
    [false, true].map((hasSegment): HostCell => ({ config, hasAppend, hasSegment })),
  ),
);
const calls = (["set", "several", "empty", "absent"] as const).flatMap((request) =>
  (["replace", "append"] as const).flatMap((mode) => states.map((profile) => ({ request, mode, profile }))),
);

test("the guide lists exactly one base text for every combination", () => {
  const all = hostCells.flatMap((hostCell) =>
    states.flatMap((stored) => calls.map((call): Cell => ({ ...hostCell, ...call, stored }))),
  );

  expect(all).toHaveLength(864);
  expect(new Set(all.map(baseByGuide))).toEqual(new Set(rules.map((row) => row.at(-1) ?? "")));
});

function nameOf({ config, hasAppend, hasSegment }: HostCell): string {
  return `system_prompt ${config}, ${hasAppend ? "an" : "no"} append, ${hasSegment ? "a" : "no"} segment`;
}

const taken = sampleOf(hostCells.map(nameOf));

for (const hostCell of hostCells) {
  const name = nameOf(hostCell);
  test.skipIf(!taken.has(name))(
    `[sent-is-shown] requests, previews and explanations follow the guide's precedence table: ${name}`,
    async () => {
      await using world = await createWorld(hostCell);
      for (const stored of states) {
        const template = templates.stored[stored];
        if (template === undefined) await world.client.call(routes.deleteSystemPrompt);
        else await world.client.call(routes.setSystemPrompt, { body: { template } });
        const cells = calls.map((call): Cell => ({ ...hostCell, ...call, stored }));

        const told = await Promise.all(cells.map((cell) => toldIn(world, cell)));

        expect(told).toEqual(
          cells.map((cell) => {
            const texts = expectedTexts(cell, world.cwd);
            const tier = wonTier(cell);
            return {
              cell,
              inCompletion: texts,
              inTurn: texts,
              explained: texts,
              previewed: texts,
              won: [tier, tier],
              covered: texts.join("\n\n"),
            };
          }),
        );
      }
    },
  );
}
