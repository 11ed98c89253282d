import { join } from "node:path";
import { createAgentsWorld, type AgentsWorld } from "../agents/agents-world.ts";
import { manyTools, manyToolsServer, type ListedTool } from "./many-tools-server.ts";

export interface LookupWorld extends AsyncDisposable {
  readonly world: AgentsWorld;
  list(tools: readonly ListedTool[]): Promise<void>;
  restart(config?: string): Promise<void>;
  calls(): Promise<readonly unknown[]>;
}

const reload = { name: "reload", description: "Reads the list again", inputSchema: { type: "object" } };

export async function createLookupWorld({
  tools = manyTools(2_999),
  server = "",
  config = "",
  env = {},
  isOpenai = false,
}: {
  readonly tools?: readonly ListedTool[];
  readonly server?: string;
  readonly config?: string | ((world: AgentsWorld) => string);
  readonly env?: Readonly<Record<string, string>>;
  readonly isOpenai?: boolean;
} = {}): Promise<LookupWorld> {
  const world = await createAgentsWorld({ env, isOpenai });
  const program = join(world.home, "many.mjs");
  const file = join(world.home, "tools.json");
  const list = async (next: readonly ListedTool[]): Promise<void> =>
    void (await Bun.write(file, JSON.stringify([...next, reload])));
  const command = `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([program, file])}`;
  const given = typeof config === "string" ? config : config(world);
  const restart = (own = given): Promise<void> =>
    world.restart(`${own}\n[mcp.servers.crm]\n${command}\n${server}\n`);
  await Bun.write(program, manyToolsServer);
  await Bun.write(`${file}.calls`, "");
  await list(tools);
  await restart();
  return {
    world,
    list,
    restart,
    async calls() {
      const lines = (await Bun.file(`${file}.calls`).text()).split("\n");
      return lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
