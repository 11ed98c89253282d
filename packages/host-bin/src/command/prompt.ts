import { routes, type Client } from "@incipit/transport-contract";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { UsageError, type Arguments } from "./arguments.ts";
import { shownText, type Output } from "./output.ts";
import { tokenText } from "./token-text.ts";
import { workingFolder } from "./working-folder.ts";

/** `prompt show|set|preview`. */
export async function prompt(client: Client, args: Arguments, output: Output): Promise<number> {
  const [action = "show", ...rest] = args.words;
  const { out, err } = output;
  const tooMany = rest[action === "set" ? 1 : 0];
  if (tooMany !== undefined) throw new UsageError(`"prompt ${action}" takes no "${tooMany}"; put a text in quotes`);
  switch (action) {
    case "show": {
      const { template, source } = await client.call(routes.getSystemPrompt);
      out(args.isJson ? `${JSON.stringify({ template, source })}\n` : `${shownText(template, output)}\n`);
      if (!args.isJson) err(`(${source})\n`);
      return 0;
    }
    case "set": {
      const { template, from } = await readTemplate(rest[0]);
      await client.call(routes.setSystemPrompt, { body: { template } });
      if (args.isJson) out(`${JSON.stringify({ template })}\n`);
      err(`Stored ${from}. New conversations use it; others after they were compacted.\n`);
      return 0;
    }
    case "preview": {
      const body = {
        cwd: workingFolder(args),
        ...(args.model === undefined ? {} : { model: args.model }),
        ...(args.profile === undefined ? {} : { profile: args.profile }),
      };
      const { systemPrompt, explain } = await client.call(routes.previewSystemPrompt, { body });
      out(args.isJson ? `${JSON.stringify({ systemPrompt, explain })}\n` : `${shownText(systemPrompt, output)}\n`);
      if (args.isJson) return 0;
      for (const { type, name, reason } of explain.variables)
        if (reason !== null) err(`[${type}:${name}] is blank: ${reason}\n`);
      err(`(${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${explain.sha256})\n`);
      return 0;
    }
    default:
      throw new UsageError(`There is no "prompt ${action}"; there are show, set and preview`);
  }
}

/** A file when there is one of that name, `-` is standard input, anything else is the text itself. */
async function readTemplate(
  argument: string | undefined,
): Promise<{ readonly template: string; readonly from: string }> {
  if (argument === "-" || (argument === undefined && !process.stdin.isTTY))
    return { template: decode(await Bun.stdin.bytes(), "standard input"), from: "what standard input gave" };
  if (argument === undefined)
    throw new UsageError('What should the template be? Write: incipit prompt set "TEXT", a file, or "-"');
  if (isFile(argument)) {
    const template = decode(await readFile(argument), `"${argument}"`);
    return { template, from: `what the file "${argument}" holds` };
  }
  if (/^(\.{0,2}|~)\/\S+$|^\S+\.(md|txt)$/.test(argument))
    throw new UsageError(`There is no file "${argument}"; to store that text itself, give it to "prompt set -"`);
  return { template: argument, from: "the text" };
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // Too long for a path, or through what is no folder: then it is a text.
  }
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError(`Cannot store ${what}: it is no UTF-8 text`, { cause });
  }
}
