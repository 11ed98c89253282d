import { isTooDeep, tooDeepText } from "@incipit/kernel";
import { plainObject, asString, withoutNulls, type PlainObject } from "@incipit/common";

export type Block = PlainObject & { readonly type: string };

const maxShown = 10_000;

/** Accepts a string or a single block, missing types and null members. */
export function mendedContent(content: unknown): readonly Block[] {
  const entries: readonly unknown[] = Array.isArray(content) ? content : [content];
  return entries.flatMap((entry) => (entry === null || entry === undefined ? [] : [mendedBlock(entry)]));
}

export function valueBlock(value: unknown): Block {
  return textBlock(shownValue(value));
}

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
  const stated = asString(mimeType) ?? "";
  return { type, data: bytes, mimeType: stated.trim() || said || defaultTypes[type] };
}

function modelFile({ source, image_url: image }: PlainObject): PlainObject {
  const { media_type: mimeType, data } = plainObject(source) ?? {};
  return withoutNulls({ mimeType, data: data ?? plainObject(image)?.["url"] ?? image });
}

/** Accepts base64 in the URL-safe alphabet, too. */
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
  const texts = { title: asString(title), mimeType: asString(mimeType), description: asString(description) };
  return { type: "resource_link", uri, name: asString(name) ?? uri, ...withoutNulls(texts) };
}

function resourceBlock(block: PlainObject): Block | undefined {
  const resource = mendedResource(block["resource"], "");
  return resource === undefined ? undefined : { type: "resource", resource };
}

/** @param asked Used if the content names no URI. */
export function mendedResource(entry: unknown, asked: string): PlainObject | undefined {
  const given = plainObject(entry);
  if (given === undefined) return undefined;
  const { uri, mimeType, text, blob } = given;
  const head = withoutNulls({ uri: asString(uri) ?? asked, mimeType: asString(mimeType) });
  if (typeof text === "string") return { ...head, text };
  const bytes = typeof blob === "string" ? base64Of(blob) : undefined;
  if (bytes !== undefined) return { ...head, blob: bytes };
  return text === undefined || text === null ? undefined : { ...head, text: shownValue(text) };
}

function unknownBlock(block: PlainObject): Block {
  const type = asString(block["type"]);
  const shown = shownValue(block);
  const cut = shown.length > maxShown ? `${shown.slice(0, maxShown)}… (${shown.length} characters)` : shown;
  return textBlock(type === undefined ? cut : `[content of the type ${JSON.stringify(type.slice(0, 80))}] ${cut}`);
}
