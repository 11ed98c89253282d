import { agentConformance, createTempFolder } from "@incipit/testkit";
import { realpath } from "node:fs/promises";
import { join } from "node:path";

agentConformance("of the protocol's own SDK, the smallest", {
  async open(scope) {
    const folder = scope.use(await createTempFolder());
    return {
      command: [process.execPath, join(import.meta.dir, "sdk-agent.ts")],
      cwd: await realpath(folder.path),
      hold: () => undefined,
    };
  },
  doesNotOffer: ["loadSession"],
  lacks: {
    "a line of 50 MB is answered, and so is what comes behind it":
      "its SDK ends the connection at a line of 32 MiB",
  },
});
