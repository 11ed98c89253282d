import { elementsOf, membersOf, type Span } from "./json-scan.ts";

/** A part of a body that vendors include in cache keys. */
export interface LayoutPart extends Span {
  /** Identifies the same part in another body. */
  readonly id: string;
  /** Display name: `tools`, `system`, `settings`, `message:0` … */
  readonly name: string;
}

/** Grow with a conversation: chat completions and Anthropic, Gemini, OpenAI's Responses. */
const listKeys = new Set(["messages", "contents", "input"]);
const systemKeys = new Set(["system", "systemInstruction", "instructions"]);
/**
 * In vendors' cache keys: https://docs.claude.com/en/docs/build-with-claude/prompt-caching,
 * https://platform.openai.com/docs/guides/prompt-caching
 */
const settingKeys = new Set(["response_format", "text", "thinking", "tool_choice", "toolConfig"]);
const opensSystem = /^\{\s*"role"\s*:\s*"(system|developer)"/;

/**
 * Returns the parts of a vendor's cache key in key order (tools, system, settings, messages), regardless of their
 * order in the body; `undefined` for an unknown format.
 */
export function requestLayout(body: string): readonly LayoutPart[] | undefined {
  const members = membersOf(body);
  const list = members?.find(({ key }) => listKeys.has(key));
  if (members === undefined || list === undefined) return undefined;
  const named = (keys: ReadonlySet<string>, name: string): readonly LayoutPart[] =>
    members
      .filter(({ key }) => keys.has(key))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ key, start, end }) => ({ id: `member:${key}`, name, start, end }));
  const entries = elementsOf(body, list);
  const firstMessage = entries.findIndex(({ start }) => !opensSystem.test(body.slice(start, start + 64)));
  const systemCount = firstMessage === -1 ? entries.length : firstMessage;
  return [
    ...named(new Set(["tools"]), "tools"),
    ...named(systemKeys, "system"),
    ...entries.slice(0, systemCount).map((span, index) => ({ id: `system:${index}`, name: "system", ...span })),
    ...named(settingKeys, "settings"),
    ...entries
      .slice(systemCount)
      .map((span, index) => ({ id: `entry:${index}`, name: `message:${index}`, ...span })),
  ];
}
