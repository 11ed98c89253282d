import { maxShownLength } from "./limits.ts";
import type { ToolContent, UpdateContent } from "./session-update.ts";

export function bounded(text: string): string {
  if (text.length <= maxShownLength) return text;
  const cut = text.length - maxShownLength;
  return `${text.slice(0, maxShownLength).toWellFormed()}\n[cut: ${cut} more characters]`;
}

export function contentText({ type, text = "", uri = "", name, mimeType }: UpdateContent): string {
  switch (type) {
    case "text":
      return text;
    case "resource_link":
      return `[${name ?? uri}](${uri})`;
    case "resource":
      return "[an embedded resource]";
    default:
      return `[${type}${typeof mimeType === "string" ? `, ${mimeType}` : ""}]`;
  }
}

export function toolContentText(content: readonly ToolContent[]): string {
  return content
    .map((item) => {
      if (item.type === "content") return contentText(item.content);
      return item.type === "diff" ? diffText(item) : "[a terminal of the agent's]";
    })
    .join("\n");
}

function diffText({ path, oldText, newText }: Extract<ToolContent, { type: "diff" }>): string {
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const gone = before.slice(start, before.length - end).map((line) => `-${line}`);
  const come = after.slice(start, after.length - end).map((line) => `+${line}`);
  return [`--- ${path}`, `+++ ${path}`, `@@ line ${start + 1} @@`, ...gone, ...come].join("\n");
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
