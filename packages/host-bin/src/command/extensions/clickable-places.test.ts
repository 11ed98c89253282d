import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { clickablePlaces } from "./dev.ts";

test("clickablePlaces rewrites file places relative to the working folder and keeps other words", async () => {
  await using temp = await createTempFolder();
  const folder = join(temp.path, "weather");
  await Bun.write(join(folder, "src/index.ts"), "");
  const inFolder = { folder, cwd: temp.path };

  expect(clickablePlaces('Cannot load "x":\nsrc/index.ts:16:6: Expected ";"', inFolder)).toBe(
    'Cannot load "x":\nweather/src/index.ts:16:6: Expected ";"',
  );
  expect(clickablePlaces(`no sky (${folder}/src/index.ts:3:4)`, inFolder)).toBe(
    "no sky (weather/src/index.ts:3:4)",
  );
  expect(clickablePlaces("src/index.ts:16:6: x", { folder, cwd: folder })).toBe("src/index.ts:16:6: x");
  expect(clickablePlaces("src/index.ts:1:2: x", { folder, cwd: "/nowhere" })).toBe(`${folder}/src/index.ts:1:2: x`);
  for (const text of ["src/gone.ts:1:2", "http://127.0.0.1:80:1", "src/index.ts", "/etc/x.ts:1:2"])
    expect(clickablePlaces(text, inFolder)).toBe(text);
});
