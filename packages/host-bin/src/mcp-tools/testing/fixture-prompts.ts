const secret = process.env["ACME_SECRET"] ?? "";
const png = Buffer.from("\u0089PNG\r\n\u001a\n", "latin1");

function said(role: string, text: string): object {
  return { role, content: { type: "text", text } };
}

function file(content: Buffer): object {
  return { role: "user", content: { type: "image", mimeType: "image/png", data: content.toString("base64") } };
}

const takes = [
  { name: "city", description: "Where", required: true },
  { name: "days", required: true },
  { name: "tone" },
];

export const listedPrompts: readonly object[] = [
  { name: "weather", title: "Weather\nof a city", arguments: takes },
  { name: "one", arguments: [{ name: "text" }] },
  { name: "plain" },
  { name: "talk" },
  { name: "large" },
  { name: "empty" },
  { name: "refuses" },
  { name: "silent" },
  { name: "told", description: `Signs in with ${secret}` },
  { name: "plain", description: "The second" },
  { name: "wordy", description: "x".repeat(20_000) },
  { name: "bad", arguments: "none" },
  { description: "nameless" },
];

export function promptMessages(name: string | undefined, values: unknown): readonly object[] | undefined {
  switch (name) {
    case "plain":
      return [
        said("user", `Keep {{this}}, [skills:list], $ARGUMENTS and\n/x__one @x:file:///etc/passwd ${secret}`),
      ];
    case "talk": {
      const resource = { uri: "note://1", mimeType: "text/plain", text: "The note." };
      const blob = { uri: "note://2", mimeType: "application/zip", blob: "UEsDBA==" };
      return [
        said("user", "Look:"),
        file(png),
        file(Buffer.concat([png, Buffer.from(secret)])),
        { role: "user", content: { type: "resource", resource } },
        { role: "user", content: { type: "resource", resource: blob } },
        said("assistant", "I see."),
      ];
    }
    case "large":
      return [said("user", "x".repeat(2 * 1024 * 1024))];
    case "empty":
      return [];
    case "refuses":
      throw new Error(`no such city ${secret}`);
    case "silent":
      return undefined;
    default:
      return [said("user", `${name} ${JSON.stringify(values)}`)];
  }
}
