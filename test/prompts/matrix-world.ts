import {
  createTempFolder,
  startRecordingModelServer,
  type RecordingModelServer,
  type WireName,
} from "@incipit/testkit";
import { join } from "node:path";
import { HostProcess, incipit, type CommandResult } from "../support/host-process.ts";

export const vendors = [
  { name: "openai", kind: "openai", settings: 'api = "chat"', wire: "openai-chat" },
  { name: "responses", kind: "openai", settings: 'api = "responses"', wire: "openai-responses" },
  { name: "compatible", kind: "openai-compatible", settings: "", wire: "openai-chat" },
  { name: "deepseek", kind: "deepseek", settings: "", wire: "deepseek" },
  { name: "anthropic", kind: "anthropic", settings: "", wire: "anthropic" },
  { name: "google", kind: "google", settings: "", wire: "gemini" },
] as const satisfies readonly {
  readonly name: string;
  readonly kind: string;
  readonly settings: string;
  readonly wire: WireName;
}[];
export type Vendor = (typeof vendors)[number];

const key = "sk-matrix-0123456789";

export interface MatrixOptions {
  readonly head: string;
  readonly tables: string;
}

export class MatrixWorld implements AsyncDisposable {
  readonly folder: string;
  readonly model: RecordingModelServer;
  readonly host: HostProcess;
  readonly #scope: AsyncDisposableStack;

  private constructor(
    scope: AsyncDisposableStack,
    world: { readonly folder: string; readonly model: RecordingModelServer; readonly host: HostProcess },
  ) {
    this.#scope = scope;
    this.folder = world.folder;
    this.model = world.model;
    this.host = world.host;
  }

  static async start({ head, tables }: MatrixOptions): Promise<MatrixWorld> {
    const scope = new AsyncDisposableStack();
    const { path: folder } = scope.use(await createTempFolder());
    const model = scope.use(await startRecordingModelServer());
    const providers = vendors.map(
      ({ name, kind, settings, wire }) =>
        `[providers.${name}]\nkind = "${kind}"\n${settings}\nbase_url = "${model.urlOf(wire)}"\napi_key_env = "MATRIX_KEY"\n`,
    );
    await Bun.write(configOf(folder), `${head}\n${providers.join("")}\n${tables}`);
    await Bun.write(join(folder, "AGENTS.md"), "Agents read this first: é 漢 🎉 $& \\n");
    return new MatrixWorld(scope, { folder, model, host: await startHost(folder) });
  }

  command(args: readonly string[], input?: string): Promise<CommandResult> {
    const where = ["--data", join(this.folder, "data"), "--config", configOf(this.folder)];
    return incipit([...args, ...where], {
      cwd: this.folder,
      home: this.folder,
      ...(input === undefined ? {} : { input }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }
}

function configOf(folder: string): string {
  return join(folder, "incipit.toml");
}

function startHost(folder: string): Promise<HostProcess> {
  const where = { data: join(folder, "data"), config: configOf(folder), cwd: folder };
  return HostProcess.start({ ...where, env: { MATRIX_KEY: key } });
}
