import { createClient, type Client } from "@incipit/transport-contract";
import type { LoadedConfig } from "../config/load-config.ts";
import { DataFolderHeld, readOrCreateToken } from "../data-folder.ts";

export interface Connection extends AsyncDisposable {
  readonly client: Client;
}

/** The host that runs on the data folder; where none does, one inside this process for as long as the command takes. */
export async function connect(loaded: LoadedConfig, cwd: string): Promise<Connection> {
  const { createHost } = await import("../create-host.ts");
  const listen = { host: "127.0.0.1", port: 0, allowed_hosts: [] };
  try {
    const host = await createHost({
      config: { ...loaded.config, listen },
      dataFolder: loaded.dataFolder,
      cwd,
      env: process.env,
      logLevel: "warn",
      writeLog: (line) => void process.stderr.write(line),
    });
    return { client: createClient(host), [Symbol.asyncDispose]: () => host.close() };
  } catch (error) {
    if (!(error instanceof DataFolderHeld) || error.holder === undefined) throw error;
    const client = createClient({ url: error.holder.url, token: readOrCreateToken(loaded.dataFolder) });
    return { client, [Symbol.asyncDispose]: async () => {} };
  }
}
