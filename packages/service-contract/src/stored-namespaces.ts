import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** What a storage extension offers beside its driver: who has stored something, whether it is loaded or not. */
export interface StoredNamespaces {
  /** The driver's names of all namespaces of an extension in which something is. */
  of(extension: string): Promise<readonly string[]>;
}

export const storedNamespacesHandle: ServiceHandle<StoredNamespaces> = defineHandle<StoredNamespaces>(
  "stored-namespaces@1",
  {
    of: "function",
  },
);
