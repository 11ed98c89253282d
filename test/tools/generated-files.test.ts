import { createTempFolder, startRecordingModelServer, sampleCount } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { chmod, lstat, mkdir, realpath, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { generatedFile, type GeneratedFile } from "./generated-files.ts";
import { HostProcess } from "../support/host-process.ts";
import { randomNumbers } from "../support/random-numbers.ts";

const count = Number(process.env["GENERATED_FILES"] ?? sampleCount(100));
const seed = Number(process.env["GENERATED_FILES_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
/** Files per conversation, since each request contains all earlier messages. */
const perTurn = 50;

test(`edit_file and write_file keep the form of ${count} generated files and change nothing else (GENERATED_FILES_SEED=${seed})`, async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const root = await realpath(folder.path);
  const [config, cwd] = [join(root, "incipit.toml"), join(root, "work")];
  await mkdir(join(cwd, "real"), { recursive: true });
  await Bun.write(
    config,
    `model = "local/test"\ntools.workspace = true\n[approvals]\nallow = ["edit_file", "write_file"]
[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  await using host = await HostProcess.start({ data: join(root, "data"), config, cwd: root });
  const client = createClient({ url: host.url, token: host.token });
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
    model.enqueue({ kind: "tool-calls", calls }, { kind: "text", chunks: ["Done."] });
    const { conversation } = await client.call(routes.createConversation, { body: { cwd } });
    const events = await host.turn(conversation.id, { input: "go" });

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
