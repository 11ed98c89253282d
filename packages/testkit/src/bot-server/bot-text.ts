import * as z from "zod";
import { badRequest } from "./bot-refusal.ts";

const entitySchema = z.looseObject({
  type: z.string(),
  offset: z.int(),
  length: z.int(),
  url: z.string().optional(),
  language: z.string().optional(),
});
export type BotEntity = z.infer<typeof entitySchema>;

/** Nesting: https://core.telegram.org/bots/api#formatting-options */
const decorations = new Set(["bold", "italic", "underline", "strikethrough", "spoiler"]);
const quotes = new Set(["blockquote", "expandable_blockquote"]);
const fixed = new Set(["code", "pre"]);
const types = new Set([
  ...decorations,
  ...quotes,
  ...fixed,
  "bot_command",
  "cashtag",
  "custom_emoji",
  "email",
  "hashtag",
  "mention",
  "phone_number",
  "text_link",
  "text_mention",
  "url",
]);

export interface BotText {
  readonly text: string;
  readonly entities: readonly BotEntity[];
}

export interface BotTextOptions {
  readonly what: "caption" | "text";
  readonly max: number;
  readonly parseMode: unknown;
  readonly entities: unknown;
}

/** Stricter than the service, which silently fixes some entities and drops others. @throws {BotRefusal} 400. */
export function readBotText(text: string, { what, max, parseMode, entities: given }: BotTextOptions): BotText {
  // This server parses no markup: tests send entities.
  if (parseMode !== undefined) throw badRequest("unsupported parse_mode");
  if (!text.isWellFormed()) throw badRequest("strings must be encoded in UTF-8");
  if (text.length > max) throw badRequest(what === "text" ? "message is too long" : "message caption is too long");
  if (given === undefined) return { text, entities: [] };
  const parsed = z.array(entitySchema).safeParse(given);
  if (!parsed.success) throw badRequest("can't parse entities");
  const problem = entitiesProblem(text, parsed.data);
  if (problem !== undefined) throw badRequest(problem);
  return { text, entities: parsed.data };
}

export function entitiesProblem(text: string, entities: readonly BotEntity[]): string | undefined {
  if (entities.length > 100) return "too many entities";
  for (const [index, entity] of entities.entries()) {
    const { type, offset, length } = entity;
    const end = offset + length;
    if (!types.has(type)) return `unsupported entity type "${type}"`;
    if (offset < 0 || length <= 0 || end > text.length) return `entity ${index} is out of bounds`;
    if (isInsidePair(text, offset) || isInsidePair(text, end))
      return `entity ${index} begins or ends in the middle of a UTF-16 symbol`;
    if (type === "text_link" && !/^(https?|tg|mailto|tel):/.test(entity.url ?? ""))
      return `entity ${index} has no URL`;
    for (const other of entities.slice(0, index)) {
      const problem = pairProblem(entity, other);
      if (problem !== undefined) return `entity ${index} ${problem}`;
    }
  }
  return undefined;
}

function pairProblem(one: BotEntity, other: BotEntity): string | undefined {
  const [first, second] =
    one.offset < other.offset || (one.offset === other.offset && one.length >= other.length)
      ? [one, other]
      : [other, one];
  const end = first.offset + first.length;
  if (second.offset >= end) return undefined;
  if (second.offset + second.length > end) return "overlaps another one";
  const plain = [first.type, second.type].find((type) => !fixed.has(type)) ?? "pre";
  // Code cannot be combined, except within a quote.
  if (fixed.has(first.type) || fixed.has(second.type))
    return quotes.has(plain) ? undefined : `shares characters of fixed width with ${plain}`;
  if (quotes.has(first.type) && quotes.has(second.type)) return "is a quote in a quote";
  if (first.type === second.type) return "is within one of its own kind";
  const isFree = [first, second].some(({ type }) => decorations.has(type) || quotes.has(type));
  return isFree ? undefined : `is ${second.type} within ${first.type}`;
}

function isInsidePair(text: string, at: number): boolean {
  return isHalf(text.charCodeAt(at - 1), 0xd8_00) && isHalf(text.charCodeAt(at), 0xdc_00);
}

function isHalf(code: number, from: number): boolean {
  return code >= from && code < from + 0x4_00;
}
