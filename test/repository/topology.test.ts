import { expect, test } from "bun:test";
import { Glob } from "bun";
import { stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import * as z from "zod";

const root = join(import.meta.dir, "../..");

function words(list: string): readonly string[] {
  return list.split(/\s+/).filter(Boolean);
}

function extensionsOfKind(kind: string): readonly string[] {
  return [...new Glob(`extensions/${kind}-*/package.json`).scanSync({ cwd: root })].map((path) => dirname(path));
}

/** One per protocol: a new one adds no arrow. */
const providers = extensionsOfKind("provider");
const providerArrows = "kernel model-catalogue provider-kit schema service-contract wire";

/** One per service: likewise. */
const channels = extensionsOfKind("channel");
const channelArrows = "common kernel schema service-contract";

/** A new arrow requires a decision record first. */
const arrows: Readonly<Record<string, string>> = {
  "apps/web": "client schema transport-contract",
  "packages/schema": "",
  "packages/wire": "schema",
  "packages/kernel": "",
  "packages/transport-contract": "schema",
  "packages/client": "schema transport-contract",
  "packages/acp-server": "schema transport-contract",
  "packages/service-contract": "kernel schema",
  "packages/testkit": "kernel schema service-contract",
  "packages/provider-kit": "kernel schema service-contract",
  "packages/model-catalogue": "schema",
  "packages/redaction": "",
  "packages/common": "kernel schema",
  "packages/system-prompt": "common kernel redaction schema service-contract",
  "packages/session-orchestrator": "common kernel redaction schema service-contract wire",
  "packages/transport-http": "common kernel schema service-contract transport-contract web wire",
  "packages/cli-text": "common schema transport-contract",
  "packages/host": "common kernel redaction schema service-contract transport-contract",
  "packages/terminal": "cli-text client common schema transport-contract",
  "packages/host-bin": `
    acp-client acp-server cli-text common messaging host kernel mcp attachments model-catalogue agents redaction
    context-files schedules schema service-contract session-orchestrator skills storage-sqlite subagents
    system-prompt telemetry-otlp terminal transport-contract transport-http workspace-tools
    ${[...channels, ...providers].map((folder) => basename(folder)).join(" ")}
  `,
  "extensions/storage-sqlite": "kernel schema service-contract",
  ...Object.fromEntries(providers.map((folder) => [folder, providerArrows])),
  "extensions/provider-offline": "common kernel schema service-contract",
  ...Object.fromEntries(channels.map((folder) => [folder, channelArrows])),
  "extensions/acp-client": "common kernel redaction schema service-contract",
  "extensions/messaging": "common kernel schema service-contract",
  "extensions/schedules": "kernel schema service-contract",
  "extensions/attachments": "kernel schema service-contract",
  "extensions/mcp": "common kernel redaction schema service-contract",
  "extensions/context-files": "common kernel schema service-contract",
  "extensions/skills": "common kernel schema service-contract",
  "extensions/subagents": "kernel schema service-contract",
  "extensions/agents": "common kernel schema service-contract",
  "extensions/telemetry-otlp": "common kernel schema service-contract",
  "extensions/workspace-tools": "common kernel schema service-contract",
};

/** They reach a host over HTTP only, and format what it answers. */
const frontEnds = ["apps/web", "packages/acp-server", "packages/cli-text", "packages/client", "packages/terminal"];
const insideHost = new Set(["host", "host-bin", "session-orchestrator", "system-prompt", "transport-http"]);

/** Hosts load examples from their folder with nothing else. */
const exampleArrows = words("@incipit/kernel @incipit/schema @incipit/service-contract zod");
const exampleCheckArrows = words(`
  client client/session host host-bin provider-offline schema service-contract session-orchestrator storage-sqlite
  system-prompt testkit transport-contract
`);

/** The prompt builder, the orchestrator and the HTTP API: packages of the design that are extensions. */
const extensionPackages = words("packages/session-orchestrator packages/system-prompt packages/transport-http");

/** Besides the contracts and the standard library; only zod where a package is not listed. */
const thirdParty: Readonly<Record<string, string>> = {
  "apps/web": `
    @codemirror/autocomplete @codemirror/commands @codemirror/lint @codemirror/state @codemirror/view lowlight
    marked marked-cjk-friendly preact zod
  `,
  "packages/transport-contract": "eventsource-parser zod",
  "packages/client": "",
  "packages/acp-server": "@agentclientprotocol/sdk zod",
  "packages/testkit": "@agentclientprotocol/sdk fast-check zod",
  "packages/provider-kit": "@ai-sdk/provider zod",
  "packages/system-prompt": "diff fastest-levenshtein gpt-tokenizer zod",
  "packages/model-catalogue": "",
  "packages/redaction": "re2js",
  "packages/common": "fastest-levenshtein yaml zod",
  "packages/transport-http": "hono oxc-parser zod",
  "packages/cli-text": "",
  "packages/host": "smol-toml zod",
  "packages/terminal": "@earendil-works/pi-tui lowlight",
  "extensions/provider-anthropic": "@ai-sdk/anthropic @ai-sdk/provider zod",
  "extensions/provider-google": "@ai-sdk/google @ai-sdk/provider zod",
  "extensions/provider-openai": "@ai-sdk/openai @ai-sdk/provider zod",
  "extensions/channel-telegram": "grammy marked zod",
  "extensions/acp-client": "@agentclientprotocol/sdk zod",
  "extensions/schedules": "croner zod",
  "extensions/skills": "fastest-levenshtein zod",
  "extensions/mcp": "@modelcontextprotocol/client zod",
  "extensions/telemetry-otlp": `
    @opentelemetry/api @opentelemetry/core @opentelemetry/otlp-transformer @opentelemetry/resources
    @opentelemetry/sdk-metrics @opentelemetry/sdk-trace zod
  `,
  "extensions/workspace-tools": "diff re2js zod",
};

/** Official clients that tests compare ours with. */
const oracles: Readonly<Record<string, string>> = {
  "packages/testkit": "@grammyjs/types discord.js",
  "extensions/channel-discord": "discord.js",
  "packages/wire": "openai",
  "packages/host-bin": "@vscode/ripgrep",
  "packages/terminal": "@xterm/headless",
  "extensions/provider-openai": "@ai-sdk/openai-compatible",
  "extensions/telemetry-otlp": "@opentelemetry/semantic-conventions",
};

/**
 * Folders of `src`, from the least to the most used: imports, including types, go down or stay. `.` means the files
 * of `src` itself, or the named ones.
 */
const rooms: Readonly<Record<string, string>> = {
  "apps/web": `
    . shell docs host channels schedules costs calls compare told conversations drift agents prompt controls session
    place text
  `,
  "packages/kernel": ". lifecycle services capability storage contract time json failures",
  "packages/common": ". programs json-rpc http channels front-matter lines json text time paths hash",
  "packages/wire": ". chat reply sse layout json",
  "packages/schema":
    ". profiles channels schedules skills records conversation grants calls prompt model values text",
  "packages/provider-kit": ". ai-sdk endpoint failures replies requests tools keys vendor",
  "packages/client": "session.ts session .",
  "packages/acp-server": ". session prompt updates tools host wire",
  "packages/transport-contract": ". http routes openai anthropic grants errors",
  "packages/system-prompt": `
    . history lint compose stored resolver.ts catalog.ts variables types.ts parser.ts template context
  `,
  "packages/session-orchestrator": `
    . service undo transfer search conversations replay turn compaction step stateless prompt client-conversations
    spending conversation tools call records audit events store context files models lookup waits failures
  `,
  "packages/transport-http": `
    . page tokens schedules channels chat messages responses client-conversations calls host profiles skills openapi
    openapi/examples conversations prompts models request stream answer context
  `,
  "packages/host": `
    . start extension-manager extension-folder trust access-tokens configuration data-folder secrets drivers
    drivers/programs drivers/files drivers/net disk failures
  `,
  "packages/terminal": ". app lines input pickers commands approval status transcript session screen style options",
  "extensions/schedules": ". cron heartbeat engine budget turn times",
  "packages/host-bin": `
    entry.ts main.ts index.ts command/definitions command/acp command/screen command/ask command/running
    command/undo command/conversations command/audit command/extensions command/scaffold command/record
    command/agents command/skills command/prompt command/explain command/mcp command/setup command/doctor
    command/models command/heartbeat command/schedules command/channels command/tokens command/installation
    command/shell command/host command/trust command/approval command/questions command/terminal command/arguments
    command/registry command/output . config core-extensions.ts
  `,
  "packages/testkit": `
    . families quirks conformance channels worlds acp-agent bot-server discord-server faults mcp model-server
    model-server/anthropic model-server/deepseek model-server/gemini model-server/openai model-server/wire questions
    runs
  `,
};

/** Contracts and the kernel must not import these. */
const withoutIo = words(
  "packages/schema packages/wire packages/kernel packages/transport-contract packages/service-contract",
);

const packageSchema = z.object({ name: z.string(), exports: z.record(z.string(), z.string()).optional() });

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/") || path.includes("fixtures/");
}

