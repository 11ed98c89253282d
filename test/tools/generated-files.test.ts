import { sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { generatedFile, type GeneratedFile } from "./generated-files.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import { World } from "../support/world.ts";

const count = Number(process.env["GENERATED_FILES"] ?? sampleCount(100));
const seed = Number(process.env["GENERATED_FILES_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** Files per conversation, since each request contains all earlier messages. */
const perTurn = 50;

test(`edit_file and write_file keep the form of ${count} generated files and change nothing else (GENERATED_FILES_SEED=${seed})`, async () => {
  const config = 'tools.workspace = true\napprovals.allow = ["edit_file", "write_file"]';
  await using world = await World.start({ config, model: { isStrict: true } });
  const { model, work: cwd } = world;
  await mkdir(world.path("real"));
  const host = await world.host();
  const random = randomNumbers(seed);

  for (let from = 0; from < count; from += perTurn) {
    const files = Array.from({ length: Math.min(perTurn, count - from) }, () => generatedFile(random));
    for (const [index, file] of files.entries())
      for (const kind of ["edit", "write"]) await put(file, { cwd, name: `${from + index}-${kind}` });
    const calls = files.flatMap(({ edit, content }, index) => {
      const path = (kind: string): string => `${from + index}-${kind}`;
      return [
        { id: `e${index}`, name: "edit_file", arguments: JSON.stringify({ path: path("edit"), ...edit }) },
        {
          id: `w${index}`,
          name: "write_file",
          arguments: JSON.stringify({ path: path("write"), content, overwrite: true }),
        },
      ];
    });
    model.enqueue({ kind: "tool-calls", calls });
    const events = await host.turn((await host.createConversation()).id, { input: "go" });

    expect(events.filter((event) => event.type === "tool-call-end" && event.error !== undefined)).toEqual([]);
    for (const [index, file] of files.entries()) await check(file, { cwd, name: `${from + index}` });
  }
}, 3_600_000);

interface Place {
  readonly cwd: string;
  readonly name: string;
}

async function put({ before, mode, isLink }: GeneratedFile, { cwd, name }: Place): Promise<void> {
  const path = join(cwd, isLink ? "real" : ".", name);
  await Bun.write(path, before);
  await chmod(path, mode);
  if (isLink) await symlink(join("real", name), join(cwd, name));
}

async function check(file: GeneratedFile, { cwd, name }: Place): Promise<void> {
  const { label, edited, written, mode, isLink } = file;
  const paths = [join(cwd, `${name}-edit`), join(cwd, `${name}-write`)] as const;
  const [edit, write] = await Promise.all([Bun.file(paths[0]).bytes(), Bun.file(paths[1]).bytes()]);
  const { start, text, end } = edited;
  const middle = edit.subarray(start.length, edit.length - end.length);

  expect([label, hexOf(edit.subarray(0, start.length))]).toEqual([label, hexOf(start)]);
  expect([label, hexOf(edit.subarray(edit.length - end.length))]).toEqual([label, hexOf(end)]);
  expect([label, file.textOf(middle)]).toEqual([label, text]);
  expect([label, hexOf(write)]).toEqual([label, hexOf(written)]);
  for (const path of paths) {
    expect((await lstat(path)).isSymbolicLink()).toBe(isLink);
    if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(mode);
  }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
