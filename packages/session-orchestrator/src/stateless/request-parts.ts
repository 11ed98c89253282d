import { oneLine, tryParseJson } from "@incipit/common";
import type { RequestPart } from "@incipit/schema";
import { requestLayout, type LayoutPart } from "@incipit/wire";
import * as z from "zod";

const beginningLength = 60;

/** Vendors' markers of files; quotes within a string are escaped. */
const filePattern =
  /"type"\s*:\s*"(?:image|image_url|input_image|file|input_file|document|input_audio)"|"inlineData"/;

/** Chat completions nest the function; Gemini lists declarations. */
const toolSchema = z.looseObject({
  name: z.string().optional(),
  description: z.string().optional(),
  function: z.looseObject({ name: z.string().optional(), description: z.string().optional() }).optional(),
});
const declarationsSchema = z.looseObject({ functionDeclarations: z.array(toolSchema) });
const messageSchema = z.looseObject({ role: z.string().optional(), type: z.string().optional() });

export function requestParts(body: string): readonly RequestPart[] {
  return (requestLayout(body) ?? []).flatMap((part) => {
    const json = body.slice(part.start, part.end);
    const value = tryParseJson(json); // Redaction may invalidate the JSON.
    if (part.name === "tools") return toolParts(value);
    const kind = kindOf(part);
    const role = kind === "message" ? messageSchema.safeParse(value).data : undefined;
    return [
      {
        kind,
        name: role?.role ?? role?.type ?? null,
        sizeBytes: Buffer.byteLength(json),
        hasFile: filePattern.test(json),
        beginning: beginningOf(value),
      },
    ];
  });
}

function kindOf({ name }: LayoutPart): "system" | "settings" | "message" {
  return name === "system" || name === "settings" ? name : "message";
}

function toolParts(value: unknown): readonly RequestPart[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries
    .flatMap(
      (entry): readonly unknown[] => declarationsSchema.safeParse(entry).data?.functionDeclarations ?? [entry],
    )
    .map((entry): RequestPart => {
      const tool = toolSchema.safeParse(entry).data;
      return {
        kind: "tool",
        name: tool?.name ?? tool?.function?.name ?? null,
        sizeBytes: Buffer.byteLength(JSON.stringify(entry)),
        hasFile: false,
        beginning: oneLine(tool?.description ?? tool?.function?.description ?? "", beginningLength),
      };
    });
}

function beginningOf(value: unknown): string {
  const waiting = [value];
  for (let entry = waiting.pop(); waiting.length > 0 || entry !== undefined; entry = waiting.pop()) {
    if (typeof entry === "string" && entry.trim() !== "") return oneLine(entry, beginningLength);
    if (Array.isArray(entry)) waiting.push(...entry.slice(0, 100).toReversed());
    else if (typeof entry === "object" && entry !== null) {
      const texts = Object.entries(entry).filter(([key]) => textKeys.has(key));
      waiting.push(...texts.map(([, inner]: readonly [string, unknown]) => inner).toReversed());
    }
  }
  return "";
}

const textKeys = new Set(["content", "text", "parts", "input", "output", "arguments", "functionCall", "name"]);
