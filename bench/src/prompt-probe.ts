/**
 * Records what programs resend when `AGENTS.md` changes before the second of three turns, and what pi sends then with
 * `--continue` in a new process. `bun run prompt-probe` prints a line for each; docs/comparison.md has them.
 */
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import * as z from "zod";
import { buildCommand } from "./build-command.ts";
import { startHostProcess } from "./host-process.ts";
import { claudeCode } from "./programs/claude-code.ts";
import { codex } from "./programs/codex.ts";
import { incipit } from "./programs/incipit.ts";
import { opencode } from "./programs/opencode.ts";
import { continuePi, pi } from "./programs/pi.ts";
import type { Program, ProgramKind, ProgramOptions } from "./programs/program.ts";

const messageSchema = z.looseObject({ role: z.string().optional(), content: z.unknown() });
const bodySchema = z.looseObject({
  messages: z.array(messageSchema).optional(),
  system: z.unknown().optional(),
  instructions: z.string().optional(),
  input: z.array(messageSchema).optional(),
});

interface SentRequest {
  readonly system: string;
  readonly messages: readonly string[];
}

function sentRequestOf(body: string): SentRequest {
  const { messages, system, instructions, input } = bodySchema.parse(JSON.parse(body));
  const all = messages ?? input ?? [];
  const isSystem = ({ role }: z.infer<typeof messageSchema>): boolean => role === "system" || role === "developer";
  const told = [system, instructions, ...all.filter(isSystem)].filter((part) => part !== undefined);
  return {
    system: JSON.stringify(told),
    // Excludes cache markers, which may move.
    messages: all
      .filter((message) => !isSystem(message))
      .map((message) => JSON.stringify(message).replaceAll(/,"cache_control":\{[^}]*\}/g, "")),
  };
}

/** Other programs include context files automatically. */
const ours: ProgramKind = {
  ...incipit,
  async prepare() {
    const command = await buildCommand();
    return async (options) => {
      const host = await startHostProcess({ ...options, command });
      await host.client.call(routes.setSystemPrompt, { body: { template: "Rules: [file:AGENTS.md]" } });
      const cwd = join(options.folder, "work");
      const { id } = (await host.client.call(routes.createConversation, { body: { cwd } })).conversation;
      return {
        pid: host.pid,
        readyMs: host.readyMs,
        async takeTurn(input) {
          for await (const event of host.client.sendTurn(id, { input }))
            if (event.type === "turn-end" && event.status !== "completed")
              throw new Error(`A turn ended ${event.status}`);
        },
        [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
      };
    };
  },
};

const tried: readonly { readonly kind: ProgramKind; readonly rulesFile: string }[] = [
  { kind: ours, rulesFile: "AGENTS.md" },
  { kind: pi, rulesFile: "AGENTS.md" },
  { kind: opencode, rulesFile: "AGENTS.md" },
  { kind: codex, rulesFile: "AGENTS.md" },
  { kind: claudeCode, rulesFile: "CLAUDE.md" },
];

function sentenceOf(first: SentRequest, second: SentRequest): string {
  const rule = "The rule is: one";
  const isIn = first.system.includes(rule)
    ? "the system text"
    : first.messages.some((message) => message.includes(rule))
      ? "a message"
      : "neither";
  const edited =
    second.system.includes("The rule is: two") || second.messages.join("").includes("The rule is: two");
  const areKept = first.messages.every((message, index) => second.messages[index] === message);
  return (
    `system text of ${first.system.length} characters, the rule is in ${isIn}; after the edit ` +
    `${first.system === second.system ? "the same" : "another"} system text, ${edited ? "with the edit" : "without the edit"}; ` +
    `the messages before are ${areKept ? "sent again as they were" : "not sent again as they were"}`
  );
}

for (const { kind, rulesFile } of tried) {
  try {
    const start = await kind.prepare();
    await using folder = await createTempFolder();
    await using model = await startRecordingModelServer();
    const rules = join(folder.path, "work", rulesFile);
    await Bun.write(rules, "The rule is: one.\n");
    await using program = await start({ folder: folder.path, modelUrl: model.url });
    const bodies: string[] = [];
    for (const rule of ["one", "two", "two"]) {
      await Bun.write(rules, `The rule is: ${rule}.\n`);
      await program.takeTurn("Hello");
      bodies.push(model.requests.findLast(({ body }) => body.includes("Hello"))?.body ?? "");
    }
    const [first = "", second = ""] = bodies;
    process.stdout.write(`${kind.name}: ${sentenceOf(sentRequestOf(first), sentRequestOf(second))}\n`);
  } catch (error) {
    process.stdout.write(`${kind.name}: ${String(error)}\n`);
  }
}

async function probeTakeOver(
  name: string,
  start: (options: ProgramOptions) => Promise<Program>,
  takeOver: (options: ProgramOptions) => Promise<Program>,
): Promise<void> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const options = { folder: folder.path, modelUrl: model.url };
  const rules = join(folder.path, "work/AGENTS.md");
  const bodies: string[] = [];
  for (const [rule, begin] of [
    ["one", start],
    ["two", takeOver],
  ] as const) {
    await Bun.write(rules, `The rule is: ${rule}.\n`);
    await using program = await begin(options);
    await program.takeTurn("Hello");
    bodies.push(model.requests.findLast(({ body }) => body.includes("Hello"))?.body ?? "");
  }
  const [first = [], second = []] = bodies.map((body) => bodySchema.parse(JSON.parse(body)).messages);
  const isWhole = first.every((message, index) => Bun.deepEquals(message, second[index]));
  const place = second.findIndex((message) => JSON.stringify(message).includes("The rule is: two"));
  process.stdout.write(
    `${name}: the request before is ${isWhole ? "the beginning of" : "not the beginning of"} the next one, ` +
      `which has the edit in message ${place + 1} of ${second.length} (${second[place]?.role})\n`,
  );
}

const startPi = await pi.prepare();
for (const hasLaterSystemMessages of [false, true])
  await probeTakeOver(
    `${pi.name} continued, with a model that ${hasLaterSystemMessages ? "accepts" : "does not accept"} later system messages`,
    startPi,
    (options) => continuePi(options, { hasLaterSystemMessages }),
  );
