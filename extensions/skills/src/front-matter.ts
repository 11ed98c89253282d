/** A text with what stands in front of it between two lines of `---`. */
export type FrontMatter =
  /** `keys`: texts, and lists and tables of texts. */
  | { readonly kind: "parsed"; readonly keys: ReadonlyMap<string, unknown>; readonly body: string }
  /** It begins without. */
  | { readonly kind: "none"; readonly body: string }
  | { readonly kind: "wrong"; readonly reason: string };

const maxLength = 16_384;

/** @param text With `\n` at the ends of lines, and no byte order mark. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [opening] = /^---[ \t]*\n/.exec(text) ?? [];
  if (opening === undefined) return { kind: "none", body: text };
  const rest = text.slice(opening.length);
  const end = /^---[ \t]*(?:\n|$)/m.exec(rest.slice(0, maxLength));
  if (end === null) {
    const where = rest.length > maxLength ? ` within ${maxLength} characters` : "";
    return { kind: "wrong", reason: `its front matter has no end: no line "---" follows the first one${where}` };
  }
  const yaml = rest.slice(0, end.index);
  const body = rest.slice(end.index + end[0].length);
  const parsed = await parseYaml(yaml);
  // What many files have that other programs take: a colon, or brackets, in a text without quotes.
  const again = parsed.kind === "wrong" ? await parseYaml(withQuotes(yaml)) : parsed;
  const last = again.kind === "wrong" ? parsed : again;
  return last.kind === "wrong" ? last : { ...last, body };
}

type Parsed =
  | { readonly kind: "parsed"; readonly keys: ReadonlyMap<string, unknown> }
  | Extract<FrontMatter, { kind: "wrong" }>;

async function parseYaml(text: string): Promise<Parsed> {
  // Loaded with the first file: most hosts have none.
  const { isMap, parseDocument } = await import("yaml");
  try {
    // Every value is a text: a name may look like a number. Nothing stands for anything else.
    const document = parseDocument(text, { schema: "failsafe", stringKeys: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) return wrong(error.message);
    if (document.contents === null) return { kind: "parsed", keys: new Map() };
    if (!isMap(document.contents))
      return { kind: "wrong", reason: "its front matter has no keys, such as name: …" };
    const value: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 0 });
    const keys = new Map<string, unknown>();
    if (value instanceof Map) for (const [key, one] of value) keys.set(String(key), one);
    return { kind: "parsed", keys };
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error)); // Such as for an alias.
  }
}

function wrong(message: string): Parsed {
  const [line = ""] = message.split("\n");
  return { kind: "wrong", reason: `its front matter is no YAML: ${line.replace(/:$/, "")}` };
}

/** Each text that stands on one line with its key, at the left edge and not in quotes already, put into quotes. */
function withQuotes(yaml: string): string {
  return yaml.replaceAll(
    /^([A-Za-z][\w-]*):[ \t]+(?!["'|>&*!])(\S.*?)[ \t]*$/gm,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`,
  );
}
