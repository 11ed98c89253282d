import { expect, test } from "bun:test";
import { join } from "node:path";

const source = join(import.meta.dir, "..");

test("version 1 does not statically import version 2, whose schemas would slow each start", async () => {
  const statically: string[] = [];
  for await (const file of new Bun.Glob("**/*.ts").scan(source)) {
    if (file.startsWith("v2/")) continue;
    const text = await Bun.file(join(source, file)).text();
    if (/^(?:import|export)\b(?! type\b)[^;]*\bfrom "[^"]*\bv2\//m.test(text)) statically.push(file);
    if (/^(?:import|export)\b(?! type\b)[^;]*\bfrom "[^"]*\bexperimental\b/m.test(text)) statically.push(file);
  }

  expect(statically).toEqual([]);
  expect(await Bun.file(join(source, "serve-acp.ts")).text()).toContain('await import("./v2/by-version.ts")');
});
