import { agentConformance, createTempFolder, startRecordingModelServer, takeShare } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { otherAgents } from "./other-agents.ts";

/** Those that keep all of it at the versions that are pinned. Gemini CLI finds its sessions again at some times, and at others not. */
const held = takeShare(["opencode", "pi"]);

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
        hold: () => model.enqueue({ kind: "text", chunks: ["Never", " ends"], gate: true }),
      };
    },
    deadlineMs: 60_000,
  });
}
