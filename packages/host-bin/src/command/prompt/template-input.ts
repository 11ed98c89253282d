import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { UsageError } from "../registry/usage-error.ts";
import { decode } from "../arguments/decode-input.ts";

export interface TemplateInput {
  readonly template: string;
  readonly label: string;
  readonly from: string;
}

export async function readTemplate(argument: string, action: "set" | "lint" | "preview"): Promise<TemplateInput> {
  if (argument === "-") {
    const template = decode(await Bun.stdin.bytes(), "standard input");
    return { template, label: "stdin", from: "what standard input gave" };
  }
  if (isFile(argument)) {
    const template = decode(await readFile(argument), `"${argument}"`);
    return { template, label: argument, from: `what the file "${argument}" holds` };
  }
  if (/^(\.{0,2}|~)\/\S+$|^\S+\.(md|txt)$/.test(argument)) {
    const what = action === "set" ? "store" : "look at";
    throw new UsageError(
      `There is no file "${argument}"; to ${what} that text itself, give it to "prompt ${action} -"`,
    );
  }
  return { template: argument, label: "text", from: "the text" };
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // Too long for a path, or a path through a file.
  }
}
