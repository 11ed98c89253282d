import type { ModelMessage } from "@incipit/schema";

export interface Told {
  readonly messageCount: number;
  readonly messagesSha256: string;
}

export interface Untold {
  readonly before: readonly ModelMessage[];
  readonly prompt: readonly ModelMessage[];
}

export function toldOf(messages: readonly ModelMessage[]): Told {
  return { messageCount: messages.length, messagesSha256: hash(messages) };
}

export function continuesFrom(messages: readonly ModelMessage[], told: Told): boolean {
  const { messageCount, messagesSha256 } = told;
  return messageCount <= messages.length && hash(messages.slice(0, messageCount)) === messagesSha256;
}

/** Returns the messages after the received prefix and the agent's own answer to it. */
export function untold(messages: readonly ModelMessage[], told: Told | undefined, provider: string): Untold {
  const rest = messages.slice(told?.messageCount ?? 0);
  const isOther = (message: ModelMessage): boolean => message.role !== "user";
  const last = rest.findLastIndex(isOther) + 1;
  // A new session is prompted with only the newest message: earlier ones may be a summary, or long past.
  const from = told === undefined ? Math.max(0, rest.length - 1) : last;
  const own = told === undefined ? 0 : ownAnswer(rest, provider);
  return { before: rest.slice(Math.min(own, from), from), prompt: rest.slice(from) };
}

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
