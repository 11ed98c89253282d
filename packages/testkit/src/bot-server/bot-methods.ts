import { declaredMethods } from "./declared-methods.ts";

export type BotMethod = keyof typeof declaredMethods;

/** A parameter as https://core.telegram.org/bots/api has it. */
export interface BotParameter {
  /** `chat`: the number of a chat, or the name of a public one. `json`: an object or a list. */
  readonly kind: (typeof kinds)[number];
  readonly isRequired: boolean;
  /** Most characters of a text; formatting is not counted. */
  readonly max: number;
}

const kinds = ["boolean", "chat", "file", "integer", "json", "text"] as const;

export const botMethods = Object.keys(declaredMethods).filter((name): name is BotMethod => name in declaredMethods);

/** The parameters of a method by their names. In the table each is its name, `!` when it is required, its kind and its bound. */
export function botParameters(method: BotMethod): ReadonlyMap<string, BotParameter> {
  const found = new Map<string, BotParameter>();
  for (const [, name = "", mark, word, max] of declaredMethods[method].matchAll(/(\w+)(!?) (\w+)(?: (\d+))?/g)) {
    const kind = kinds.find((known) => known === word);
    if (kind === undefined) throw new Error(`"${word}" of "${method}" is no kind of parameter`);
    found.set(name, { kind, isRequired: mark === "!", max: max === undefined ? Infinity : Number(max) });
  }
  return found;
}
