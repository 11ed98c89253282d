import type { Manifest } from "./extension.ts";
import type { ContractId } from "./handle.ts";
import { KernelError } from "./kernel-error.ts";
import { storageDriverHandle } from "./storage.ts";

/** What it needs before it can start. Storage is a capability and a service at once: whoever was granted it needs a driver. */
export function requiredServices(manifest: Manifest): readonly ContractId[] {
  const named = manifest.dependsOn?.required ?? [];
  const hasStorage = manifest.capabilities?.storage === true;
  const isDriver = manifest.provides?.includes(storageDriverHandle.id) ?? false;
  if (!hasStorage || isDriver || named.includes(storageDriverHandle.id)) return named;
  return [...named, storageDriverHandle.id];
}

/** @throws {KernelError} `DUPLICATE_EXTENSION` or `DUPLICATE_SERVICE` with both names. */
export function checkUnique(manifests: readonly Manifest[]): void {
  const ids = new Set<string>();
  const providers = new Map<ContractId, string>();
  for (const { id, provides = [] } of manifests) {
    if (ids.has(id)) {
      throw new KernelError("DUPLICATE_EXTENSION", `Cannot load "${id}": it is there already`, { extension: id });
    }
    ids.add(id);
    for (const service of provides) {
      const other = providers.get(service);
      if (other !== undefined) {
        const message = `Cannot load "${id}": "${other}" provides "${service}" already; disable one of them`;
        throw new KernelError("DUPLICATE_SERVICE", message, { extension: id });
      }
      providers.set(service, id);
    }
  }
}

/**
 * Extensions with what they require before them; optional services before those that use them where that is possible.
 * Otherwise the order is the given one.
 * @throws {KernelError} `DEPENDENCY_CYCLE` with the names, when required services form one.
 */
export function loadOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  const providerOf = new Map<ContractId, Manifest>();
  for (const manifest of manifests)
    for (const service of manifest.provides ?? []) providerOf.set(service, manifest);
  const ordered = new Set<Manifest>();
  const path: Manifest[] = [];

  function visit(manifest: Manifest, isRequired: boolean): void {
    if (ordered.has(manifest)) return;
    const start = path.indexOf(manifest);
    if (start !== -1) {
      if (!isRequired) return; // Only an optional service closes the circle: it can come later.
      const names = [...path.slice(start), manifest].map((entry) => `"${entry.id}"`).join(" -> ");
      throw new KernelError("DEPENDENCY_CYCLE", `Cannot load ${names}: each requires the next`, {
        extension: manifest.id,
      });
    }
    path.push(manifest);
    for (const service of requiredServices(manifest)) {
      const provider = providerOf.get(service);
      if (provider !== undefined) visit(provider, true);
    }
    path.pop();
    ordered.add(manifest);
  }

  for (const manifest of manifests) visit(manifest, true);
  return withOptionalFirst([...ordered], providerOf);
}

/** Moves optional providers before their users, as far as no required order is broken. */
function withOptionalFirst(
  ordered: readonly Manifest[],
  providerOf: ReadonlyMap<ContractId, Manifest>,
): readonly Manifest[] {
  const result = new Set<Manifest>();
  const open = new Set<Manifest>();

  function place(manifest: Manifest): void {
    if (result.has(manifest) || open.has(manifest)) return;
    open.add(manifest);
    const services = [...requiredServices(manifest), ...(manifest.dependsOn?.optional ?? [])];
    for (const service of services) {
      const provider = providerOf.get(service);
      if (provider !== undefined) place(provider);
    }
    open.delete(manifest);
    result.add(manifest);
  }

  for (const manifest of ordered) place(manifest);
  return [...result];
}
