export const storageNamespacePattern = /^[a-z0-9][a-z0-9._-]*$/;

/**
 * Returns the driver's namespace for an extension's namespace, unique to the extension. @throws {TypeError} for an
 * invalid name.
 */
export function qualifiedNamespace(extension: string, namespace: string): string {
  if (!storageNamespacePattern.test(namespace)) {
    throw new TypeError(
      `Cannot open storage "${namespace}" of "${extension}": use lower-case letters, digits, ".", "_" and "-"`,
    );
  }
  return `${extension}/${namespace}`;
}

/** The namespace where the kernel lists an extension's namespaces. Its name is invalid for extensions. */
export function namespaceIndex(extension: string): string {
  return `${extension}/$namespaces`;
}
