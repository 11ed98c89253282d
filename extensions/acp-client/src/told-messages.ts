import type { ModelMessage } from "@incipit/schema";

/** What an agent was told of a conversation: so many of its messages, which are still the same. */
export interface Told {
  readonly messageCount: number;
  readonly messagesSha256: string;
}

/** What is to be told before a prompt, and what it answers. */
export interface Untold {
  /** What was said without it, oldest first. */
  readonly before: readonly ModelMessage[];
  /** The newest messages, all of them a user's. */
  readonly prompt: readonly ModelMessage[];
}

export function toldOf(messages: readonly ModelMessage[]): Told {
  return { messageCount: messages.length, messagesSha256: hash(messages) };
}

/** Whether a conversation still begins with what was told: it was not compacted, imported or changed. */
export function goesOnFrom(messages: readonly ModelMessage[], told: Told): boolean {
  const { messageCount, messagesSha256 } = told;
  return messageCount <= messages.length && hash(messages.slice(0, messageCount)) === messagesSha256;
}

/**
 * What a session does not know yet: behind what was told, and behind its own answer to that.
 * @param told Absent: the session has just begun, and knows nothing.
 * @param provider The agent's name: what it said itself needs not be told.
 */
export function untold(messages: readonly ModelMessage[], told: Told | undefined, provider: string): Untold {
  const rest = messages.slice(told?.messageCount ?? 0);
  const isOther = (message: ModelMessage): boolean => message.role !== "user";
  const last = rest.findLastIndex(isOther) + 1;
  // A session that begins anew is asked the newest message alone: what stands before it may be a summary, or long past.
  const from = told === undefined ? Math.max(0, rest.length - 1) : last;
  const own = told === undefined ? 0 : ownAnswer(rest, provider);
  return { before: rest.slice(Math.min(own, from), from), prompt: rest.slice(from) };
}

/** How many of the messages are what the agent has answered by itself, and what its tools gave. */
function ownAnswer(messages: readonly ModelMessage[], provider: string): number {
  const other = messages.findIndex(({ role, model = "" }) => {
    if (role === "user") return true;
    return role === "assistant" && model !== "" && !model.startsWith(`${provider}/`);
  });
  return other === -1 ? messages.length : other;
}

function hash(messages: readonly ModelMessage[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const { role, parts } of messages) hasher.update(`${JSON.stringify([role, parts])}\n`);
  return hasher.digest("hex");
}
