import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export const manifest = { id: "acme.weather", version: "1.0.0", api: "^1", provides: ["acme.weather@1"] } as const;

export function extensionCode(answer = "undefined", before = ""): string {
  return `import { defineExtension, defineHandle } from "@incipit/kernel";
${before}
export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  host.provideService(defineHandle("acme.weather@1"), { ask: () => ${answer} });
});
`;
}

export async function writeExtension(
  parent: string,
  files: Readonly<Record<string, string>>,
  name = "weather",
): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  const all = { "package.json": JSON.stringify({ name: "weather", incipit: manifest }), ...files };
  for (const [file, text] of Object.entries(all)) await Bun.write(join(folder, file), text);
  return folder;
}

export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "it did not fail",
    (error: unknown) => error,
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
