import { templateFilesResponseSchema } from "@incipit/schema";
import { errorResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { HostWorld } from "../support/host-world.ts";

test("GET /system-prompt/files lists files for templates, and nothing outside the builder's grant", async () => {
  await using world = await HostWorld.create({ model: "offline/echo", work: "work" });
  const { cwd: work } = world;
  await Bun.write(join(work, "notes.md"), "12345");
  await Bun.write(join(work, "docs/deep/style.md"), "");
  await mkdir(join(world.folder, "beside"));
  await symlink(join(world.folder, "beside"), join(work, "way-out"));
  const host = await world.start();
  const list = async (query: Readonly<Record<string, string>>): Promise<unknown> => {
    const response = await host.fetch(`/system-prompt/files?${new URLSearchParams(query).toString()}`);
    const answer: unknown = await response.json();
    return response.ok ? templateFilesResponseSchema.parse(answer) : errorResponseSchema.parse(answer).error.code;
  };

  expect(await list({})).toEqual({
    cwd: work,
    folder: "",
    parent: null,
    entries: [
      { name: "docs", kind: "folder", path: "docs", sizeBytes: 0 },
      { name: "notes.md", kind: "file", path: "notes.md", sizeBytes: 5 },
      { name: "way-out", kind: "link", path: "way-out", sizeBytes: 0 },
    ],
    leftOut: 0,
  });
  expect(await list({ folder: "docs/deep" })).toMatchObject({
    folder: "docs/deep",
    parent: "docs",
    entries: [{ path: "docs/deep/style.md" }],
  });
  expect(await list({ cwd: join(work, "docs"), folder: "deep" })).toMatchObject({
    parent: "",
    entries: [{ path: "deep/style.md" }],
  });
  for (const query of [
    { folder: "notes.md" },
    { folder: "absent" },
    { folder: ".." },
    { folder: "way-out" },
    { folder: "/etc" },
    { folder: "a\0b" },
  ])
    expect([query, await list(query)]).toEqual([query, "INVALID_REQUEST"]);
  expect(await list({ cwd: "relative" })).toBe("CWD_INVALID");
});
