import { createTempFolder } from "@incipit/testkit";
import { chmod, copyFile, link, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { runProgram } from "../run-program.ts";
import { packageOf, programOf, targets, type Target } from "./targets.ts";

const root = join(import.meta.dir, "../../..");

const ownSchema = z.object({ version: z.string(), license: z.string() });

interface Own extends z.infer<typeof ownSchema> {
  readonly publishConfig: { readonly access: "public" };
}

export type CommandManifest = { readonly [key: string]: unknown } & {
  readonly name: string;
  readonly version: string;
};

async function readOwn(): Promise<Own> {
  const manifest: unknown = await Bun.file(join(root, "packages/host-bin/package.json")).json();
  return { ...ownSchema.parse(manifest), publishConfig: { access: "public" } };
}

function commandManifest(own: Own): CommandManifest {
  return {
    name: "incipit",
    ...own,
    description: "A host for AI agents that decides, shows and proves what a model is told",
    type: "commonjs",
    bin: { incipit: "bin/incipit.js" },
    // For man(1) in global installations.
    man: ["man/incipit.1"],
    files: ["bin", "man"],
    engines: { node: ">=18" },
    // Both are built together.
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageOf(target), own.version])),
  };
}

function platformManifest(target: Target, own: Own): CommandManifest {
  const { name, os, cpu, libc } = target;
  return {
    name: packageOf(target),
    ...own,
    description: `The program of "incipit" for ${name}; install "incipit", which brings the one that fits`,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    files: ["bin", "THIRD-PARTY-NOTICES.md"],
    // Makes archive-based package managers unpack the executable.
    preferUnplugged: true,
  };
}

/** Installing it needs no registry. */
function standaloneManifest(target: Target, own: Own): CommandManifest {
  const { type: _, optionalDependencies: __, engines: ___, ...command } = commandManifest(own);
  const { os, cpu, libc, preferUnplugged } = platformManifest(target, own);
  return {
    ...command,
    bin: { incipit: programOf(target) },
    os,
    cpu,
    ...(libc === undefined ? {} : { libc }),
    files: ["bin", "man", "THIRD-PARTY-NOTICES.md"],
    preferUnplugged,
  };
}

/** Including unbuilt targets. */
export async function commandManifests(): Promise<readonly CommandManifest[]> {
  const own = await readOwn();
  return [commandManifest(own), ...targets.map((target) => platformManifest(target, own))];
}

export async function writeCommandPackage(folder: string): Promise<void> {
  const target = join(folder, "incipit");
  await using compiled = await createTempFolder();
  // The compiler reads the module type from the nearest package.
  await Bun.write(join(compiled.path, "package.json"), JSON.stringify({ type: "commonjs" }));
  await copyFile(join(import.meta.dir, "incipit.ts"), join(compiled.path, "incipit.ts"));
  const settings = ["--ignoreConfig", "--noCheck", "--module", "nodenext", "--target", "es2022"];
  await runProgram([join(root, "node_modules/.bin/tsc"), "incipit.ts", ...settings], { cwd: compiled.path });
  const program = join(target, "bin/incipit.js");
  await mkdir(dirname(program), { recursive: true });
  await copyFile(join(compiled.path, "incipit.js"), program);
  await chmod(program, 0o755);
  await Bun.write(join(target, "man/incipit.1"), await manPage());
  await writeBeside(
    target,
    commandManifest(await readOwn()),
    await Bun.file(join(import.meta.dir, "README.md")).text(),
  );
}

function manPage(): Promise<string> {
  return runProgram([process.execPath, "--no-env-file", join(root, "packages/host-bin/src/main.ts"), "man"], {
    cwd: root,
  });
}

export async function writePlatformPackage(
  target: Target,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<string> {
  const place = join(folder, `cli-${target.name}`);
  const program = join(place, programOf(target));
  await mkdir(dirname(program), { recursive: true });
  await copyFile(file, program);
  await chmod(program, 0o755);
  const manifest = platformManifest(target, await readOwn());
  await copyFile(join(root, "THIRD-PARTY-NOTICES.md"), join(place, "THIRD-PARTY-NOTICES.md"));
  await writeBeside(place, manifest, `# ${manifest.name}\n\n${String(manifest["description"])}.\n`);
  return place;
}

/** From the output of `writeCommandPackage` and `writePlatformPackage` in the same folder. Not for a registry. */
export async function writeStandalonePackage(target: Target, folder: string): Promise<string> {
  const place = join(folder, `standalone-${target.name}`);
  const platform = join(folder, `cli-${target.name}`);
  const program = programOf(target);
  await mkdir(dirname(join(place, program)), { recursive: true });
  await mkdir(join(place, "man"));
  await link(join(platform, program), join(place, program)); // 100 MB.
  await copyFile(join(platform, "THIRD-PARTY-NOTICES.md"), join(place, "THIRD-PARTY-NOTICES.md"));
  await copyFile(join(folder, "incipit/man/incipit.1"), join(place, "man/incipit.1"));
  const readme = await Bun.file(join(import.meta.dir, "README.md")).text();
  await writeBeside(place, standaloneManifest(target, await readOwn()), readme);
  return place;
}

async function writeBeside(folder: string, manifest: CommandManifest, readme: string): Promise<void> {
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  await Bun.write(join(folder, "README.md"), readme);
  await Bun.write(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
