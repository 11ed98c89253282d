import { botMethods, botParameters, type BotMethod, type BotParameter } from "./bot-methods.ts";
import { badRequest, BotRefusal } from "./bot-refusal.ts";

export interface BotUpload {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface BotCall {
  readonly method: BotMethod;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, BotUpload>;
  /** The service ignores these, such as an unknown parameter. */
  readonly problems: readonly string[];
}

type Given = ReadonlyMap<string, unknown>;

/** From the query, a form, a multipart body or JSON. @throws {BotRefusal} as the service would. */
export async function readBotCall(request: Request, name: string): Promise<BotCall> {
  const method = methodOf(name);
  const { given, uploads } = await givenWith(request);
  const declared = botParameters(method);
  const parameters: Record<string, unknown> = {};
  const files = new Map<string, BotUpload>();
  const problems: string[] = [];
  for (const [key, value] of given) {
    const parameter = declared.get(key);
    if (parameter === undefined) problems.push(`${method} has no parameter "${key}"`);
    else parameters[key] = valueOf(value, { key, kind: parameter.kind });
  }
  const attached = new Set<string>();
  for (const [key, { kind }] of declared) {
    if (kind !== "file") continue;
    const value = parameters[key];
    const place =
      typeof value === "string" && value.startsWith("attach://") ? value.slice("attach://".length) : key;
    const upload = uploads.get(place);
    if (upload === undefined) continue;
    attached.add(place);
    files.set(key, upload);
  }
  for (const place of uploads.keys())
    if (!attached.has(place)) problems.push(`${method} was given a file "${place}" that no parameter names`);
  for (const [key, { isRequired }] of declared)
    if (isRequired && parameters[key] === undefined && !files.has(key)) throw badRequest(missing(key));
  return { method, parameters, files, problems };
}

function methodOf(name: string): BotMethod {
  // Method names are case-insensitive: https://core.telegram.org/bots/api#making-requests
  for (const method of botMethods) if (method.toLowerCase() === name.toLowerCase()) return method;
  throw new BotRefusal(404, "Not Found: method not found");
}

function missing(key: string): string {
  if (key === "chat_id") return "chat_id is empty";
  if (key === "text") return "message text is empty";
  return `parameter "${key}" is required`;
}

async function givenWith(
  request: Request,
): Promise<{ readonly given: Given; readonly uploads: ReadonlyMap<string, BotUpload> }> {
  const given = new Map<string, unknown>(new URL(request.url).searchParams);
  const uploads = new Map<string, BotUpload>();
  const type = request.headers.get("content-type") ?? "";
  if (request.method === "GET" || type === "") return { given, uploads };
  if (type.startsWith("application/json")) {
    const body: unknown = await request.json().catch(() => {
      throw badRequest("can't parse JSON object");
    });
    if (typeof body !== "object" || body === null) throw badRequest("can't parse JSON object");
    for (const [key, value] of Object.entries(body)) given.set(key, value);
    return { given, uploads };
  }
  for (const [key, value] of await request.formData())
    if (typeof value === "string") given.set(key, value);
    else uploads.set(key, { name: value.name, bytes: await value.bytes() });
  return { given, uploads };
}

/** Forms have only strings. */
function valueOf(
  value: unknown,
  { key, kind }: { readonly key: string; readonly kind: BotParameter["kind"] },
): unknown {
  switch (kind) {
    case "integer": {
      const number = typeof value === "string" && value !== "" ? Number(value) : value;
      if (typeof number === "number" && Number.isSafeInteger(number)) return number;
      throw badRequest(`field "${key}" must be a valid Number`);
    }
    case "boolean":
      return value === true || (typeof value === "string" && ["true", "1", "yes"].includes(value.toLowerCase()));
    case "chat":
      return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
    case "json":
      return typeof value === "string" ? parsed(value, key) : value;
    case "text":
    case "file":
      if (typeof value === "string") return value;
      throw badRequest(`field "${key}" must be of type String`);
  }
}

function parsed(text: string, key: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`can't parse ${key} JSON object`);
  }
}
