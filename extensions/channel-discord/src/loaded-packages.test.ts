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

test("channel-discord loads its implementation only when enabled, and no npm package but zod", () => {
  const off = loadedBy("extension.ts");
  const on = loadedBy("extension.ts", "discord-channel.ts");

  const own = (files: readonly string[]): readonly string[] =>
    files.filter((file) => file.includes("channel-discord/src"));
  const names = own(off).map((file) => file.split("/").at(-1) ?? "");
  expect(new Set(names)).toEqual(new Set(["configuration.ts", "extension.ts"]));
  expect(own(on).length).toBeGreaterThan(10);
  expect(on.filter((file) => file.includes("/node_modules/") && !file.includes("/zod/"))).toEqual([]);
});
