import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { within } from "../within.ts";
import { installPackage } from "./install-package.ts";
import { readyTimeoutMs, turnTimeoutMs, type Program, type ProgramKind, type ProgramOptions } from "./program.ts";

export const version = "1.18.33";
const sessionSchema = z.object({ id: z.string() });
const answerSchema = z.object({ info: z.object({ finish: z.literal("stop") }) });

/** Runs `opencode serve`: https://opencode.ai/docs/server/ */
export const opencode: ProgramKind = {
  name: `opencode ${version}`,
  async prepare() {
    const folder = await installPackage("opencode-ai", version);
    // Run directly: the package's launcher would add a process.
    const binary = join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`);
    if (!(await Bun.file(binary).exists())) throw new Error(`it has no binary for ${process.platform}`);
    return (options) => startOpencode(binary, options);
  },
};

function environmentOf({ folder, modelUrl }: ProgramOptions): Record<string, string> {
  const config = {
    autoupdate: false,
    share: "disabled",
    model: "bench/m",
    small_model: "bench/m",
    enabled_providers: ["bench"],
    provider: {
      bench: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: modelUrl, apiKey: "none" },
        models: { m: { name: "m" } },
      },
    },
  };
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    npm_config_registry: "http://127.0.0.1:9", // Blocks the plugin installation at the first conversation.
    npm_config_fetch_retries: "0",
  };
}

async function startOpencode(binary: string, options: ProgramOptions): Promise<Program> {
  const cwd = join(options.folder, "work");
  await mkdir(cwd, { recursive: true });
  const startMs = performance.now();
  const child = Bun.spawn([binary, "serve", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd,
    env: environmentOf(options),
    stdout: "pipe",
    stderr: "ignore",
  });
  const end = async (): Promise<void> => {
    child.kill();
    await child.exited;
  };
  try {
    const url = await within("opencode to be ready", readyTimeoutMs, () => readUrl(child.stdout));
    const readyMs = performance.now() - startMs;
    let id: string | undefined;
    return {
      pid: child.pid,
      readyMs,
      async takeTurn(input) {
        // It would otherwise ask the model for a title.
        id ??= sessionSchema.parse(await post(`${url}/session`, { title: "bench" })).id;
        // Responds at the end of the turn, not later than its events.
        answerSchema.parse(await post(`${url}/session/${id}/message`, { parts: [{ type: "text", text: input }] }));
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function readUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`opencode ended: ${text}`);
    text += decoder.decode(value, { stream: true });
    const url = /listening on (\S+)\n/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(turnTimeoutMs),
  });
  return response.json();
}
