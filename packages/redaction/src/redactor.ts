import { PrefixScanner, placesFrom, type Places } from "./prefixes.ts";
import { knownShapes } from "./known-shapes.ts";
import { compilePattern, operatorRule } from "./operator-rule.ts";
import { privateKeyRule } from "./private-key-rule.ts";
import type { Rule, Span } from "./rule.ts";
import { secretParts } from "./secret-parts.ts";
import { secretsRule } from "./secrets-rule.ts";
import { shapeRule } from "./shape-rule.ts";
import { ignoredSecretReason } from "./ignored-secret-reason.ts";

export interface RedactorOptions {
  /** Removed in every encoding, except values with an `ignoredSecretReason`. */
  readonly secrets: readonly string[];
  /** RE2 syntax. */
  readonly patterns: readonly string[];
}

/** Spans of each rule, in text order. */
export interface Found {
  readonly spans: readonly (readonly Span[])[];
  readonly hasAny: boolean;
  /** A continuation need not scan it again. */
  readonly tail: Tail;
}

interface Tail {
  /** Offset from which `places` is complete. */
  readonly from: number;
  readonly places: Places;
}

interface Left {
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Built lazily and shared: most hosts have three redactors. */
class SharedBeginnings {
  readonly #rules: readonly Rule[];
  #made: PrefixScanner | undefined;

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  get all(): PrefixScanner {
    return (this.#made ??= new PrefixScanner(this.#rules.flatMap(({ beginnings = [] }) => beginnings)));
  }
}

const shapeRules: readonly Rule[] = [privateKeyRule, ...knownShapes.map(shapeRule)];
/** Only shapes have fixed prefixes, so all redactors that search for shapes share these. */
const beginningsOfShapes = new SharedBeginnings(shapeRules);
const noBeginnings = new SharedBeginnings([]);

/** In UTF-16 units: twice the lookback of any rule, so that the common part may also end a little earlier. */
const tailLength = 32_768;

const maxShortTexts = 200;
const maxShortLength = 1_000;

/**
 * Replaces secrets in stored texts by `[redacted:KIND]`: given values, tokens of well-known formats, and matches of
 * the operator's patterns. Linear time.
 */
export class Redactor {
  readonly #rules: readonly Rule[];
  readonly #beginnings: SharedBeginnings;
  /** Other instances may have other rules. */
  readonly #own = new WeakSet<Found>();
  readonly #shortTexts = new Map<string, Left>();

  private constructor(rules: readonly Rule[], beginnings: SharedBeginnings) {
    this.#rules = rules;
    this.#beginnings = beginnings;
  }

  /** @throws {Error} for an invalid pattern. */
  static async create({ secrets, patterns }: RedactorOptions): Promise<Redactor> {
    const compiled = await Promise.all(patterns.map(compilePattern));
    return new Redactor([knownValues(secrets), ...shapeRules, ...compiled.map(operatorRule)], beginningsOfShapes);
  }

  static ofValues(secrets: readonly string[]): Redactor {
    return new Redactor([knownValues(secrets)], noBeginnings);
  }

  /** Also removes these values. */
  withValues(secrets: readonly string[]): Redactor {
    return new Redactor([knownValues(secrets), ...this.#rules], this.#beginnings);
  }

  /** After an earlier search by this instance, searches only the part after the common start, and the lookback. */
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
      // A match that crosses the common end may now end elsewhere.
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

  /** For texts that recur, such as URLs and headers. */
  leaveOutOfShort(text: string): Left {
    const known = this.#shortTexts.get(text);
    if (known !== undefined) return known;
    const left = this.leaveOut(text, this.find(text));
    if (text.length > maxShortLength) return left;
    if (this.#shortTexts.size >= maxShortTexts) this.#shortTexts.clear();
    this.#shortTexts.set(text, left);
    return left;
  }

  redact(text: string): string {
    return this.leaveOut(text, this.find(text)).text;
  }
}

function knownValues(secrets: readonly string[]): Rule {
  const parts = secrets.flatMap(secretParts).filter((part) => ignoredSecretReason(part) === undefined);
  return secretsRule("secret", [...new Set(parts)]);
}

const none: readonly Span[] = [];

function found(
  { beginnings, find }: Rule,
  { text, from, places }: { readonly text: string; readonly from: number; readonly places: Places },
): readonly Span[] {
  return beginnings !== undefined && places.size === 0 ? none : find(text, from, places);
}
