/** What a tag does in its template; a role that begins with `unclosed`, `stray` or `second` makes it text. */
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
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface TemplateTag extends Span {
  role: TagRole;
  /** `type:name`; empty for an else or endif. */
  readonly variable: string;
  readonly isNegated: boolean;
}

/** Everything in brackets, each in the order of the text. Escaped brackets are in none of them. */
export interface Brackets {
  readonly tags: TemplateTag[];
  /** From bracket to bracket on one line, and no tag. */
  readonly text: Span[];
  /** A bracket that is not closed: up to the next one, or to the end of the line. */
  readonly open: Span[];
}
