import { agentConformance, createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { otherAgents } from "./other-agents.ts";

/** Agents that keep all promises at the pinned versions. Gemini CLI does not always find its sessions again. */
const held: ReadonlySet<string> = new Set(["opencode", "pi"]);

for (const { name, start } of otherAgents) {
  if (!held.has(name)) continue;
  agentConformance(`${name} of npm`, {
    async open(scope) {
      const folder = scope.use(await createTempFolder());
      const model = scope.use(await startRecordingModelServer());
      const home = await realpath(folder.path);
      const cwd = join(home, "work");
      await mkdir(cwd);
      const { command, env } = await start({ home, model });
      return {
        command,
        cwd,
        env: { HOME: home, LANG: "C.UTF-8", ...env },
        // What it asks beside the prompt, such as for a title, is held, too.
        hold: () => {
          model.answer = () => ({ kind: "text", chunks: ["Never", " ends"], gate: true });
        },
        // Pi goes on with a prompt that is cancelled before its model was asked.
        held: () => model.waitFor(({ waitingChunks }) => waitingChunks > 0),
      };
    },
    isSlow: true,
    deadlineMs: 60_000,
  });
}
