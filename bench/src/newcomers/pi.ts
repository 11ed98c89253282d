import { packageName, version } from "../programs/pi.ts";
import { notes, originOf, type Newcomer } from "./newcomer.ts";

const ask = ["pi", "--print", "--model", "anthropic/claude-sonnet-4-5"];

export const pi: Newcomer = {
  name: `pi ${version}`,
  packageName: `${packageName}@${version}`,
  pointTo: (server) => ({
    env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
    files: { ".pi/agent/models.json": JSON.stringify({ providers: { anthropic: { baseUrl: originOf(server) } } }) },
  }),
  question: [...ask, "What is a monad?"],
  ownPrompt: [[...ask, "--append-system-prompt", notes.name, "Where is the parser?"]],
};
