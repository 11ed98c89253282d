import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import * as z from "zod";
import { UsageError } from "../registry/usage-error.ts";
import type { Call } from "../registry/command.ts";
import { isBuiltFile } from "../output/built-file.ts";
import { packedDeclarations } from "./author-declarations.ts" with { type: "macro" };

const textsSchema = z.record(z.string(), z.string());

export const typesFolder = "types";

/** Replaces existing declarations of `@incipit/*` and zod. Returns their count. */
export async function writeAuthorTypes(folder: string): Promise<number> {
  const packed = Uint8Array.fromBase64(await packedDeclarations());
  const texts = textsSchema.parse(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(packed))));
  const place = join(folder, typesFolder);
  await rm(place, { recursive: true, force: true });
  for (const [path, text] of Object.entries(texts)) await Bun.write(join(place, path), text);
  return Object.keys(texts).length;
}

/** For an extension created with another version. */
export async function extensionTypes({
  words: [given = "."],
  args,
  output: { outLine },
}: Call<[folder?: string]>): Promise<void> {
  const folder = resolve(given);
  if (!existsSync(join(folder, "package.json")))
    throw new UsageError(`"${folder}" has no package.json; name the folder of an extension`);
  if (!isBuiltFile)
    throw new UsageError(
      'In a clone, the types are its sources, and "paths" of tsconfig.json leads there: "incipit extensions new" writes it so',
    );
  const count = await writeAuthorTypes(folder);
  const path = join(relative(process.cwd(), folder), typesFolder);
  outLine(
    args.isJson
      ? JSON.stringify({ path: join(folder, typesFolder), files: count })
      : `Wrote ${count} files to ${path}`,
  );
}
