import mcpTools from "@incipit/mcp";
import {
  toolServersHandle,
  toolSourcesPoint,
  type Tool,
  type ToolServers,
  type ToolSourceAnswer,
} from "@incipit/service-contract";
import type { JsonValue } from "@incipit/kernel";
import {
  answerText,
  createTempFolder,
  startExtension,
  type StartedExtension,
  type StartExtensionOptions,
  type TempFolder,
} from "@incipit/testkit";
import { join } from "node:path";
import { createEnvironment, createNet, createSpawn, systemClock } from "@incipit/host/drivers";

export const secret = "planted-secret-value";

export const fixtureServer = join(import.meta.dir, "mcp-fixture-server.ts");

export class McpWorld implements AsyncDisposable {
  readonly started: StartedExtension;
  readonly folder: TempFolder;

  private constructor(started: StartedExtension, folder: TempFolder) {
    this.started = started;
    this.folder = folder;
  }

  static async start(
    servers: (world: { readonly pids: string; readonly go: string }) => Readonly<Record<string, JsonValue>>,
    { grant }: Pick<StartExtensionOptions, "grant"> = {},
  ): Promise<McpWorld> {
    const folder = await createTempFolder();
    const env = { PATH: process.env["PATH"], ACME_SECRET: secret };
    const configured = servers({ pids: join(folder.path, "pids"), go: join(folder.path, "go") });
    const started = await startExtension(mcpTools, {
      ...(grant === undefined ? {} : { grant }),
      config: { mcp: { servers: configured } },
      defaults: { cwd: folder.path },
      drivers: {
        spawn: (extension, grant) => createSpawn(extension, grant, { clock: systemClock, env }),
        net: (extension, grant) => createNet(extension, grant, systemClock),
        env: (extension, grant) =>
          createEnvironment(extension, grant, { variables: env, onGiven: () => undefined }),
      },
    });
    return new McpWorld(started, folder);
  }

  static startFixture(behaviour: string, settings: Readonly<Record<string, JsonValue>> = {}): Promise<McpWorld> {
    return McpWorld.start(({ pids, go }) => ({
      x: { command: process.execPath, args: [fixtureServer, behaviour, pids, go], ...settings },
    }));
  }

  list(signal = new AbortController().signal, cwd = "/"): Promise<ToolSourceAnswer> {
    const source = this.started.contribution(toolSourcesPoint);
    return source.tools({ conversationId: "conversation-1", cwd, signal });
  }

  async tool(name: string, cwd = "/"): Promise<Tool> {
    const { tools, problems } = await this.list(undefined, cwd);
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined)
      throw new Error(
        `There is no "${name}" in ${tools.map((entry) => entry.name).join(", ")}; ${problems.join()}`,
      );
    return tool;
  }

  async call(name: string, input: unknown = {}, signal = new AbortController().signal, cwd = "/"): Promise<string> {
    const tool = await this.tool(name, cwd);
    return Promise.resolve(tool.execute(input, { conversationId: "conversation-1", cwd, signal }))
      .then(answerText)
      .catch((error: Error) => `error: ${error.message}`);
  }

  /**
   * One line at start, one per request that the fixtures never answer. Sleeps between checks to leave them the
   * processor.
   */
  async written(lines: number): Promise<void> {
    const file = join(this.folder.path, "pids");
    for (;;) {
      const text = await Bun.file(file)
        .text()
        .catch(() => "");
      if (text.split("\n").length > lines) return;
      await Bun.sleep(5);
    }
  }

  async pids(): Promise<readonly number[]> {
    const text = await Bun.file(join(this.folder.path, "pids"))
      .text()
      .catch(() => "");
    return text.split("\n").flatMap((line) => (line === "" ? [] : [Number(line)]));
  }

  async go(): Promise<void> {
    await Bun.write(join(this.folder.path, "go"), "");
  }

  get servers(): ToolServers {
    return this.started.service(toolServersHandle);
  }

  get logs(): string {
    return this.started.logs.map(({ level, message }) => `${level} ${message}`).join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.started[Symbol.asyncDispose]();
    await this.folder[Symbol.asyncDispose]();
  }
}

export async function ended(pid: number): Promise<void> {
  for (;;) {
    const stat = await Bun.file(`/proc/${pid}/stat`)
      .text()
      .catch(() => "");
    // A zombie (killed, not yet reaped by its parent) counts as exited.
    if (stat === "" || /\) Z /.test(stat)) return;
    await Bun.sleep(5);
  }
}
