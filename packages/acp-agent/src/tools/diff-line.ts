import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";

/** Version 1 has no place for it in a diff. */
const lines = new WeakMap<ToolCallContent, number>();

/** A diff of whole lines, which begin at that line of the file as it will be; 1: the first. */
export function diffAt(line: number, diff: Extract<ToolCallContent, { type: "diff" }>): ToolCallContent {
  lines.set(diff, line);
  return diff;
}

/** Where such a diff begins; `undefined`: what it shows is a part of a text, or a whole file. */
export function lineOfDiff(diff: ToolCallContent): number | undefined {
  return lines.get(diff);
}
