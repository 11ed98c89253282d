import type { Spawn, SpawnResult } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { hasProgramsOutside } from "./programs-outside.ts";
import { outputText } from "./output-text.ts";
import { screenText } from "./screen-text.ts";
import { grantedShell, shellPreview, shellScopes } from "./shell-grants.ts";

/** Maximum size of the stored output; the host truncates the model's copy. */
const maxOutputBytes = 16_777_216;
/** Kept end of the output beyond the kept start. */
const maxLastBytes = 262_144;
const maxTimeoutSeconds = 600;
/** Extra time of the host's own timeout, which would end the call without a result. */
const endTimeoutMs = 10_000;

export function shellTool(spawn: Spawn): Tool {
  return defineTool({
    name: "shell",
    description:
      "Runs a command with sh in the working folder and gives what it prints, stdout and stderr together, and its exit code. There is no input. What it leaves running is killed at its end.",
    approval: "ask",
    isReadOnly: false,
    givesPartialOutput: true,
    timeoutMs: maxTimeoutSeconds * 1_000 + endTimeoutMs,
    input: z.strictObject({
      command: z.string().min(1).max(100_000),
      timeoutSeconds: z.int().min(1).max(maxTimeoutSeconds).default(120).describe("Then it is killed"),
    }),
    preview: async ({ command }, { cwd }) => shellPreview(command, cwd),
    grants: {
      by: async ({ command }, { patterns, cwd, signal }) => {
        const by = grantedShell(command, patterns);
        return (await hasProgramsOutside(command, { patterns: by, spawn, cwd, signal })) ? by : [];
      },
      scopes: async ({ command }) => shellScopes(command),
    },
    async run({ command, timeoutSeconds }, { cwd, signal, tellProgress }) {
      if (command.includes("\u0000")) throw new Error('Cannot run shell: "command" holds a NUL character');
      const newest = tellProgress === undefined ? undefined : new NewestLine(tellProgress);
      const last = new LastBytes(maxLastBytes);
      // Both streams in the order of writing.
      const result = await spawn.run("sh", ["-c", `${prelude}\n${command}`], {
        cwd,
        signal,
        maxOutputBytes,
        overflow: "drop",
        timeoutMs: timeoutSeconds * 1_000,
        onOutput: (bytes) => {
          newest?.take(bytes);
          last.take(bytes);
        },
      });
      const output = shownOutput(result, last);
      if (result.kind === "exited") return [...output, `[exit code ${result.exitCode}]`].join("\n");
      throw new Error([...output, `[${endOf(result, timeoutSeconds)}]`].join("\n"));
    },
  });
}

/**
 * Keeps git from discovering bare repositories: a folder with `HEAD`, `config`, `objects` and `refs` is one, and its
 * configuration can start programs, although files of such names are not protected.
 */
const prelude = [
  "exec 2>&1",
  "incipit_n=${GIT_CONFIG_COUNT:-0}",
  'export "GIT_CONFIG_KEY_$incipit_n=safe.bareRepository" "GIT_CONFIG_VALUE_$incipit_n=explicit"',
  "export GIT_CONFIG_COUNT=$((incipit_n + 1))",
  "unset incipit_n",
].join("\n");

function shownOutput(
  { stdout = new Uint8Array(), droppedBytes = 0 }: SpawnResult,
  last: LastBytes,
): readonly string[] {
  const end = last.bytes(droppedBytes);
  const left = droppedBytes - end.length;
  const note = left > 0 ? `\n[left out here, and not kept: ${left} bytes]\n` : "";
  const texts =
    left > 0 ? [outputText(stdout, "end"), outputText(end, "start")] : [outputText(Buffer.concat([stdout, end]))];
  const shown = texts.map(({ text }) => screenText(text)).join(note);
  const guess = texts.some(({ isGuessed }) => isGuessed)
    ? ["[lines that are not UTF-8: read as Windows-1252]"]
    : [];
  return shown === "" ? [] : [shown.replace(/\n$/, ""), ...guess];
}

function endOf(failed: SpawnResult & { readonly kind: "failed" }, timeoutSeconds: number): string {
  switch (failed.reason) {
    case "timeout":
      return `killed after ${timeoutSeconds} s`;
    case "aborted":
      return "stopped";
    case "cwd-not-found":
      return "did not run: the working folder does not exist";
    case "not-installed":
      return `did not run: there is no sh${process.platform === "win32" ? "; Git for Windows brings one" : ""}`;
    case "too-large":
    case "failed":
      return `failed: ${failed.detail ?? "the system does not say why"}`;
  }
}

class LastBytes {
  readonly #max: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  take(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (let first = this.#chunks[0]; first !== undefined && this.#size - first.length >= this.#max;) {
      this.#chunks.shift();
      this.#size -= first.length;
      first = this.#chunks[0];
    }
  }

  bytes(count: number): Uint8Array {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(Math.max(0, all.length - Math.min(count, this.#max)));
  }
}

type TellProgress = NonNullable<Parameters<Tool["execute"]>[1]["tellProgress"]>;

const maxLength = 300;

class NewestLine {
  readonly #tell: TellProgress;
  readonly #decoder = new TextDecoder();
  #open = "";
  #last = "";
  #count = 0;

  constructor(tell: TellProgress) {
    this.#tell = tell;
  }

  take(bytes: Uint8Array): void {
    const lines = (this.#open + this.#decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    this.#open = (lines.pop() ?? "").slice(-maxLength);
    this.#count += lines.length;
    this.#last = lines.findLast((line) => line.trim() !== "") ?? this.#last;
    // A redrawn progress bar is one line, of which the latest state counts.
    const shown = (this.#open.trim() === "" ? this.#last : this.#open)
      .split("\r")
      .findLast((part) => part.trim() !== "");
    if (shown !== undefined) this.#tell({ progress: this.#count, message: shown.slice(0, maxLength).trim() });
  }
}
