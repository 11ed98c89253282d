import type { Attack } from "../attacks.ts";

/** An extension that asks for nothing, or for little. */
export const extensionAttacks = {
  "extension-core-id-swap": {
    tries: "a folder with the id of a core extension is swapped into its place, and reads its settings",
    seen: "ID_RESERVED; the core extension goes on, and nobody else has its settings",
  },
  "extension-core-id-restore": {
    tries: "extensions.paths, or extensions.json, names a folder with the id of a core extension",
    seen: "it is listed as failed with ID_RESERVED, and can be removed; the core extension runs",
  },
  "extension-core-id-add": {
    tries: "a folder takes the id of a disabled core extension, or the name that the host signs its log with",
    seen: "ID_RESERVED",
  },
} as const satisfies Record<string, Attack>;
