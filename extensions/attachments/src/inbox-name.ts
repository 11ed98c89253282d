import { endingOfType } from "./file-types.ts";

/** UTF-16 units of at most three bytes each: far below the 255-byte limit of names. */
const maxStemLength = 40;

/** The date prefix rules out names that programs look for, such as `AGENTS.md`. */
export function* inboxNames(
  name: string | undefined,
  { mediaType, atMs }: { readonly mediaType: string; readonly atMs: number },
): Generator<string> {
  const { stem, ending } = safeParts(name ?? "", mediaType);
  const day = new Date(atMs).toISOString().slice(0, 10);
  for (let number = 1; ; number += 1)
    yield `${day}-${stem}${number === 1 ? "" : `-${number}`}${ending === "" ? "" : `.${ending}`}`;
}

function safeParts(name: string, mediaType: string): { readonly stem: string; readonly ending: string } {
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const safe = last
    .slice(0, 1_000)
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .replaceAll(/\.{2,}/g, ".")
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  const [, stem = safe, ending = ""] = /^(.+)\.([a-zA-Z0-9]{1,8})$/.exec(safe) ?? [];
  const cut = stem.slice(0, maxStemLength).replace(/[\uD800-\uDBFF]$/, ""); // Drops half of a surrogate pair.
  return { stem: cut === "" ? "file" : cut, ending: ending === "" ? (endingOfType(mediaType) ?? "") : ending };
}
