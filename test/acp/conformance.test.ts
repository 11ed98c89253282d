import { agentConformance } from "@incipit/testkit";
import { join } from "node:path";
import { testedCommand } from "../support/host-process.ts";
import { createAcpWorld } from "./acp-world.ts";

agentConformance("incipit acp", {
  async open(scope) {
    const { model, options, cwd } = scope.use(await createAcpWorld());
    const { data, config } = options;
    return {
      command: [...testedCommand, "acp", "--data", data, "--config", config],
      cwd,
      env: { HOME: join(data, ".."), LANG: "C.UTF-8" },
      hold: () => model.enqueue({ kind: "text", chunks: ["Never", " ends"], gate: true }),
    };
  },
  deadlineMs: 60_000,
});
