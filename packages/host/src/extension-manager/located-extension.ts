import { KernelError, type Extension } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import { basename } from "node:path";
import { errorMessage } from "../failures/error-code.ts";
import type { ExtensionFolder } from "../extension-folder/read-extension-folder.ts";

export function located(extension: Extension, folder: ExtensionFolder): Extension {
  return {
    manifest: extension.manifest,
    activate: async (host) => {
      try {
        await extension.activate(host);
      } catch (error) {
        throw KernelError.is(error) ? error : withPlace(error, folder); // The host's own errors already have advice.
      }
    },
  };
}

export function withPlace(error: unknown, folder: ExtensionFolder): unknown {
  const place = error instanceof Error ? placeIn(folder.originalStack(String(error.stack))) : undefined;
  return place === undefined ? error : new Error(`${errorMessage(error)} (${place})`, { cause: error });
}

function placeIn(stack: string): string | undefined {
  return /^\s+at (?:.*\()?(\S+?:\d+:\d+)\)?$/m.exec(stack)?.[1];
}

/** @throws {KernelError} `FOLDER_INVALID` if the extension in a folder has changed since it was added. */
export function assertSame(
  expected: string | undefined,
  { path, id }: { readonly path: string; readonly id: string },
): void {
  if (expected === undefined || expected === id) return;
  const message = `Cannot load "${expected}" from "${path}": that is now "${id}"; remove the one and add the other`;
  throw new KernelError("FOLDER_INVALID", message, { extension: expected });
}

export function failedExtension(id: string, error: unknown): Extension {
  return {
    manifest: { id, version: "0.0.0", api: "^1" },
    activate: () => {
      if (ServiceError.is(error)) throw new KernelError("GRANT_REQUIRED", error.message, { extension: id });
      const code = KernelError.is(error) ? error.code : "ACTIVATE_FAILED";
      throw new KernelError(code, errorMessage(error), { extension: id, cause: error });
    },
  };
}

export function idOfFolder(path: string): string {
  const words = basename(path)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return `folder.${words.join("-").replace(/^(?=\d)/, "n") || "unnamed"}`;
}
