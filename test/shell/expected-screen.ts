import { expect } from "bun:test";
import { join } from "node:path";

/** `UPDATE_SCREENS=1` rewrites the file. */
export async function expectScreen(name: string, screen: string): Promise<void> {
  const file = Bun.file(join(import.meta.dir, "screens", `${name}.txt`));
  if (process.env["UPDATE_SCREENS"] === "1") await Bun.write(file, screen);
  expect(screen).toBe((await file.exists()) ? await file.text() : "");
}
