export const storageNamespacePattern = /^[a-z0-9][a-z0-9._-]*$/;

/** The driver's namespace of an extension's own one: extensions cannot name each other's. @throws {TypeError} for no name. */
export function qualifiedNamespace(extension: string, namespace: string): string {
  if (!storageNamespacePattern.test(namespace)) {
    throw new TypeError(
      `Cannot open storage "${namespace}" of "${extension}": use lower-case letters, digits, ".", "_" and "-"`,
    );
  }
  return `${extension}/${namespace}`;
}

/** Where the kernel keeps the names of an extension's namespaces; an extension cannot open one of that name. */
export function namespaceIndex(extension: string): string {
  return `${extension}/$namespaces`;
}
