import { expect } from "bun:test";
import { join } from "node:path";

/** Holds what a person sees against a file that people can read; `UPDATE_SCREENS=1` writes it anew. */
export async function expectScreen(name: string, screen: string): Promise<void> {
  const file = Bun.file(join(import.meta.dir, "screens", `${name}.txt`));
  if (process.env["UPDATE_SCREENS"] === "1") await Bun.write(file, screen);
  expect(screen).toBe((await file.exists()) ? await file.text() : "");
}
