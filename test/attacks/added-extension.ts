import { join } from "node:path";
import * as z from "zod";
import type { HostProcess } from "../support/host-process.ts";

export interface AddedExtension {
  readonly id?: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly texts?: Readonly<Record<string, string>>;
  readonly tries: string;
}

export async function writeExtension(
  path: string,
  { id = "acme.sample", manifest = {}, texts = {}, tries }: AddedExtension,
): Promise<void> {
  const whole = { id, version: "1.0.0", api: "^1", ...manifest };
  await Bun.write(join(path, "package.json"), JSON.stringify({ name: "sample", incipit: whole }));
  await Bun.write(
    join(path, "src/index.ts"),
    `import { defineExtension, defineHandle, definePoint } from "@incipit/kernel";
void [defineHandle, definePoint];
const any = { "~standard": { version: 1, vendor: "sample", validate: (value) => ({ value }) } };
void any;
export default defineExtension(${JSON.stringify(whole)}, async (host) => {
  const texts = ${JSON.stringify(texts)};
  void texts;
  const tries = { ${tries} };
  const got = [];
  for (const [name, attempt] of Object.entries(tries)) {
    const result = await attempt().catch(() => undefined);
    if (result !== undefined && result !== false) got.push(name);
  }
  host.log.warn("It has got", { got });
});
`,
  );
}

export async function addTo(host: HostProcess, path: string, grant: unknown): Promise<string> {
  const body = grant === undefined ? { path } : { path, grant };
  return codeOf(await host.fetch("/extensions", { body }));
}

export async function codeOf(response: Response): Promise<string> {
  if (response.ok) return "taken";
  return z.object({ error: z.object({ code: z.string() }) }).parse(await response.json()).error.code;
}

export async function successesOf(host: HostProcess): Promise<readonly string[] | null> {
  await host.kill("SIGTERM");
  const line = (await host.stderr()).split("\n").findLast((text) => text.includes("It has got"));
  if (line === undefined) return null;
  return z.object({ got: z.array(z.string()) }).parse(JSON.parse(line.slice(line.indexOf("{")))).got;
}
