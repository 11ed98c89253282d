import type * as z from "zod";
import { DiscordRefusal } from "./discord-refusal.ts";

interface DiscordUpload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface DiscordCall {
  readonly route: string;
  readonly ids: readonly string[];
  readonly query: ReadonlyMap<string, string>;
  readonly body: unknown;
  /** By the number in `files[N]`. */
  readonly files: ReadonlyMap<number, DiscordUpload>;
}

/** https://docs.discord.com/developers/reference */
const routes = [
  "GET /gateway",
  "GET /gateway/bot",
  "GET /users/@me",
  "POST /users/@me/channels",
  "GET /applications/:id/commands",
  "PUT /applications/:id/commands",
  "GET /channels/:id",
  "GET /channels/:id/messages",
  "POST /channels/:id/messages",
  "GET /channels/:id/messages/:id",
  "PATCH /channels/:id/messages/:id",
  "POST /channels/:id/typing",
  "POST /interactions/:id/:token/callback",
  "PATCH /webhooks/:id/:token/messages/@original",
] as const;
export type DiscordRoute = (typeof routes)[number];

export function routeOf(
  method: string,
  path: string,
): { readonly route: DiscordRoute; readonly ids: readonly string[] } | undefined {
  for (const route of routes) {
    const [verb, pattern = ""] = route.split(" ");
    if (verb !== method) continue;
    const source = pattern.replaceAll("/:id", "/(\\d{1,20})").replaceAll("/:token", "/([\\w-]+)");
    const found = new RegExp(`^${source}$`).exec(path);
    if (found !== null) return { route, ids: found.slice(1) };
  }
  return undefined;
}

/** JSON, or a form with `payload_json` and `files[N]`: https://docs.discord.com/developers/reference#uploading-files */
export async function readBody(request: Request): Promise<Pick<DiscordCall, "body" | "files">> {
  const files = new Map<number, DiscordUpload>();
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("multipart/form-data")) {
    let body: unknown;
    for (const [key, value] of await request.formData()) {
      if (typeof value === "string") {
        if (key === "payload_json") body = parsed(value);
        continue;
      }
      const number = /^files\[(\d+)\]$/.exec(key)?.[1];
      if (number === undefined) continue;
      files.set(Number(number), { name: value.name, type: value.type, bytes: await value.bytes() });
    }
    return { body, files };
  }
  const text = await request.text();
  if (text === "") return { body: undefined, files };
  if (!type.startsWith("application/json"))
    throw new DiscordRefusal(400, 50_035, "Invalid Form Body", { errors: { _errors: [{ code: "CONTENT_TYPE" }] } });
  return { body: parsed(text), files };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DiscordRefusal(400, 50_109, "The request body contains invalid JSON.");
  }
}

/** @throws {DiscordRefusal} 50035 with the invalid fields, nested by path. */
export function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors: Record<string, unknown> = {};
  for (const { path, code, message } of result.error.issues) {
    const field = path.map(String).join(".") || "_";
    errors[field] = { _errors: [{ code: code.toUpperCase(), message }] };
  }
  throw new DiscordRefusal(400, 50_035, "Invalid Form Body", { errors });
}
