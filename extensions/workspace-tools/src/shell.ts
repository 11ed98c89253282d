import type { Spawn, SpawnResult } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { cutText } from "./cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { maxResultBytes } from "./limits.ts";
import { hasProgramsOutside } from "./programs-outside.ts";
import { NewestLine } from "./newest-line.ts";
import { grantedShell, shellPreview, shellScopes } from "./shell-grants.ts";

/** Room for the note behind the output. */
const maxOutputBytes = maxResultBytes - 500;
const maxTimeoutSeconds = 600;

export function shellTool(spawn: Spawn): Tool {
  return defineTool({
    name: "shell",
    description:
      "Runs a command with sh in the working folder and gives what it prints, stdout and stderr together, and its exit code. There is no input. What it leaves running is killed at its end.",
    approval: "ask",
    isReadOnly: false,
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
      // Both streams as one, in the order in which they were written.
      const result = await spawn.run("sh", ["-c", `${prelude}\n${command}`], {
        cwd,
        signal,
        maxOutputBytes,
        overflow: "drop",
        timeoutMs: timeoutSeconds * 1_000,
        ...(newest === undefined ? {} : { onOutput: (bytes) => newest.take(bytes) }),
      });
      const { output, isCut } = shownOutput(result);
      const notes = [];
      if (result.droppedBytes !== undefined) notes.push(`[cut: ${result.droppedBytes} more bytes were printed]`);
      else if (isCut) notes.push("[cut: more was printed]");
      if (result.kind === "exited") return [...output, ...notes, `[exit code ${result.exitCode}]`].join("\n");
      throw new Error([...output, ...notes, `[${endOf(result, timeoutSeconds)}]`].join("\n"));
    },
  });
}

/**
 * Both streams as one. Git looks for no bare repository by itself: a folder with `HEAD`, `config`, `objects` and `refs` is one, and
 * its configuration starts programs, although nobody protects files of such names.
 */
const prelude = [
  "exec 2>&1",
  "incipit_n=${GIT_CONFIG_COUNT:-0}",
  'export "GIT_CONFIG_KEY_$incipit_n=safe.bareRepository" "GIT_CONFIG_VALUE_$incipit_n=explicit"',
  "export GIT_CONFIG_COUNT=$((incipit_n + 1))",
  "unset incipit_n",
].join("\n");

/** What is no UTF-8 takes more bytes once it is replaced. */
function shownOutput({ stdout }: SpawnResult): { readonly output: readonly string[]; readonly isCut: boolean } {
  const text = new TextDecoder().decode(stdout ?? new Uint8Array());
  const shown = cutText(text, maxOutputBytes);
  return { output: shown === "" ? [] : [shown.replace(/\n$/, "")], isCut: shown !== text };
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
