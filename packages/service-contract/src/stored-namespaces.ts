import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** Optional service of a storage extension: lists stored namespaces, also of extensions that are not loaded. */
export interface StoredNamespaces {
  /** Returns the driver's names of an extension's non-empty namespaces. */
  of(extension: string): Promise<readonly string[]>;
}

export const storedNamespacesHandle: ServiceHandle<StoredNamespaces> = defineHandle<StoredNamespaces>(
  "stored-namespaces@1",
  {
    of: "function",
  },
);
