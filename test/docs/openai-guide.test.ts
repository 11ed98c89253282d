import { openAiErrorOf, openAiErrorOfFailure, routes } from "@incipit/transport-contract";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess, incipit } from "../support/host-process.ts";

const root = join(import.meta.dir, "../..");
const pages = [
  "docs/guide/openai-clients.md",
  "docs/guide/anthropic-clients.md",
  "docs/guide/which-prompt-wins.md",
];

async function blocksOf(page: string, language: string): Promise<readonly string[]> {
  const fence = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm");
  const text = await Bun.file(join(root, page)).text();
  return [...text.matchAll(fence)].map(([, block = ""]) => block);
}

function comparable(text: string, home: string): string {
  return text
    .replaceAll(home, "/home/ada")
    .replaceAll(/[0-9a-f]{64}/g, "HASH")
    .replaceAll(/\d+ (bytes|tokens|ms)\b/g, "N $1")
    .replaceAll(/\b\d+-\d+\b(?!-)/g, "N-N")
    .replaceAll(/ {2,}/g, "  ")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/"(created|created_at)":\d+/g, '"$1":0');
}

for (const page of pages) {
  test(`${page}: its commands print the documented output`, async () => {
    await using folder = await createTempFolder();
    const home = await realpath(folder.path);
    const options = { data: join(home, "data"), config: join(home, "incipit.toml") };
    await Bun.write(options.config, (await blocksOf(page, "toml")).join("\n"));
    await using host = await HostProcess.start({ ...options, cwd: home });
    const commands = (await blocksOf(page, "console")).map((block) => block.replace(/^\$ /, "").split("\n"));
    expect(commands.length).toBeGreaterThan(1);

    for (const [command = "", ...shown] of commands) {
      const { pathname, search } = new URL(/http:\S+/.exec(command)?.[0] ?? host.url);
      const [, body] = / -d '([^']*)'/.exec(command) ?? [];
      const printed = command.startsWith("curl ")
        ? await (await host.fetch(pathname + search, body === undefined ? {} : { body: JSON.parse(body) })).text()
        : await ofIncipit(command.split(" ").slice(1), { ...options, home });
      for (const line of shown.filter((text) => text !== ""))
        expect(comparable(printed, home)).toContain(comparable(line.replace(/…$/, ""), "/home/ada"));
    }
  }, 300_000);
}

async function ofIncipit(
  args: readonly string[],
  { data, config, home }: { readonly data: string; readonly config: string; readonly home: string },
): Promise<string> {
  const { stdout, stderr, exitCode } = await incipit([...args, "--data", data, "--config", config], {
    cwd: home,
    home,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

test("the guide to OpenAI clients documents every field and route, with working code", async () => {
  const page = await Bun.file(join(root, "docs/guide/openai-clients.md")).text();
  const fields = Object.keys(routes.createChatCompletion.body.shape);
  const paths = Object.values(routes).filter(({ path }) => path.startsWith("/calls"));
  expect([fields.length > 30, paths.length]).toEqual([true, 5]);

  const unnamed = [
    ...fields.filter(
      (field) => !["modalities", "top_logprobs", "function_call"].includes(field) && !page.includes(`\`${field}\``),
    ),
    ...paths.filter(({ method, path }) => !page.includes(`\`${method} ${path}\``)).map(({ path }) => path),
  ];
  const check = await Bun.file(join(root, "examples/10-openai-client/check.ts")).text();

  expect(unnamed).toEqual([]);
  for (const block of await blocksOf("docs/guide/openai-clients.md", "ts")) expect(check).toContain(block);
});

test("the guide to OpenAI clients lists the status of each error", async () => {
  const page = await Bun.file(join(root, "docs/guide/openai-clients.md")).text();
  const shown = new Set([...page.matchAll(/^\| (\d{3}) \|/gm)].map(([, status]) => Number(status)));
  const ofApi = (
    ["INVALID_REQUEST", "UNAUTHORIZED", "FORBIDDEN_ORIGIN", "MODEL_UNKNOWN", "BODY_TOO_LARGE", "TIMEOUT"] as const
  ).map((code) => openAiErrorOf(code, "").status);
  const ofModels = ["BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "UNAUTHORIZED", "CUT_OFF", "TIMEOUT"].map(
    (code) => openAiErrorOfFailure(code, "").status,
  );

  expect(shown).toEqual(new Set<number>([...ofApi, ...ofModels]));
});
