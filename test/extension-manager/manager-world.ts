import { createHost, parseConfig, type RunningHost } from "@incipit/host-bin";
import { createTempFolder } from "@incipit/testkit";
import { createClient, type Client } from "@incipit/transport-contract";
import { join } from "node:path";

export interface ExtensionSource {
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly activate?: string;
  readonly code?: string;
}

/** Writes the same manifest to package.json and to the code, as the host requires. */
export async function writeExtension(path: string, source: ExtensionSource = {}): Promise<void> {
  const { manifest = {}, activate = "", code } = source;
  const whole = { id: "acme.sample", version: "1.0.0", api: "^1", ...manifest };
  await Bun.write(join(path, "package.json"), JSON.stringify({ name: "sample", incipit: whole }));
  const generated = `import { defineExtension, defineHandle, definePoint } from "@incipit/kernel";
void [defineHandle, definePoint];
export default defineExtension(${JSON.stringify(whole)}, async (host) => {
  void host;
  ${activate};
});`;
  await Bun.write(join(path, "src/index.ts"), code ?? generated);
}

export interface ManagerWorld extends AsyncDisposable {
  readonly root: string;
  readonly path: string;
  readonly host: RunningHost;
  readonly client: Client;
  readonly logs: readonly string[];
  attribute(error: unknown): boolean;
  restart(config?: string): Promise<{ readonly host: RunningHost; readonly client: Client }>;
}

export async function createManagerWorld(
  env: Readonly<Record<string, string>> = {},
  timeouts: { readonly activateTimeoutMs?: number; readonly releaseTimeoutMs?: number } = {},
): Promise<ManagerWorld> {
  const folder = await createTempFolder();
  const logs: string[] = [];
  let attribute = (_error: unknown): boolean => false;
  const start = (config = ""): Promise<RunningHost> =>
    createHost({
      config: parseConfig(`listen.port = 0\n${config}`, "test", { dataFolder: join(folder.path, "data") }),
      dataFolder: join(folder.path, "data"),
      cwd: folder.path,
      env,
      writeLog: (line) => void logs.push(line),
      catchUncaught: (catcher) => {
        attribute = catcher;
      },
      timeouts: { activateTimeoutMs: 120_000, releaseTimeoutMs: 120_000, ...timeouts },
    });
  let host = await start();
  return {
    root: folder.path,
    path: join(folder.path, "sample"),
    get host() {
      return host;
    },
    get client() {
      return createClient(host);
    },
    logs,
    attribute: (error) => attribute(error),
    async restart(config) {
      await host.close();
      host = await start(config);
      return { host, client: createClient(host) };
    },
    async [Symbol.asyncDispose]() {
      await host.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it was taken",
    (error: unknown) => error,
  );
}
