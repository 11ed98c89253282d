import { Beginnings, placesFrom, type Places } from "./beginnings.ts";
import { knownShapes } from "./known-shapes.ts";
import { compilePattern, operatorRule } from "./operator-rule.ts";
import { privateKeyRule } from "./private-key-rule.ts";
import type { Rule, Span } from "./rule.ts";
import { secretParts } from "./secret-parts.ts";
import { secretsRule } from "./secrets-rule.ts";
import { shapeRule } from "./shape-rule.ts";
import { whyNoSecret } from "./why-no-secret.ts";

export interface RedactorOptions {
  /** Values that are never kept, wherever they stand and however they are written. Those that `whyNoSecret` names are not looked for. */
  readonly secrets: readonly string[];
  /** Expressions in RE2's syntax for what else is left out. */
  readonly patterns: readonly string[];
}

/** What was found in a text: for each rule its spans, in the order of the text. */
export interface Found {
  readonly spans: readonly (readonly Span[])[];
  readonly hasAny: boolean;
  /** Where beginnings stand near the end of the text: a text that goes on behind it is not looked through there again. */
  readonly tail: Tail;
}

interface Tail {
  /** All behind this place are there. */
  readonly from: number;
  readonly places: Places;
}

interface Left {
  readonly text: string;
  /** How often something was left out, for each kind of it. */
  readonly counts: Readonly<Record<string, number>>;
}

/** The beginnings of rules, made with the first text that somebody looks through: most hosts have three redactors. */
class SharedBeginnings {
  readonly #rules: readonly Rule[];
  #made: Beginnings | undefined;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  get all(): Beginnings {
    return (this.#made ??= new Beginnings(this.#rules.flatMap(({ beginnings = [] }) => beginnings)));
  }
}

const shapeRules: readonly Rule[] = [privateKeyRule, ...knownShapes.map(shapeRule)];
/** What else is found has no fixed beginning: so all redactors that look for shapes have these. */
const beginningsOfShapes = new SharedBeginnings(shapeRules);
const noBeginnings = new SharedBeginnings([]);

/** Length of the end of a text that is remembered, in UTF-16 units: twice what any rule goes back, so that a text may also end a little earlier. */
const tailLength = 32_768;

/**
 * Leaves secrets out of texts that are kept: values that it was told, what has a well-known shape, and what the operator's
 * patterns find. In the place of each stands `[redacted:KIND]`. Takes time as the text is long, whatever is in it.
 */
export class Redactor {
  readonly #rules: readonly Rule[];
  readonly #beginnings: SharedBeginnings;
  /** What it has found itself: another one may look for more. */
  readonly #own = new WeakSet<Found>();

  private constructor(rules: readonly Rule[], beginnings: SharedBeginnings) {
    this.#rules = rules;
    this.#beginnings = beginnings;
  }

  /** @throws {Error} for a pattern that is none. */
  static async create({ secrets, patterns }: RedactorOptions): Promise<Redactor> {
    const compiled = await Promise.all(patterns.map(compilePattern));
    return new Redactor([knownValues(secrets), ...shapeRules, ...compiled.map(operatorRule)], beginningsOfShapes);
  }

  /** Finds these values alone, and nothing by its shape. */
  static ofValues(secrets: readonly string[]): Redactor {
    return new Redactor([knownValues(secrets)], noBeginnings);
  }

  /** One that finds these values, too. */
  withValues(secrets: readonly string[]): Redactor {
    return new Redactor([knownValues(secrets), ...this.#rules], this.#beginnings);
  }

  /**
   * Looks a text through. Of one that begins as another did, which this very redactor has looked through before, only what is
   * behind the common beginning, and a little in front of it.
   */
  find(text: string, before?: { readonly found: Found; readonly commonLength: number }): Found {
    const isKnown = before !== undefined && this.#own.has(before.found);
    const found = this.#find(text, isKnown ? before : undefined);
    this.#own.add(found);
    return found;
  }

  #find(text: string, before: Parameters<Redactor["find"]>[1]): Found {
    if (before === undefined) {
      const places = this.#beginnings.all.in(text, 0);
      return this.#foundIn(
        text,
        this.#rules.map((rule) => found(rule, { text, from: 0, places })),
        { from: 0, places },
      );
    }
    const starts = this.#rules.map((rule, index) => {
      const from = Math.max(0, before.commonLength - rule.overlap);
      // What goes on behind the common beginning may end elsewhere now.
      const open = before.found.spans[index]?.findLast(({ start }) => start < from);
      return open !== undefined && open.end > from ? open.start : from;
    });
    const first = Math.min(...starts, text.length);
    const { tail } = before.found;
    const places =
      first < tail.from
        ? this.#beginnings.all.in(text, first)
        : this.#beginnings.all.goOn(text, { places: tail.places, from: first, commonLength: before.commonLength });
    const spans = this.#rules.map((rule, index) => {
      const from = starts[index] ?? 0;
      const known = before.found.spans[index]?.filter(({ end }) => end <= from) ?? [];
      const others = found(rule, { text, from, places });
      return known.length === 0 ? others : [...known, ...others];
    });
    return this.#foundIn(text, spans, { from: first, places });
  }

  #foundIn(text: string, spans: Found["spans"], seen: Tail): Found {
    const hasAny = spans.some(({ length }) => length > 0);
    const from = Math.max(seen.from, text.length - tailLength);
    return { spans, hasAny, tail: { from, places: placesFrom(seen.places, from) } };
  }

  /** A text without what was found in it; where finds overlap, they are left out as one. */
  leaveOut(text: string, found: Found): Left {
    if (!found.hasAny) return { text, counts: {} };
    const spans = found.spans
      .flatMap((ofRule, index) => ofRule.map((span) => ({ ...span, kind: this.#rules[index]?.kind ?? "" })))
      .toSorted((a, b) => a.start - b.start || b.end - a.end);
    const pieces: string[] = [];
    const counts: Record<string, number> = {};
    let position = 0;
    let openKind = "";
    for (const { start, end, kind } of spans) {
      if (start < position) {
        position = Math.max(position, end);
        continue;
      }
      if (openKind !== "") pieces.push(`[redacted:${openKind}]`);
      pieces.push(text.slice(position, start));
      openKind = kind;
      counts[kind] = (counts[kind] ?? 0) + 1;
      position = end;
    }
    pieces.push(`[redacted:${openKind}]`, text.slice(position));
    return { text: pieces.join(""), counts };
  }

  /** A text without the secrets in it. */
  redact(text: string): string {
    return this.leaveOut(text, this.find(text)).text;
  }
}

function knownValues(secrets: readonly string[]): Rule {
  const parts = secrets.flatMap(secretParts).filter((part) => whyNoSecret(part) === undefined);
  return secretsRule("secret", [...new Set(parts)]);
}

const none: readonly Span[] = [];

function found(
  { beginnings, find }: Rule,
  { text, from, places }: { readonly text: string; readonly from: number; readonly places: Places },
): readonly Span[] {
  return beginnings !== undefined && places.size === 0 ? none : find(text, from, places); // Most texts, and most rules.
}
