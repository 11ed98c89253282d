import { elementsOf, membersOf, type Span } from "./json-scan.ts";

/** A part of a body that vendors key their caches on. */
export interface LayoutPart extends Span {
  /** Finds the same part in another body. */
  readonly id: string;
  /** What people call it: `tools`, `system`, `settings`, `message:0` … */
  readonly name: string;
}

/** The lists that grow with a conversation: of chat completions and Anthropic, of Gemini, of OpenAI's Responses. */
const listKeys = new Set(["messages", "contents", "input"]);
const systemKeys = new Set(["system", "systemInstruction", "instructions"]);
/**
 * Settings that vendors have in their cache's key: https://docs.claude.com/en/docs/build-with-claude/prompt-caching,
 * https://platform.openai.com/docs/guides/prompt-caching
 */
const settingKeys = new Set(["response_format", "text", "thinking", "tool_choice", "toolConfig"]);
const opensSystem = /^\{\s*"role"\s*:\s*"(system|developer)"/;

/**
 * What a vendor's cache is keyed on, in the order of the key: tools, system, settings, messages; in whatever order the body
 * has them. `undefined`: it is no body of a vendor that is known here.
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