async function importsOf(folder: string, files = "src/**/*.{ts,tsx}"): Promise<readonly Import[]> {
  const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
  const found: Import[] = [];
  for await (const file of new Glob(files).scan({ cwd: join(root, folder) })) {
    const source = (await Bun.file(join(root, folder, file)).text()).replace(/^#!.*/, "");
    const transpiler = transpilers[file.endsWith(".tsx") ? "tsx" : "ts"];
    const imports = transpiler.scanImports(source).map((entry) => entry.path);
    // Generated imports of JSX are not imports of the file.
    const specifiers = new Set(imports.filter((path) => source.includes(`"${path}"`)));
    // The transpiler drops type-only imports, which count here. Code within strings is not the file's.
    const code = source.replaceAll(/`(?:[^`\\]|\\.)*`|'[^'\n]*'/gs, "");
    for (const [, specifier] of code.matchAll(/\bfrom "([@.\w:/-]+)";/g))
      if (specifier !== undefined) specifiers.add(specifier);
    for (const specifier of specifiers) found.push({ file: `${folder}/${file}`, specifier });
  }
  return found;
}

async function folders(parents = "{apps,packages,extensions}"): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const path of new Glob(`${parents}/*/package.json`).scan({ cwd: root })) found.push(dirname(path));
  return found.toSorted();
}

test("topology: the packages match the architecture page", async () => {
  expect(await folders()).toEqual(Object.keys(arrows).toSorted());
});

test("topology: extensions lie in extensions/ and libraries in packages/, except three extensions", async () => {
  const withManifest: string[] = [];
  for (const folder of await folders("{packages,extensions}")) {
    const index = Bun.file(join(root, folder, "src/index.ts"));
    // The default export of an extension's entry is its manifest and code.
    if (/^export \{ default\b/m.test(await index.text())) withManifest.push(folder);
  }

  expect(withManifest).toEqual([...(await folders("extensions")), ...extensionPackages]);
});

test("topology: packages import only along the arrows of the architecture", async () => {
  const broken: string[] = [];
  for (const [folder, allowed] of Object.entries(arrows)) {
    const own = `@incipit/${folder.slice(folder.indexOf("/") + 1)}`;
    for (const { file, specifier } of await importsOf(folder)) {
      if (!specifier.startsWith("@incipit/") || specifier === own) continue;
      const [, name = ""] = specifier.split("/");
      if (isTest(file) && name === "testkit") continue;
      if (!words(allowed).includes(name)) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: front ends import no part of a host, directly or through another package", () => {
  const broken: string[] = [];
  for (const frontEnd of frontEnds) {
    const reached = new Set([frontEnd]);
    for (const folder of reached)
      for (const name of words(arrows[folder] ?? "")) {
        reached.add(`packages/${name}`);
        if (insideHost.has(name)) broken.push(`${frontEnd} reaches ${name} through ${folder}`);
      }
  }
  expect(broken).toEqual([]);
});

test("topology: imports within a package go down its folders, and each file is in one", async () => {
  const broken: string[] = [];
  for (const [folder, list] of Object.entries(rooms)) {
    const order = words(list);
    const src = `${folder}/src`;
    const roomOf = (file: string): string => {
      const place = relative(src, file);
      return order.includes(place) ? place : dirname(place);
    };
    for (const { file, specifier } of await importsOf(folder)) {
      if (isTest(file)) continue;
      const from = order.indexOf(roomOf(file));
      if (from === -1) broken.push(`${file} lies in no room of its package`);
      if (!specifier.startsWith(".")) continue;
      const target = join(dirname(file), specifier);
      if (target === `${folder}/package.json`) continue;
      const to = order.indexOf(roomOf(target));
      if (to < from) broken.push(`${file} imports ${specifier}`);
    }
    for (const room of order.filter((name) => name !== ".")) {
      const isThere = await stat(join(root, src, room)).catch(() => undefined);
      if (isThere === undefined) broken.push(`${folder} has no ${room}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: npm packages are imported only where allowed, and the kernel uses only zod", async () => {
  const broken: string[] = [];
  for (const folder of await folders()) {
    const allowed = thirdParty[folder] ?? "zod";
    for (const { file, specifier } of await importsOf(folder)) {
      if (/^(\.|@incipit\/|node:|bun(:|$))/.test(specifier)) continue;
      const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
      if (isTest(file) && (name === "fast-check" || words(oracles[folder] ?? "").includes(name))) continue;
      if (!words(allowed).includes(name)) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: the kernel and the contracts do no I/O", async () => {
  const broken: string[] = [];
  for (const folder of withoutIo) {
    for (const { file, specifier } of await importsOf(folder)) {
      if (!isTest(file) && /^(node:|bun(:|$))/.test(specifier)) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: contracts re-export nothing; each name is imported from its own package", async () => {
  const broken: string[] = [];
  for (const folder of withoutIo) {
    for await (const file of new Glob("src/**/*.ts").scan({ cwd: join(root, folder) })) {
      const source = await Bun.file(join(root, folder, file)).text();
      for (const [, specifier] of source.matchAll(/^export [^;]*? from "(@incipit\/[^"]+)";/gm))
        broken.push(`${folder}/${file} hands on ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: imports of other packages use their exported entries", async () => {
  const broken: string[] = [];
  const entries = new Set<string>();
  for (const folder of await folders()) {
    const { name, exports = {} } = packageSchema.parse(await Bun.file(join(root, folder, "package.json")).json());
    for (const entry of Object.keys(exports)) entries.add(join(name, entry));
  }
  for (const folder of await folders("{apps,packages,extensions,examples}")) {
    for (const { file, specifier } of [...(await importsOf(folder)), ...(await importsOf(folder, "*.ts"))]) {
      const isDeep = /^@incipit\/[^/]+\//.test(specifier) && !entries.has(specifier);
      const isOutside =
        specifier.startsWith(".") && relative(folder, join(dirname(file), specifier)).startsWith("..");
      if (isDeep || isOutside) broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(broken).toEqual([]);
});

test("topology: examples import only contracts, zod and their own files", async () => {
  const broken: string[] = [];
  const examples = await folders("examples");
  for (const folder of examples) {
    const { incipit } = await Bun.file(join(root, folder, "package.json")).json();
    const hasSystem = incipit?.capabilities?.system === true;
    for (const { file, specifier } of await importsOf(folder)) {
      if (specifier.startsWith(".") || exampleArrows.includes(specifier)) continue;
      if (hasSystem && specifier.startsWith("node:")) continue; // It requests the system capability, which an operator grants.
      if (isTest(file) && (specifier === "bun:test" || specifier === "@incipit/testkit")) continue;
      broken.push(`${file} imports ${specifier}`);
    }
    for (const { file, specifier } of await importsOf(folder, "*.ts")) {
      if (specifier.startsWith("@incipit/") && !exampleCheckArrows.includes(specifier.slice("@incipit/".length)))
        broken.push(`${file} imports ${specifier}`);
    }
  }
  expect(examples.length).toBeGreaterThan(0);
  expect(broken).toEqual([]);
});

test("topology: each example is complete: number, story, check, page, and the files of an extension", async () => {
  const incomplete: string[] = [];
  for (const folder of await folders("examples")) {
    if (!/^examples\/\d\d-[a-z][a-z-]*$/.test(folder)) incomplete.push(`${folder} is no NN-STORY`);
    for (const file of ["check.ts", "README.md"])
      if (!(await Bun.file(join(root, folder, file)).exists())) incomplete.push(`${folder} has no ${file}`);
    // A front end is not an extension, and needs only its check.
    const isExtension = await Bun.file(join(root, folder, "src/index.ts")).exists();
    const { incipit } = await Bun.file(join(root, folder, "package.json")).json();
    if ((typeof incipit?.id === "string") !== isExtension)
      incomplete.push(`${folder} has a manifest in package.json, or src/index.ts, without the other`);
  }
  expect(incomplete).toEqual([]);
});

test("session-orchestrator has no state in modules: what is kept belongs to a conversation or to the context", async () => {
  const folder = join(root, "packages/session-orchestrator/src");
  const found: string[] = [];
  for await (const path of new Glob("**/*.ts").scan({ cwd: folder })) {
    if (path.endsWith(".test.ts")) continue;
    const source = await Bun.file(join(folder, path)).text();
    const [state] =
      /^(?:export )?const \w+(?:: [^=]+)? = new (?:Map|Set|WeakMap|WeakSet)\b[^(]*\(\).*/m.exec(source) ?? [];
    if (state !== undefined) found.push(`${path}: ${state}`);
  }
  expect(found).toEqual([]);
});
