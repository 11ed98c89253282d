import { createClient, type Client } from "@incipit/transport-contract";
import { join } from "node:path";
import * as z from "zod";
import { residentBytes } from "./process-memory.ts";
import { within } from "./within.ts";

const readySchema = z.object({ url: z.string(), token: z.string() });
const main = join(import.meta.dir, "../../packages/host-bin/src/main.ts");
/** Ignores Bun's configuration files in the working folder, like "./incipit". */
const sourceCommand = [
  process.execPath,
  "--no-env-file",
  "--config=/dev/null",
  "--tsconfig-override=/dev/null",
  main,
];

export interface HostProcessOptions {
  /** For configuration, data and conversations. */
  readonly folder: string;
  /** Absent: the built-in model. */
  readonly modelUrl?: string;
  /** Defaults to the source. */
  readonly command?: readonly string[];
  readonly settings?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Started like `incipit serve`. */
export interface HostProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  readonly client: Client;
  /** From the start to the line with its URL. */
  readonly readyMs: number;
  residentBytes(): Promise<number>;
}

export function dataFolderOf(folder: string): string {
  return join(folder, "data");
}

/** @throws when it exits or is not ready in time. */
export async function startHostProcess(options: HostProcessOptions): Promise<HostProcess> {
  const { folder, modelUrl, settings = "" } = options;
  const provider = `model = "local/m"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${modelUrl}"\n`;
  const config = join(folder, "incipit.toml");
  await Bun.write(config, `${modelUrl === undefined ? "" : provider}${settings}`);
  const flags = ["--port", "0", "--json", "--config", config, "--data", dataFolderOf(folder)];
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, ...options.env };
  const startMs = performance.now();
  const log = Bun.file(join(folder, "log"));
  const command = [...(options.command ?? sourceCommand), "serve", ...flags];
  const child = Bun.spawn(command, { cwd: folder, env, stdout: "pipe", stderr: log });
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
  };
  try {
    const first = await within("the host to be ready", 30_000, () => child.stdout.getReader().read());
    const readyMs = performance.now() - startMs;
    // A failed host closes its output quickly.
    if (first.value === undefined) throw new Error(`The host did not start: ${await log.text()}`);
    const { url, token } = readySchema.parse(JSON.parse(new TextDecoder().decode(first.value)));
    return {
      pid: child.pid,
      url,
      token,
      client: createClient({ url, token }),
      readyMs,
      residentBytes: () => residentBytes(child.pid),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
