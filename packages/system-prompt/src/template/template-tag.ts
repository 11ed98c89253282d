/** `unclosed`, `stray` and `second` tags are rendered as text. */
type TagRole =
  | "insert"
  | "if"
  | "else"
  | "endif"
  | "unclosed-if"
  | "unclosed-else"
  | "stray-else"
  | "stray-endif"
  | "second-else";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TemplateTag extends Span {
  role: TagRole;
  /** `type:name`; empty for an else or endif. */
  readonly variable: string;
  readonly isNegated: boolean;
}

export interface Brackets {
  readonly tags: TemplateTag[];
  /** Bracket pairs on one line that are not tags, and are rendered as text. */
  readonly text: Span[];
  /** Brackets without a closing one: each up to the next bracket, or the end of the line. */
  readonly open: Span[];
}
