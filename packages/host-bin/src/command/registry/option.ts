import { suggestion } from "@incipit/common/suggestion";
import { UsageError } from "./usage-error.ts";

export interface Option {
  /** As typed, without dashes. Several options may share a flag; a command takes at most one of them. */
  readonly flag: string;
  readonly short?: string;
  /** Absent: the option is a switch. Lower-case alternatives, such as `replace|append`, are the only valid values. */
  readonly value?: string;
  readonly isMultiple?: true;
  readonly summary: string;
  /** @throws {UsageError} */
  readonly parse?: (text: string, flag: string) => unknown;
}

export type Alternatives<Text extends string> = Text extends `${infer First}|${infer Rest}`
  ? First | Alternatives<Rest>
  : Text;

export type OptionValue<One> = One extends { readonly isMultiple: true }
  ? readonly string[]
  : One extends { readonly parse: (...args: never[]) => infer Value }
    ? Value | undefined
    : One extends { readonly value: infer Value extends string }
      ? (Value extends Lowercase<Value> ? Alternatives<Value> : string) | undefined
      : boolean;

/** Converts what the runtime has parsed, or its absence. */
export function parseOption({ flag, value, isMultiple, parse }: Option, text: unknown): unknown {
  if (value === undefined) return text === true;
  if (isMultiple === true) return text ?? [];
  if (typeof text !== "string") return undefined;
  if (parse !== undefined) return parse(text, flag);
  const known = value === value.toLowerCase() ? literalsOf(value) : [];
  if (known.length === 0 || known.includes(text)) return text;
  throw new UsageError(`"--${flag} ${text}" is not valid${suggestion(text, known)}`);
}

/** The lower-case alternatives of a placeholder; none for a free value. */
export function literalsOf(placeholder: string): readonly string[] {
  return placeholder.split("|").filter((alternative) => /^[a-z]/.test(alternative));
}
