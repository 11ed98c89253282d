import { declaredMethods } from "./declared-methods.ts";

export type BotMethod = keyof typeof declaredMethods;

/** As documented at https://core.telegram.org/bots/api. */
export interface BotParameter {
  /** `chat`: an id or a public name; `json`: an object or a list. */
  readonly kind: (typeof kinds)[number];
  readonly isRequired: boolean;
  /** Without formatting. */
  readonly max: number;
}

const kinds = ["boolean", "chat", "file", "integer", "json", "text"] as const;

export const botMethods = Object.keys(declaredMethods).filter((name): name is BotMethod => name in declaredMethods);

/** From `name`, `!` when required, kind and limit. */
export function botParameters(method: BotMethod): ReadonlyMap<string, BotParameter> {
  const found = new Map<string, BotParameter>();
  for (const [, name = "", mark, word, max] of declaredMethods[method].matchAll(/(\w+)(!?) (\w+)(?: (\d+))?/g)) {
    const kind = kinds.find((known) => known === word);
    if (kind === undefined) throw new Error(`"${word}" of "${method}" is no kind of parameter`);
    found.set(name, { kind, isRequired: mark === "!", max: max === undefined ? Infinity : Number(max) });
  }
  return found;
}
