/** https://core.telegram.org/bots/api#messageentity. Offsets and lengths are in UTF-16 units. */
export interface TextEntity {
  readonly type: "blockquote" | "bold" | "code" | "italic" | "pre" | "strikethrough" | "text_link";
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly TextEntity[];
}

/** Maximum number of entities in a message; Telegram silently ignores more. */
const maxEntities = 100;

/** Entities are disjoint or nested. */
export class TextWriter {
  #text = "";
  readonly #entities: TextEntity[] = [];
  readonly #open: TextEntity["type"][] = [];

  write(text: string): void {
    this.#text += text;
  }

  within(type: TextEntity["type"], content: () => void, more: Pick<TextEntity, "url" | "language"> = {}): void {
    // Nesting in its own kind has no effect; code in a link stays a link.
    if (this.#open.includes(type) || (type === "code" && this.#open.includes("text_link"))) return content();
    const offset = this.#text.length;
    this.#open.push(type);
    content();
    this.#open.pop();
    const length = this.#text.trimEnd().length - offset;
    if (length > 0) this.#entities.push({ type, offset, length, ...more });
  }

  finish(): FormattedText {
    const text = this.#text.trimEnd();
    const lead = text.length - text.trimStart().length;
    const fixed = this.#entities.filter(isFixed);
    const entities = this.#entities
      .flatMap((entity) => (isFixed(entity) || entity.type === "blockquote" ? [entity] : without(entity, fixed)))
      .map((entity) => trimmedFront(entity, lead))
      .filter(({ length }) => length > 0)
      .toSorted((a, b) => a.offset - b.offset || b.length - a.length)
      .slice(0, maxEntities);
    return { text: text.trimStart(), entities };
  }
}

function isFixed({ type }: TextEntity): boolean {
  return type === "code" || type === "pre";
}

function trimmedFront(entity: TextEntity, lead: number): TextEntity {
  const offset = Math.max(0, entity.offset - lead);
  return { ...entity, offset, length: entity.offset + entity.length - lead - offset };
}

/** Cuts an entity where it overlaps code, which Telegram forbids. */
function without(entity: TextEntity, fixed: readonly TextEntity[]): readonly TextEntity[] {
  const end = entity.offset + entity.length;
  const parts: TextEntity[] = [];
  let from = entity.offset;
  for (const { offset, length } of fixed) {
    if (offset + length <= from || offset >= end) continue;
    if (offset > from) parts.push({ ...entity, offset: from, length: offset - from });
    from = offset + length;
  }
  if (from < end) parts.push({ ...entity, offset: from, length: end - from });
  return parts;
}
