import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { linesOf } from "../lines-of.ts";
import { within } from "../within.ts";
import { installPackage } from "./install-package.ts";
import { turnTimeoutMs, type Program, type ProgramKind, type ProgramOptions } from "./program.ts";

/** Version of the npm package that contains the executable, which has a different version. */
const sdkVersion = "0.3.318";
const version = "2.1.318";
const eventSchema = z.looseObject({ type: z.string(), subtype: z.string().optional() });

/** Runs `claude` headless, with JSON Lines as messages: https://code.claude.com/docs/en/headless */
export const claudeCode: ProgramKind = {
  name: `Claude Code ${version}`,
  async prepare() {
    const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
    const folder = await installPackage(name, sdkVersion);
    return (options) => startClaude(join(folder, "node_modules", name, "claude"), options);
  },
};

async function startClaude(binary: string, { folder, modelUrl }: ProgramOptions): Promise<Program> {
  const cwd = join(folder, "work");
  await mkdir(cwd, { recursive: true });
  const startMs = performance.now();
  const formats = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const child = Bun.spawn([binary, "-p", ...formats, "--model", "claude-sonnet-4-5"], {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: new URL(modelUrl).origin,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const lines = linesOf(child.stdout);
  const waitForResult = async (): Promise<void> => {
    for (;;) {
      const { done, value: line } = await lines.next();
      if (done === true) throw new Error("Claude Code ended");
      const { type, subtype } = eventSchema.parse(JSON.parse(line));
      if (type !== "result") continue;
      if (subtype !== "success") throw new Error(`A turn of Claude Code ended: ${line.slice(0, 200)}`);
      return;
    }
  };
  return {
    pid: child.pid,
    // It prints nothing before its first message.
    readyMs: performance.now() - startMs,
    async takeTurn(input) {
      void child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: input } })}\n`);
      void child.stdin.flush();
      await within("a turn of Claude Code", turnTimeoutMs, waitForResult);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}
