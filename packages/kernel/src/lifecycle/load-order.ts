import type { Manifest } from "../contract/extension.ts";
import type { ContractId } from "../contract/handle.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { storageDriverHandle } from "../contract/storage.ts";

/** Returns the required services; the storage capability requires a storage driver. */
export function requiredServices(manifest: Manifest): readonly ContractId[] {
  const named = manifest.dependsOn?.required ?? [];
  const hasStorage = manifest.capabilities?.storage !== undefined;
  const isDriver = manifest.provides?.includes(storageDriverHandle.id) ?? false;
  return hasStorage && !isDriver ? [...named, storageDriverHandle.id] : named;
}

/** @throws {KernelError} `DUPLICATE_EXTENSION`. */
export function checkUniqueIds(manifests: readonly Manifest[]): void {
  const ids = new Set<string>();
  for (const { id } of manifests) {
    if (ids.has(id)) {
      throw new KernelError("DUPLICATE_EXTENSION", `Cannot load "${id}": it is already loaded`, { extension: id });
    }
    ids.add(id);
  }
}

/** @throws {KernelError} `DUPLICATE_SERVICE` with both names. */
export function checkUniqueServices(manifests: readonly Manifest[]): void {
  const providers = new Map<ContractId, string>();
  for (const { id, provides = [] } of manifests) {
    for (const service of provides) {
      const other = providers.get(service);
      if (other !== undefined) {
        const message = `Cannot load "${id}": "${other}" already provides "${service}"; disable or unload one of them`;
        throw new KernelError("DUPLICATE_SERVICE", message, { extension: id });
      }
      providers.set(service, id);
    }
  }
}

/**
 * After required services, and optional ones where possible; otherwise in the given order.
 *
 * @throws {KernelError} `DEPENDENCY_CYCLE` with the ids, for a cycle of required services.
 */
export function loadOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  const providersOf = new Map<ContractId, Manifest[]>();
  for (const manifest of manifests) {
    for (const service of manifest.provides ?? [])
      providersOf.set(service, [...(providersOf.get(service) ?? []), manifest]);
  }
  const providing = (services: readonly ContractId[]): readonly Manifest[] =>
    services.flatMap((service) => providersOf.get(service) ?? []);
  const required = requiredClosures(manifests, (manifest) => providing(requiredServices(manifest)));

  const ordered = new Set<Manifest>();
  const open = new Set<Manifest>();
  function place(manifest: Manifest): void {
    if (ordered.has(manifest) || open.has(manifest)) return;
    open.add(manifest);
    for (const provider of providing(requiredServices(manifest))) place(provider);
    for (const provider of providing(manifest.dependsOn?.optional ?? [])) {
      const needed = required.get(provider);
      // Skip a provider that must follow an extension being placed.
      if (needed === undefined || ![...open].some((entry) => needed.has(entry))) place(provider);
    }
    open.delete(manifest);
    ordered.add(manifest);
  }
  for (const manifest of manifests) place(manifest);
  return [...ordered];
}

/**
 * Transitive.
 *
 * @throws {KernelError} `DEPENDENCY_CYCLE`.
 */
function requiredClosures(
  manifests: readonly Manifest[],
  requiredBy: (manifest: Manifest) => readonly Manifest[],
): ReadonlyMap<Manifest, ReadonlySet<Manifest>> {
  const closures = new Map<Manifest, ReadonlySet<Manifest>>();
  const path: Manifest[] = [];

  function visit(manifest: Manifest): ReadonlySet<Manifest> {
    const known = closures.get(manifest);
    if (known !== undefined) return known;
    const start = path.indexOf(manifest);
    if (start !== -1) {
      const names = [...path.slice(start), manifest].map((entry) => `"${entry.id}"`).join(" -> ");
      throw new KernelError("DEPENDENCY_CYCLE", `Cannot load ${names}: each requires the next`, {
        extension: manifest.id,
      });
    }
    path.push(manifest);
    const closure = new Set<Manifest>();
    for (const provider of requiredBy(manifest)) {
      closure.add(provider);
      for (const further of visit(provider)) closure.add(further);
    }
    path.pop();
    closures.set(manifest, closure);
    return closure;
  }

  for (const manifest of manifests) visit(manifest);
  return closures;
}
