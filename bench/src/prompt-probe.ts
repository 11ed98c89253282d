/**
 * What programs send again once `AGENTS.md` is edited in the middle of a conversation: three turns, the edit before the second.
 * `bun run prompt-probe` prints a line for each; docs/comparison.md has them.
 */
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import * as z from "zod";
import { buildCommand } from "./build-command.ts";
import { startHostProcess } from "./host-process.ts";
import { incipit } from "./programs/incipit.ts";
import { opencode } from "./programs/opencode.ts";
import { pi } from "./programs/pi.ts";
import type { ProgramKind } from "./programs/program.ts";

const bodySchema = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });

function systemOf(body: string): string {
  const { messages } = bodySchema.parse(JSON.parse(body));
  return JSON.stringify(messages.filter(({ role }) => role === "system" || role === "developer"));
}

/** Whether the messages of the first request are those that the second one begins with. */
function areKept(first: string, second: string): boolean {
  const [before, after] = [first, second].map((body) =>
    bodySchema
      .parse(JSON.parse(body))
      .messages.filter(({ role }) => role !== "system" && role !== "developer")
      .map((message) => JSON.stringify(message)),
  );
  return before?.every((message, index) => after?.[index] === message) ?? false;
}

/** Its prompt has the rules by a variable, where the others have them by themselves. */
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

for (const kind of [ours, pi, opencode]) {
  try {
    const start = await kind.prepare();
    await using folder = await createTempFolder();
    await using model = await startRecordingModelServer();
    const rules = join(folder.path, "work/AGENTS.md");
    await Bun.write(rules, "The rule is: one.\n");
    await using program = await start({ folder: folder.path, modelUrl: model.url });
    const bodies: string[] = [];
    for (const rule of ["one", "two", "two"]) {
      await Bun.write(rules, `The rule is: ${rule}.\n`);
      await program.takeTurn("Hello");
      bodies.push(model.requests.findLast(({ body }) => body.includes("Hello"))?.body ?? "");
    }
    const [first = "", second = ""] = bodies;
    const [before, after] = [systemOf(first), systemOf(second)];
    process.stdout.write(
      `${kind.name}: system text of ${before.length} characters, has the rule: ${before.includes("The rule is: one")}; ` +
        `after the edit ${before === after ? "the same" : "another"}; the messages before ${areKept(first, second) ? "are sent again as they were" : "are not sent again as they were"}\n`,
    );
  } catch (error) {
    process.stdout.write(`${kind.name}: ${String(error)}\n`);
  }
}
