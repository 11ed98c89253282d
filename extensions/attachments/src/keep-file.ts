import type { FileSystem } from "@incipit/kernel";
import type { KeptFile, SentFile } from "@incipit/service-contract";
import { join } from "node:path";
import { importedReason, type FolderOptions } from "./file-to-send.ts";
import { imageForModels } from "./file-types.ts";
import { inboxNames } from "./inbox-name.ts";
import { inboxPath } from "./path-problem.ts";
import { formatSize } from "./format-size.ts";

const timeoutMs = 30_000;
/** Maximum size of an image for a model, which every vendor accepts; larger images are stored as ordinary files. */
const maxImageBytes = 5_242_880;
/** Senders must not fill the disk. */
const maxInboxFiles = 1_000;
const maxInboxBytes = 1_073_741_824;
/** Maximum number of names to try: a name may be taken concurrently, or exist without being listed. */
const maxTries = 100;

export interface InboxOptions {
  readonly fs: Pick<FileSystem, "list" | "locate" | "writeFile">;
  readonly cwd: FolderOptions["cwd"];
  readonly maxBytes: number;
  readonly takesImage: (mediaType: string) => boolean;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

export async function keepFile(file: SentFile, options: InboxOptions): Promise<KeptFile> {
  const { bytes } = file;
  const names = inboxNames(file.name, { mediaType: file.mediaType, atMs: options.now });
  const mediaType = bytes.length <= maxImageBytes ? imageForModels(bytes) : undefined;
  if (mediaType !== undefined && options.takesImage(mediaType)) {
    const data = Buffer.from(bytes).toString("base64");
    return { kind: "image", part: { type: "file", mediaType, data, filename: names.next().value ?? "image" } };
  }
  const kept = await write(bytes, names, options);
  if (kept.kind === "written") {
    const text = `[MEDIA] The user has sent a file: ${kept.path} (${formatSize(bytes.length)})`;
    return { kind: "kept", path: kept.path, text };
  }
  const { why } = kept;
  return { kind: "refused", why, text: `[MEDIA] The user has sent a file that was not kept: ${why}` };
}

type Written =
  | { readonly kind: "written"; readonly path: string }
  | { readonly kind: "refused"; readonly why: string };

async function write(
  bytes: Uint8Array,
  names: Iterable<string>,
  { fs, cwd, maxBytes, signal }: InboxOptions,
): Promise<Written> {
  const refuse = (why: string): Written => ({ kind: "refused", why });
  if (cwd === undefined) return refuse(importedReason);
  const options = { cwd, timeoutMs, ...(signal === undefined ? {} : { signal }) };
  if (bytes.length === 0) return refuse("it is empty");
  if (bytes.length > maxBytes) return refuse(`it has more than ${formatSize(maxBytes)}`);
  const [folder, inbox] = await Promise.all([fs.locate(".", options), fs.locate(inboxPath, options)]);
  if (folder.kind === "refused") return refuse("the working folder cannot be used");
  // A link could redirect the write to an executable file, such as a git hook.
  const place = join(folder.path, inboxPath);
  if (inbox.kind === "refused" || inbox.path !== place)
    return refuse(`"${inboxPath}" is a link, or cannot be used`);
  const listed = await fs.list(inboxPath, { ...options, maxEntries: maxInboxFiles });
  if (listed.kind === "absent" && listed.reason !== "not-found") return refuse(`"${inboxPath}" cannot be listed`);
  const entries = listed.kind === "listed" ? listed.entries : [];
  const heldBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (entries.length >= maxInboxFiles || heldBytes + bytes.length > maxInboxBytes)
    return refuse(`"${inboxPath}" is full; take something away from there`);
  const taken = new Set(entries.map(({ name }) => name));
  let tries = 0;
  for (const name of names) {
    if (taken.has(name)) continue;
    if ((tries += 1) > maxTries) break;
    const path = `${inboxPath}/${name}`;
    // Never overwrites an existing file, link or pipe.
    const written = await fs.writeFile(path, bytes, {
      ...options,
      createFolders: true,
      expected: null,
      place: join(place, name),
    });
    if (written.kind === "written") return { kind: "written", path };
    if (!["changed", "not-a-file", "denied"].includes(written.reason))
      return refuse(`it could not be written (${written.detail ?? written.reason})`);
  }
  return refuse(`"${inboxPath}" cannot be written`);
}
