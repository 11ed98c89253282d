import { mutatedValue } from "../runs/mutated-value.ts";
import { RandomChoices } from "../runs/random-choices.ts";

const resource = { uri: "file:///work/b.txt", text: "b", mimeType: "text/plain" };

/** The whole protocol; `$cwd` and `$session` are placeholders. */
const validMessages: readonly object[] = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      clientInfo: { name: "quirky", version: "1.0.0" },
    },
  },
  {
    jsonrpc: "2.0",
    id: "two",
    method: "session/new",
    params: {
      cwd: "$cwd",
      mcpServers: [{ name: "x", command: "/nowhere/x", args: [], env: [{ name: "A", value: "1" }] }],
    },
  },
  {
    jsonrpc: "2.0",
    id: 3,
    method: "session/prompt",
    params: {
      sessionId: "$session",
      prompt: [
        { type: "text", text: "Hello", annotations: null },
        { type: "resource_link", name: "a.txt", uri: "file:///work/a.txt" },
        { type: "resource", resource },
        { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
      ],
    },
  },
  { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "$session" } },
  { jsonrpc: "2.0", id: 5, method: "session/list", params: { cwd: "$cwd", cursor: null } },
];

/** An editor's lines with a few mutations, in consecutive groups, reproducible by seed. */
export function mutatedEditor(seed: number): readonly (readonly string[])[] {
  const choices = new RandomChoices(seed);
  const touched = new Set([choices.below(validMessages.length), choices.below(validMessages.length)]);
  return validMessages.map((message, index) => {
    const line = JSON.stringify(message);
    if (!touched.has(index)) return [line];
    return choices.one<() => readonly string[]>([
      () => [line, line],
      () => [line.slice(0, 1 + choices.below(line.length)), line],
      () => ["null", "Welcome back", line],
      () => [`[${line}]`, line],
      ...Array<() => readonly string[]>(12).fill(() => [JSON.stringify(mutatedValue(message, choices))]),
    ])();
  });
}
