import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maxAttachedBytes, type Attachments } from "../input/attachments.ts";
import { sizeText } from "../input/size-text.ts";

export function storePaste(
  text: string,
  { attachments, tell }: { readonly attachments: Attachments; readonly tell: (line: string) => void },
): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxAttachedBytes) return `${attachments.addText(text)} `;
  const folder = mkdtempSync(join(tmpdir(), "incipit-pasted-"));
  chmodSync(folder, 0o700);
  const path = join(folder, "pasted.txt");
  writeFileSync(path, text, { mode: 0o600 });
  tell(
    `What was pasted has ${sizeText(bytes)}, and a message at most ${sizeText(maxAttachedBytes)}. It is in ${path}: a model with tools can read it there, part by part`,
  );
  return `${path} `;
}
