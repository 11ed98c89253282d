import { agentConformance, createTempFolder, startRecordingModelServer, type AgentPromise } from "@incipit/testkit";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { otherAgents } from "./other-agents.ts";

/** What agents of others do not keep at the versions that are pinned. */
const lacks: Readonly<Record<string, Partial<Record<AgentPromise, string>>>> = {
  opencode: {},
  pi: {},
  gemini: {
    "session/load, where it is offered, tells what was said, in its order":
      "it says that it loads sessions, and finds none of those that it has begun",
  },
};

for (const { name, start } of otherAgents) {
  if (!Object.hasOwn(lacks, name)) continue;
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
    lacks: lacks[name] ?? {},
    deadlineMs: 60_000,
  });
}
