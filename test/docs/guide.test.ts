import { staticVariables } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { workspaceToolNames } from "@incipit/workspace-tools";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit, sourceCommand } from "../support/host-process.ts";

const root = join(import.meta.dir, "../..");
const guidePath = "docs/guide/extensions.md";

function textOf(path: string): Promise<string> {
  return Bun.file(join(root, path)).text();
}

async function blocksOf(language: string): Promise<readonly string[]> {
  const fence = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm");
  return [...(await textOf(guidePath)).matchAll(fence)].map(([, block = ""]) => block);
}

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name))];
}

function sectionOf(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  expect(from).not.toBe(-1);
  return text.slice(from + start.length, text.indexOf(end, from));
}

test("the guide explains every error code and whether to retry", async () => {
  const table = sectionOf(
    await textOf("packages/kernel/src/failures/kernel-error.ts"),
    "retryableByCode = {",
    "} as const",
  );
  const rows = [...(await textOf(guidePath)).matchAll(/^\| `([A-Z_]+)` \| [^|]+ \| (yes|no) \| [^|]+ \|$/gm)];
  const codes = [...table.matchAll(/^ {2}([A-Z_]+): (true|false),$/gm)];
  expect(codes.length).toBeGreaterThan(15);

  const explained = new Map(rows.map(([, code, again]) => [code, again]));

  const again = codes.map(([, code, isRetryable]) => [code, isRetryable === "true" ? "yes" : "no"] as const);
  expect(explained).toEqual(new Map(again));
});

test("the guide documents every manifest key", async () => {
  const source = await textOf("packages/kernel/src/contract/manifest.ts");
  const keysOf = (schema: string): readonly string[] =>
    namesIn(sectionOf(source, `const ${schema} = closed({`, "});"), /\b(\w+): (?:list|text|trueOr|closed|z)\b/g);
  const keys = [
    ...namesIn(sectionOf(source, "const manifestSchema = closed({", "\n});"), /^ {2}(\w+): /gm),
    ...["required", "optional"].map((key) => `dependsOn.${key}`),
    ...keysOf("capabilitiesSchema").map((key) => `capabilities.${key}`),
    ...keysOf("fsSchema").map((key) => `capabilities.fs.${key}`),
    ...keysOf("storageSchema").map((key) => `capabilities.storage.${key}`),
  ];
  expect(keys.length).toBeGreaterThan(18);

  const named = namesIn(await textOf(guidePath), /^\| `([\w.]+)` \| [^|]+ \|$/gm);

  expect(keys.filter((key) => !named.includes(key))).toEqual([]);
});

