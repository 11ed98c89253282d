import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { packageName, version } from "../programs/pi.ts";
import { notes, originOf, type Newcomer } from "./newcomer.ts";

const ask = ["pi", "--print", "--model", "anthropic/claude-sonnet-4-5"];

export const pi: Newcomer = {
  name: `pi ${version}`,
  packageName: `${packageName}@${version}`,
  async pointTo(server, home) {
    const folder = join(home, ".pi/agent");
    await mkdir(folder, { recursive: true });
    await Bun.write(
      join(folder, "models.json"),
      JSON.stringify({ providers: { anthropic: { baseUrl: originOf(server) } } }),
    );
    return { PI_OFFLINE: "1", PI_TELEMETRY: "0" };
  },
  question: [...ask, "What is a monad?"],
  ownPrompt: [[...ask, "--append-system-prompt", notes.name, "Where is the parser?"]],
};
