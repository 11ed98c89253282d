import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { agentOptionsSchema, type AgentOptions } from "./agent-options.ts";

const messageSchema = z.looseObject({ method: z.string().optional(), params: z.unknown().optional() });

export type ReceivedMessage = z.output<typeof messageSchema>;

export interface RecordedAgent {
  readonly command: readonly string[];
  /** Oldest first. */
  processes(): Promise<readonly number[]>;
  /** Returns what each process of the agent received, oldest first. */
  received(): Promise<readonly string[]>;
  messages(): Promise<readonly ReceivedMessage[]>;
}

/**
 * An ACP agent that executes the last text of each prompt line by line; see `agent-actions.ts`. Starts nothing itself.
 * @param folder For its sessions and recorded input; empty at first.
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
