import { readFolderConfig } from "@incipit/host/trust";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { GrowingFile } from "./growing-file.ts";
import { readConfigFile } from "./read-config-file.ts";

const toml = '# Für später\r\nmodel = "offline/größer"\r\n';
const encodings: readonly (readonly [string, Uint8Array])[] = [
  ["utf-8", Buffer.from(toml)],
  ["utf-8 with a mark", Buffer.from(`\uFEFF${toml}`)],
  ["utf-16le", Buffer.from(`\uFEFF${toml}`, "utf16le")],
  ["utf-16le without a mark", Buffer.from(toml, "utf16le")],
  ["utf-16be", Buffer.from(`\uFEFF${toml}`, "utf16le").swap16()],
  ["windows-1252", Buffer.from(toml, "latin1")],
];
/** Shift JIS. */
const unknown = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea);
const why = "it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8";

test("readConfigFile and readFolderConfig decode files of Windows editors", async () => {
  await using temp = await createTempFolder();
  const file = join(temp.path, "incipit.toml");
  for (const [name, bytes] of encodings) {
    await Bun.write(file, bytes);

    const { table } = readConfigFile(file);
    const { layer } = readFolderConfig(temp.path);

    expect({ name, table }).toEqual({ name, table: { model: "offline/größer" } });
    expect(layer).toMatchObject({ table });
  }
});

test("readConfigFile and readFolderConfig name an undecodable file in one line", async () => {
  await using temp = await createTempFolder();
  const file = join(await realpath(temp.path), "incipit.toml");
  await Bun.write(file, unknown);

  expect(() => readConfigFile(file)).toThrow(`Cannot read the configuration "${file}": ${why}`);
  expect(readFolderConfig(temp.path).layer).toMatchObject({
    message: `Cannot read the configuration "${file}": ${why}`,
  });
});

test("GrowingFile converts UTF-16 to UTF-8 and keeps undecodable files", async () => {
  await using temp = await createTempFolder();
  const file = join(temp.path, "incipit.toml");
  const own = { file, dataFolder: join(temp.path, "data") };
  await Bun.write(file, Buffer.from(`\uFEFF${toml}`, "utf16le"));

  const growing = new GrowingFile(own);
  growing.add(["mcp", "servers", "files"], { command: "files" });
  growing.write();

  expect(await Bun.file(file).text()).toBe(`${toml}\n[mcp.servers.files]\ncommand = "files"\n`);
  await Bun.write(file, unknown);
  expect(() => new GrowingFile(own)).toThrow(why);
  expect(await Bun.file(file).bytes()).toEqual(unknown);
});
