import { createFileSystem, systemClock } from "@incipit/host/drivers";
import media from "@incipit/attachments";
import type { FileSystem } from "@incipit/kernel";
import { conversationsHandle, mediaHandle, type ReplyPart } from "@incipit/service-contract";
import sessionOrchestrator from "@incipit/session-orchestrator";
import { answeringModel, createTempFolder, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { MediaWorld } from "./testing/media-world.ts";

const inbox = ".incipit/inbox";

function kinds(parts: readonly ReplyPart[]): readonly string[] {
  return parts.map(({ kind }) => kind);
}

function sent(name: string): { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> } {
  return { name, mediaType: "text/plain", bytes: new TextEncoder().encode("echo harm") };
}

test("[attack:files-read-outside] split() sends no file outside of the folder; the control is inside", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.host.home, "secret.txt"), "secret");
  await symlink("../secret.txt", join(world.cwd, "file.txt"));
  await symlink("..", join(world.cwd, "up"));
  await symlink(join(world.host.home, "data"), join(world.cwd, "data"));
  await symlink(join(world.host.home, "data/token"), join(world.cwd, "token.txt"));
  const paths = [
    "../secret.txt",
    "up/secret.txt",
    "up/work/../../secret.txt",
    join(world.host.home, "secret.txt"),
    "file.txt",
    "token.txt",
    "data/token",
    "/proc/self/environ",
  ];
  const parts = await world.parts(paths.map((path) => `MEDIA:${path}`).join("\n"));
  await Bun.write(join(world.cwd, "control.txt"), "secret");

  expect(kinds(parts)).toEqual(paths.map(() => "refused"));
  expect(kinds(await world.parts("MEDIA:control.txt"))).toEqual(["file"]);
});

test("[attack:files-read-hidden] split() sends no hidden file; the control is visible", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, ".ssh/key.txt"), "secret");
  await Bun.write(join(world.cwd, "keys/key.txt"), "secret");
  await symlink(".ssh/key.txt", join(world.cwd, "notes.txt"));
  await symlink(".ssh", join(world.cwd, "notes"));

  const reply = "MEDIA:.ssh/key.txt\nMEDIA:notes.txt\nMEDIA:notes/key.txt\nMEDIA:keys/key.txt";
  expect(kinds(await world.parts(reply))).toEqual(["refused", "refused", "refused", "file"]);
});

test("[attack:files-said-in-code] split() ignores paths in code and accepts them elsewhere", async () => {
  await using world = await MediaWorld.start();
  await Bun.write(join(world.cwd, "a.txt"), "secret");
  const line = "MEDIA:a.txt";

  for (const code of [
    "```\nLINE\n```",
    "~~~~ md\n```\nLINE\n~~~\nLINE",
    "- ```\n  LINE\n  ```",
    "    LINE",
    "Write `LINE` for a file.",
  ])
    expect(kinds(await world.parts(code.replaceAll("LINE", line)))).toEqual(["text"]);
  expect(kinds(await world.parts(`\`\`\`\n\`\`\`\n${line}`))).toEqual(["text", "file"]);
});

test("[attack:files-turned-into-link] split() sends no file replaced with an outside link; the control is unchanged", async () => {
  for (const isControl of [false, true]) {
    await using world = await MediaWorld.start();
    await Bun.write(join(world.host.home, "secret.txt"), "secret");
    await Bun.write(join(world.cwd, "a.txt"), "harmless");
    const call = { id: "call", name: "send_file", arguments: JSON.stringify({ path: "a.txt" }) };
    world.host.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["There."] });
    const turnId = await world.turn();
    if (!isControl) {
      await rm(join(world.cwd, "a.txt"));
      await symlink("../secret.txt", join(world.cwd, "a.txt"));
    }

    const { parts } = await world.split("There.", turnId);
    expect(kinds(parts)).toEqual(["text", isControl ? "file" : "refused"]);
  }
});

test("[attack:files-sent-over-hook] keep() writes no git hook through a link; the control has none", async () => {
  for (const isControl of [false, true]) {
    await using world = await MediaWorld.start();
    await mkdir(join(world.cwd, ".git/hooks"), { recursive: true });
    await mkdir(join(world.cwd, ".incipit"));
    if (!isControl) await symlink("../.git/hooks", join(world.cwd, inbox));

    const { kind } = await world.keep(sent("post-checkout"));
    expect(kind).toBe(isControl ? "kept" : "refused");
    expect(await readdir(join(world.cwd, ".git/hooks"))).toEqual([]);
  }
});

test("[attack:files-sent-by-path] keep() generates each name in the inbox; the control has a plain one", async () => {
  await using world = await MediaWorld.start();
  const names = [
    "../../.bashrc",
    "/etc/passwd",
    "AGENTS.md",
    ".env",
    "a\u001b[2J\u202e\n.txt",
    "con:stream",
    "control.txt",
  ];

  for (const name of names) expect(await world.keep(sent(name))).toMatchObject({ kind: "kept" });

  expect((await readdir(world.cwd)).toSorted()).toEqual([".incipit"]);
  const kept = (await readdir(join(world.cwd, inbox))).map((name) => name.replace(/^\d{4}-\d\d-\d\d-/, "day-"));
  expect(kept.toSorted()).toEqual(
    ["bashrc.txt", "passwd.txt", "AGENTS.md", "env.txt", "a_2J_.txt", "con_stream.txt", "control.txt"]
      .map((name) => `day-${name}`)
      .toSorted(),
  );
});

async function keepWhile(happens: (path: string) => Promise<void>): Promise<Readonly<Record<string, string>>> {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "work");
  await mkdir(join(cwd, inbox), { recursive: true });
  await Bun.write(join(folder.path, "outside.txt"), "before");
  const fs = (extension: string, grant: Parameters<typeof createFileSystem>[1]): FileSystem => {
    const files = createFileSystem(extension, grant, { clock: systemClock });
    return {
      ...files,
      async list(...call) {
        const listed = await files.list(...call);
        // The check of the working folder itself belongs to the caller.
        if (call[0] !== ".") await happens(join(cwd, inbox, "2026-01-01-a.txt"));
        return listed;
      },
    };
  };
  await using started = await startExtension([media, sessionOrchestrator, answeringModel([])], {
    defaults: { model: "test/model", cwd },
    drivers: { fs },
  });
  const { id } = await started.service(conversationsHandle).create({ cwd });
  const kept = await started.service(mediaHandle).keep(id, sent("a.txt"));
  return {
    kept: kept.kind === "kept" ? kept.path : kept.kind,
    outside: await Bun.file(join(folder.path, "outside.txt")).text(),
    inside: (await readdir(cwd)).join(),
  };
}

test("[attack:files-sent-onto-link] keep() writes through no link created during the call; the control has none", async () => {
  const unharmed = { outside: "before", inside: ".incipit" };

  for (const target of ["../../../outside.txt", "../../made.txt"])
    expect(await keepWhile((path) => symlink(target, path))).toEqual({
      kept: `${inbox}/2026-01-01-a-2.txt`,
      ...unharmed,
    });
  expect(await keepWhile(async () => {})).toEqual({ kept: `${inbox}/2026-01-01-a.txt`, ...unharmed });
});
