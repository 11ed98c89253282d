import { agentConformance, createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { otherAgents } from "./other-agents.ts";

/** Agents without gaps at the pinned versions. Gemini CLI does not always find its sessions. */
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
        // Additional requests, such as for a title, are held as well.
        hold: () => {
          model.answer = () => ({ kind: "text", chunks: ["Never", " ends"], gate: true });
        },
        // Pi continues a cancelled prompt unless its model was already called.
        held: () => model.waitFor(({ waitingChunks }) => waitingChunks > 0),
      };
    },
    isSlow: true,
    deadlineMs: 60_000,
  });
}
