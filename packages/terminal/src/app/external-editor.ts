import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Editors append a newline, which is removed. @throws {Error} if the editor fails. */
export async function editExternally(text: string, openEditor: (path: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "incipit-message-"));
  try {
    const path = join(folder, "message.md");
    await writeFile(path, text, { mode: 0o600 });
    await openEditor(path);
    const written = await readFile(path, "utf8");
    return text.endsWith("\n") ? written : written.replace(/\r?\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
