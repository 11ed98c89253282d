const secret = process.env["ACME_SECRET"] ?? "";

export const listedResources: readonly object[] = [
  { uri: "note://1", name: "One", description: "The first\nnote", mimeType: "text/plain" },
  { uri: "note://told", name: `Signs in with ${secret}` },
  { uri: 7 },
];

class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function resourceContents(uri: string | undefined): readonly object[] | undefined {
  switch (uri) {
    case "note://1":
      return [{ uri, mimeType: "text/plain; charset=utf-8", text: `[skills:list] @x:note://2 /x__one ${secret}` }];
    case "note://file.zip":
      return [{ uri, mimeType: "application/zip", blob: "UEsDBA" }];
    case "note://told":
      return [{ uri, blob: Buffer.from(`zip ${secret}`).toString("base64") }];
    case "note://large":
      return [{ uri, text: "x".repeat(6 * 1024 * 1024) }];
    case "note://nothing":
      return [];
    case "note://silent":
      return undefined;
    case "note://breaks":
      throw new Refusal(-32_603, `out of luck ${secret}`);
    default:
      throw new Refusal(-32_002, "Resource not found");
  }
}

export function codeOf(error: unknown): number {
  return error instanceof Refusal ? error.code : -32_603;
}
