import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";

function loadedBy(...files: readonly string[]): readonly string[] {
  const imports = files.map((file) => `await import(${JSON.stringify(join(import.meta.dir, file))});`).join("");
  const script = `${imports} console.log(JSON.stringify(Object.keys(require.cache)));`;
  const { stdout, stderr, success } = Bun.spawnSync([process.execPath, "-e", script], { cwd: import.meta.dir });
  if (!success) throw new Error(stderr.toString());
  return z.array(z.string()).parse(JSON.parse(stdout.toString()));
}

test("channel-telegram loads grammY and the Markdown parser only when enabled, never Node's build", () => {
  const off = loadedBy("extension.ts");
  const on = loadedBy("extension.ts", "telegram-channel.ts");

  expect(off.filter((file) => /grammy|marked/.test(file))).toEqual([]);
  expect(on.some((file) => file.includes("grammy/out/web.mjs"))).toBe(true);
  expect(on.filter((file) => /node-fetch|abort-controller|grammy\/out\/mod/.test(file))).toEqual([]);
});
