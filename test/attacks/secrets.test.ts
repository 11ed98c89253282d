import { join } from "node:path";
import { readdir } from "node:fs/promises";
import { stepsResponseSchema } from "@incipit/transport-contract";
import { stepRequestResponseSchema } from "@incipit/schema";
import { createTempFolder, type RecordingModelServer } from "@incipit/testkit";
import { HostWorld } from "../support/host-world.ts";
import { attack } from "./attack.ts";

interface SpokenOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly key: string;
  readonly input: string;
}

interface Kept {
  readonly body: string;
  readonly exported: string;
  readonly stderr: string;
}

async function spoken({ command, folder, key, input }: SpokenOptions): Promise<Kept> {
  await using elsewhere = await createTempFolder();
  const config = ({ url }: RecordingModelServer): string => `[providers.keyed]
kind = "openai-compatible"
base_url = "${url}"
api_key_env = "LOCAL_KEY"`;
  const env = { LOCAL_KEY: key };
  await using world = await HostWorld.create({ folder, command, model: "keyed/test", config, env });
  const host = await world.start();
  const { id } = await host.createConversation();
  await host.turn(id, { input });
  const { steps } = stepsResponseSchema.parse(await host.json(`/conversations/${id}/steps`));
  const request = await host.json(`/conversations/${id}/steps/${steps[0]?.id}/request`);
  const { body } = stepRequestResponseSchema.parse(request);
  const to = join(elsewhere.path, "export");
  await world.run("record", "export", id, to);
  const files = await readdir(to);
  const exported = (await Promise.all(files.map((file) => Bun.file(join(to, file)).text()))).join("\n");
  await host.kill("SIGTERM");
  return { body, exported, stderr: await host.stderr() };
}

const key = 'planted/Key+0of="the" vendor';

/** A tool, a model or a user may produce these encodings of a key innocently. */
const spellings: readonly string[] = [
  key,
  JSON.stringify(JSON.stringify({ key })),
  key.replaceAll("/", "\\/"),
  Array.from(key, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  encodeURIComponent(key),
  encodeURIComponent(encodeURIComponent(key)),
  new URLSearchParams({ key }).toString(),
  Buffer.from(key).toString("hex"),
  btoa(`bob:${key}`),
  btoa(`alice:${key}`),
  btoa(`Bearer ${key}`),
  Buffer.from(`{"key":"${key}"}`).toString("base64url"),
  Buffer.from(`${"# a file of settings\n".repeat(3)}KEY=${key}\n`)
    .toString("base64")
    .replaceAll(/.{76}/g, "$&\n"),
];

attack("secrets-other-spellings", {
  async attempt({ command, folder, isControl }) {
    const own = isControl ? "another-key-of-nobody-1" : key;
    const input = spellings.map((spelling, index) => `${index}:<${spelling}>`).join("\n");
    const { body, exported } = await spoken({ command, folder, key: own, input });
    const shown = spellings.map((spelling) => JSON.stringify(spelling).slice(1, -1));
    return {
      isKept: shown.map((spelling) => body.includes(spelling)),
      isExported: shown.map((spelling) => exported.includes(spelling)),
      left: body.split("[redacted:secret]").length - 1,
    };
  },
  held: { isKept: spellings.map(() => false), isExported: spellings.map(() => false), left: spellings.length },
  bites: { isKept: spellings.map(() => true), isExported: spellings.map(() => true), left: 0 },
});

attack("secrets-common-key", {
  async attempt({ command, folder, isControl }) {
    const own = isControl ? "ollama-Key-4711x" : "ollama";
    const { body, stderr } = await spoken({ command, folder, key: own, input: `we use ${own} here` });
    return { isTorn: !body.includes(`we use ${own} here`), isSaid: stderr.includes("LOCAL_KEY (it is shorter") };
  },
  held: { isTorn: false, isSaid: true },
  bites: { isTorn: true, isSaid: false },
});
