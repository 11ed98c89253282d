import { join } from "node:path";
import * as z from "zod";
import type { HostProcess } from "../host-process.ts";

export interface AddedExtension {
  readonly id?: string;
  /** Added to what every manifest here has. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Texts that its code knows by a name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** A list of what it tries, in JavaScript: `name: async () => …`. It tells the names of those that came to something. */
  readonly tries: string;
}

/** Writes the folder of an extension that tries things when it starts, and says in the host's log what it has got. */
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

/** Adds it to a running host; the code that it was refused with, or "taken". */
export async function addTo(host: HostProcess, path: string, grant: unknown): Promise<string> {
  const body = grant === undefined ? { path } : { path, grant };
  return codeOf(await host.fetch("/extensions", { body }));
}

export async function codeOf(response: Response): Promise<string> {
  if (response.ok) return "taken";
  return z.object({ error: z.object({ code: z.string() }) }).parse(await response.json()).error.code;
}

/** What an extension has said that it got; `null`: it said nothing. Ends the host. */
export async function gottenIn(host: HostProcess): Promise<readonly string[] | null> {
  await host.kill("SIGTERM");
  const line = (await host.stderr()).split("\n").findLast((text) => text.includes("It has got"));
  if (line === undefined) return null;
  return z.object({ got: z.array(z.string()) }).parse(JSON.parse(line.slice(line.indexOf("{")))).got;
}
