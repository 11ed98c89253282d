import { isPromptPath } from "@incipit/schema";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, normalize } from "node:path";
import type { Problem } from "./check-table.ts";
import { valueAt } from "./config-layer.ts";
import type { Config } from "./config-schema.ts";

/** Returns prompts that are the path of a file: the model would receive the path instead of the text. */
export function promptPathProblems(config: Config): readonly Problem[] {
  const keys = ["system_prompt", "append_system_prompt"];
  const places = [[], ...Object.keys(config.profiles).map((name) => ["profiles", name])];
  return places
    .flatMap((place) => keys.map((key) => [...place, key]))
    .flatMap((path) => {
      const text = valueAt(config, path);
      return typeof text === "string" && isFilePath(text) ? [{ path, message: problemOf(text.trim()) }] : [];
    });
}

export function isFilePath(text: string): boolean {
  if (isPromptPath(text)) return true;
  const path = text.trim();
  if (!isAbsolute(path) || /[\n\r]/.test(path)) return false;
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function problemOf(written: string): string {
  const path = /^~[\\/]/.test(written) ? join(homedir(), written.slice(2)) : normalize(written);
  const quoted = JSON.stringify(written);
  const read = isAbsolute(path) ? `, and [prompt] read = ["$cwd", ${JSON.stringify(dirname(path))}]` : "";
  return `is ${quoted}, which is a file path, not text; to send its content, write "[file:${path}]"${read}`;
}