test("the guide documents every member of host and storage", async () => {
  const guide = await textOf(guidePath);
  const membersOf = async (file: string, name: string): Promise<readonly string[]> =>
    namesIn(
      sectionOf(await textOf(`packages/kernel/src/${file}`), `export interface ${name} {`, "\n}"),
      /^ {2}(?:readonly )?(\w+)[<(:]/gm,
    );
  const host = await membersOf("contract/host.ts", "Host");
  const storage = await membersOf("contract/storage.ts", "Storage");
  expect([host.length > 15, storage.length > 6]).toEqual([true, true]);

  const unnamed = [
    ...host.filter((member) => !new RegExp(`^\\| \`host\\.${member}\\b`, "m").test(guide)),
    ...storage.filter((member) => !new RegExp(`^\\|.*\`${member}\\(.* \\|$`, "m").test(guide)),
  ];

  expect(unnamed).toEqual([]);
});

test("the guide documents the existing services, points, suites and extension routes", async () => {
  const guide = await textOf(guidePath);
  const handles = [];
  for (const folder of ["packages/kernel/src", "packages/service-contract/src"]) {
    for await (const file of new Bun.Glob("**/*.ts").scan({ cwd: join(root, folder) })) {
      if (file.endsWith(".test.ts") || file.startsWith("testing/")) continue;
      const text = await textOf(`${folder}/${file}`);
      handles.push(...namesIn(text, /define(?:Handle|Point)(?:<[^(]*>)?\(\s*"([^"]+)"/g));
      handles.push(...namesIn(text, /export const (\w+): (?:ServiceHandle|ExtensionPoint)</g));
    }
  }
  const suites = namesIn(await textOf("packages/testkit/src/index.ts"), /\b(\w+Conformance)\b/g);
  const paths = Object.values(routes).filter(({ path }) => path.startsWith("/extensions"));
  expect([handles.length > 15, suites.length > 4, paths.length > 6]).toEqual([true, true, true]);

  const unnamed = [
    ...[...handles, ...suites].filter((name) => !guide.includes(`\`${name}\``)),
    ...paths.filter(({ method, path }) => !isNamed(guide, method, path)).map(({ path }) => path),
  ];

  expect(unnamed).toEqual([]);
});

function isNamed(guide: string, method: string, path: string): boolean {
  return guide.includes(`\`${method} ${path}\``) || guide.includes(`\`…${path.slice(path.lastIndexOf("/"))}\``);
}

const manifestSchema = z.looseObject({ id: z.string(), capabilities: z.looseObject({}).default({}) });
const moduleSchema = z.object({ default: z.object({ manifest: manifestSchema }) });

interface WrittenExtension {
  readonly id: string;
  readonly path: string;
  readonly grant: unknown;
}

async function writeExtensions(folder: string): Promise<readonly WrittenExtension[]> {
  const compilerOptions = {
    types: ["bun"],
    typeRoots: [join(root, "node_modules/@types")],
    paths: {
      "@incipit/*": [join(root, "packages/*/src/index.ts")],
      zod: [dirname(Bun.fileURLToPath(import.meta.resolve("zod")))],
    },
  };
  const tsconfig = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["*/src"] };
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  const code = (await blocksOf("ts")).filter((block) => block.includes("export default defineExtension("));
  const written = [];
  for (const [index, source] of code.entries()) {
    const path = join(folder, `extension-${index}`);
    const entry = join(path, "src/index.ts");
    await Bun.write(entry, source);
    const { manifest } = moduleSchema.parse(await import(entry)).default;
    await Bun.write(join(path, "package.json"), JSON.stringify({ type: "module", incipit: manifest }));
    written.push({ id: manifest.id, path, grant: manifest.capabilities });
  }
  return written;
}

test("the guide of an embedded host shows its tested example", async () => {
  const page = await textOf("docs/guide/embed.md");
  const [, block = ""] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? [];

  expect(block.split("\n").length).toBeGreaterThan(10);
  expect(await textOf("examples/14-embed/check.ts")).toContain(block);
});

test("the guide shows the prompt builder of its tested example", async () => {
  const code = (await blocksOf("ts")).find((block) => block.includes("definePromptBuilder"));

  expect(await textOf("examples/25-prompt-builder/src/index.ts")).toContain(code ?? "no such block");
});

test("the guide of templates documents exactly the built-in variables", async () => {
  const section = sectionOf(await textOf("docs/guide/templates.md"), "## Variables\n", "\n## ");

  const named = namesIn(section, /`([a-z]+:\w+)`/g);
  expect(named).toEqual(
    staticVariables.map(({ type, name, dynamic }) => `${type}:${dynamic === true ? "PATH" : name}`),
  );
});

test("the guide of workspace tools has exactly one row per tool", async () => {
  const rows = namesIn(await textOf("docs/guide/workspace-tools.md"), /^\| `(\w+)` \| .*\|$/gm);

  expect(rows.toSorted()).toEqual(workspaceToolNames.toSorted());
});

test("the guide's extensions type-check, pass the guide's test, and load", async () => {
  await using temp = await createTempFolder();
  const extensions = await writeExtensions(temp.path);
  expect(extensions.length).toBeGreaterThan(2);
  const testCode = (await blocksOf("ts")).find((block) => block.includes('from "bun:test"')) ?? "";
  await Bun.write(join(extensions[0]?.path ?? "", "src/index.test.ts"), testCode);
  const run = async (...command: readonly string[]): Promise<string> => {
    const child = Bun.spawn([...command], { cwd: temp.path, stdout: "pipe", stderr: "pipe" });
    const shown = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return `${shown.join("")}exit ${await child.exited}`;
  };

  expect(await run(join(root, "node_modules/.bin/tsc"), "-p", ".")).toBe("exit 0");
  expect(await run(process.execPath, "test", "--timeout", "120000")).toMatch(/ 1 pass\n 0 fail\n[\s\S]*exit 0$/);
  const data = join(temp.path, "data");
  const config = join(temp.path, "incipit.toml");
  await Bun.write(config, "");
  await using host = await HostProcess.start({ data, config, cwd: temp.path });
  for (const { id, path, grant } of extensions) {
    await host.json("/extensions", { body: { path, grant } });
    expect(await host.json(`/extensions/${id}`)).toMatchObject({ extension: { phase: "active" } });
  }
}, 300_000);

interface ShownCommand {
  readonly command: string;
  readonly shown: readonly string[];
}

async function shownCommands(): Promise<readonly ShownCommand[]> {
  return (await blocksOf("console")).flatMap((block) =>
    block.split(/^\$ /m).flatMap((part) => {
      const [command = "", ...lines] = part.split("\n");
      const shown = lines.filter((line) => line !== "").map((line) => line.replace(/…$/, ""));
      return command === "" ? [] : [{ command, shown }];
    }),
  );
}

test("the guide's commands print the documented output", async () => {
  await using temp = await createTempFolder();
  const home = await realpath(temp.path);
  const data = join(home, "data");
  const config = join(home, "incipit.toml");
  await Bun.write(config, "");
  const env = { USER: "Ada" };
  await using _host = await HostProcess.start({ data, config, cwd: home, env });
  const commands = await shownCommands();
  expect(commands.length).toBeGreaterThan(7);

  for (const { command, shown } of commands) {
    const [program, ...args] = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? "",
    );
    const { exitCode, output } =
      program === "incipit"
        ? // New extensions of the guide are linked to this checkout.
          await ofIncipit([...args, "--data", data, "--config", config], {
            cwd: home,
            home,
            env,
            command: sourceCommand,
          })
        : ofBun(args, home);

    expect({ command, exitCode, output }).toMatchObject({ exitCode: 0 });
    const lines = comparable(output, home).split("\n");
    const missing = shown.filter(
      (line) => !lines.some((printed) => printed.startsWith(comparable(line, "/home/ada"))),
    );
    expect({ command, missing, output: missing.length === 0 ? "" : output }).toEqual({
      command,
      missing: [],
      output: "",
    });
  }
}, 300_000);

async function ofIncipit(
  ...args: Parameters<typeof incipit>
): Promise<{ readonly exitCode: number; readonly output: string }> {
  const { exitCode, stdout, stderr } = await incipit(...args);
  return { exitCode, output: stdout + stderr };
}

function ofBun(args: readonly string[], cwd: string): { readonly exitCode: number; readonly output: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...args], {
    cwd,
    stdout: "pipe",
    stderr: "pipe",
  });
  return { exitCode, output: stdout.toString() + stderr.toString() };
}

function comparable(text: string, home: string): string {
  return text.replaceAll(home, "HOME").replaceAll(/\d+ ms/g, "N ms");
}
