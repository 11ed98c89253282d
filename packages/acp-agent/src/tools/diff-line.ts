import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";

/** Start lines of diffs, for which version 1 has no field. */
const lines = new WeakMap<ToolCallContent, number>();

/** Records the start line of a diff of whole lines in the new file, 1-based. */
export function diffAt(line: number, diff: Extract<ToolCallContent, { type: "diff" }>): ToolCallContent {
  lines.set(diff, line);
  return diff;
}

/** Returns the start line of a diff, or `undefined` for a fragment or a whole file. */
export function lineOfDiff(diff: ToolCallContent): number | undefined {
  return lines.get(diff);
}
