import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { agentOptionsSchema, type AgentOptions } from "./agent-options.ts";

const messageSchema = z.looseObject({ method: z.string().optional(), params: z.unknown().optional() });

/** A message that an agent has received. */
export type ReceivedMessage = z.output<typeof messageSchema>;

/** A scripted agent, and what its processes have received. */
export interface RecordedAgent {
  /** Program and arguments that start it. */
  readonly command: readonly string[];
  /** Process ids, in the order in which they were started. */
  processes(): Promise<readonly number[]>;
  /** Byte for byte, for each process. */
  received(): Promise<readonly string[]>;
  /** All of it as messages, in order. */
  messages(): Promise<readonly ReceivedMessage[]>;
}

/**
 * An agent of the Agent Client Protocol as a program, which does what the last text of each prompt says, a line each:
 * docs are in `agent-actions.ts`. Nothing runs until its command does.
 * @param folder Where it keeps its sessions and what it has received; empty at first.
 */
export function recordedAgent(folder: string, options: AgentOptions = {}): RecordedAgent {
  const program = fileURLToPath(import.meta.resolve("@incipit/testkit/scripted-agent"));
  agentOptionsSchema.parse(options);
  const place = join(folder, "received");
  const files = async (): Promise<readonly string[]> => (await readdir(place).catch((): string[] => [])).toSorted();
  const received = async (): Promise<readonly string[]> =>
    Promise.all((await files()).map((name) => Bun.file(join(place, name)).text()));
  return {
    command: [process.execPath, program, folder, JSON.stringify(options)],
    processes: async () => (await files()).map((name) => Number(name.slice(name.indexOf("-") + 1))),
    received,
    messages: async () =>
      (await received())
        .flatMap((text) => text.split("\n"))
        .filter((line) => line !== "")
        .map((line) => messageSchema.parse(JSON.parse(line))),
  };
}
