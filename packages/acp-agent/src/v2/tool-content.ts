import type { DiffPatch, ToolCallContent } from "@agentclientprotocol/sdk/experimental/v2/unstable";
import type { ToolCallContent as ShownContent } from "@agentclientprotocol/sdk/unstable";
import { lineOfDiff } from "../tools/diff-line.ts";
import { fenced } from "../tools/fenced.ts";
import { changePatch, newFilePatch, type PatchHunk } from "./git-patch.ts";

type ShownDiff = Extract<ShownContent, { type: "diff" }>;

/** Converts the content of a tool call to version 2, where diffs are patches, one per file. */
export function toolContent(shown: readonly ShownContent[]): ToolCallContent[] {
  const content: ToolCallContent[] = [];
  const hunks = new Map<string, PatchHunk[]>();
  for (const one of shown) {
    if (one.type !== "diff") {
      content.push(one);
      continue;
    }
    const newLine = lineOfDiff(one);
    if (newLine === undefined) {
      content.push(...wholeOrPart(one));
      continue;
    }
    const { path, newText, oldText } = one;
    const ofFile = hunks.get(path) ?? [];
    // Without remaining lines, the header names the previous line.
    const begin = newText === "" ? newLine + 1 : newLine;
    hunks.set(path, [...ofFile, { newLine: begin, oldText: oldText ?? "", newText }]);
  }
  const patches = [...hunks].map(([path, ofFile]) => changeOf(path, changePatch(path, ofFile)));
  return [...patches, ...content];
}

function wholeOrPart({ path, oldText, newText }: ShownDiff): readonly ToolCallContent[] {
  if (oldText === null || oldText === undefined) {
    const changes = [{ operation: "add" as const, path, fileType: "text" }];
    return [{ type: "diff", changes, patch: patchOf(newFilePatch(path, newText)) }];
  }
  // A fragment without known position cannot be a patch, which has line numbers.
  const text = [prefixed("-", oldText), prefixed("+", newText)].join("\n");
  return [changeOf(path), { type: "content", content: { type: "text", text: fenced(text, "diff") } }];
}

function changeOf(path: string, patch?: string): ToolCallContent {
  const changes = [{ operation: "modify" as const, path, fileType: "text" }];
  return { type: "diff", changes, ...(patch === undefined ? {} : { patch: patchOf(patch) }) };
}

function patchOf(text: string): DiffPatch {
  return { format: "git_patch", text };
}

function prefixed(sign: string, text: string): string {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => sign + line)
    .join("\n");
}
