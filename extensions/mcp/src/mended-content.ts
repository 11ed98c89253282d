import { isTooDeep, tooDeepText } from "@incipit/kernel";
import { plainObject, textOf, withoutNulls, type PlainObject } from "@incipit/program-kit";

/** A block of content as the protocol has it. */
export type Block = PlainObject & { readonly type: string };

/** Longest value that is shown in place of a block of a type that nobody here knows. */
const maxShown = 10_000;

/**
 * Returns the content of a result as blocks that the protocol has: a text or one block in place of a list, blocks without a type,
 * null members. A block of an unknown type becomes a line of text.
 */
export function mendedContent(content: unknown): readonly Block[] {
  const entries: readonly unknown[] = Array.isArray(content) ? content : [content];
  return entries.flatMap((entry) => (entry === null || entry === undefined ? [] : [mendedBlock(entry)]));
}

/** Returns a value as a block of text. */
export function valueBlock(value: unknown): Block {
  return textBlock(shownValue(value));
}

/** Returns a value as text, as JSON where it is none. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (isTooDeep(value)) return `[content ${tooDeepText}: not shown]`;
  return JSON.stringify(value) ?? "";
}

function mendedBlock(entry: unknown): Block {
  const given = plainObject(entry);
  if (given === undefined) return valueBlock(entry);
  const block = withoutNulls(given);
  switch (block["type"]) {
    case "text":
      return textBlock(shownValue(block["text"] ?? ""));
    case "image":
    case "audio":
      return fileBlock(block["type"], block);
    case "image_url":
      return fileBlock("image", block);
    case "resource_link":
      return linkBlock(block) ?? unknownBlock(block);
    case "resource":
      return resourceBlock(block) ?? unknownBlock(block);
    default:
      return typeof block["text"] === "string" && Object.keys(block).length <= 2
        ? textBlock(block["text"])
        : unknownBlock(block);
  }
}

function textBlock(text: string): Block {
  return { type: "text", text };
}

const defaultTypes = { image: "image/png", audio: "audio/wav" } as const;

function fileBlock(type: "image" | "audio", block: PlainObject): Block {
  const { data, mimeType } = { ...modelFile(block), ...block };
  if (typeof data !== "string") return unknownBlock(block);
  const [, said, plain = data] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(data) ?? [];
  const bytes = base64Of(plain);
  if (bytes === undefined) return unknownBlock(block);
  const stated = textOf(mimeType) ?? "";
  return { type, data: bytes, mimeType: stated.trim() || said || defaultTypes[type] };
}

/** Returns data and type of a file in the forms in which vendors of models take one. */
function modelFile({ source, image_url: image }: PlainObject): PlainObject {
  const { media_type: mimeType, data } = plainObject(source) ?? {};
  return withoutNulls({ mimeType, data: data ?? plainObject(image)?.["url"] ?? image });
}

/** Returns data in the letters of base64, which some servers write as those of addresses. */
function base64Of(data: string): string | undefined {
  const letters = /[-_]/.test(data) ? data.replaceAll("-", "+").replaceAll("_", "/") : data;
  try {
    atob(letters);
    return letters;
  } catch {
    return undefined;
  }
}

function linkBlock({ uri, name, title, mimeType, description }: PlainObject): Block | undefined {
  if (typeof uri !== "string") return undefined;
  const texts = { title: textOf(title), mimeType: textOf(mimeType), description: textOf(description) };
  return { type: "resource_link", uri, name: textOf(name) ?? uri, ...withoutNulls(texts) };
}

function resourceBlock(block: PlainObject): Block | undefined {
  const resource = mendedResource(block["resource"], "");
  return resource === undefined ? undefined : { type: "resource", resource };
}

/** Returns what a resource holds; `undefined`: neither a text nor bytes. @param asked Its address where it says none. */
export function mendedResource(entry: unknown, asked: string): PlainObject | undefined {
  const given = plainObject(entry);
  if (given === undefined) return undefined;
  const { uri, mimeType, text, blob } = given;
  const head = withoutNulls({ uri: textOf(uri) ?? asked, mimeType: textOf(mimeType) });
  if (typeof text === "string") return { ...head, text };
  const bytes = typeof blob === "string" ? base64Of(blob) : undefined;
  if (bytes !== undefined) return { ...head, blob: bytes };
  return text === undefined || text === null ? undefined : { ...head, text: shownValue(text) };
}

function unknownBlock(block: PlainObject): Block {
  const type = textOf(block["type"]);
  const shown = shownValue(block);
  const cut = shown.length > maxShown ? `${shown.slice(0, maxShown)}… (${shown.length} characters)` : shown;
  return textBlock(type === undefined ? cut : `[content of the type ${JSON.stringify(type.slice(0, 80))}] ${cut}`);
}
