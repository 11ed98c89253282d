import type { ReservedName, ReservedNames } from "@incipit/kernel";
import { modelProvidersPoint, toolsPoint } from "@incipit/service-contract";
import type { Configured } from "./configured.ts";

export function reservedTools(reserved: readonly ReservedName[]): {
  readonly names: string[];
  readonly prefixes: string[];
} {
  const tools = reserved.filter(({ point }) => point === toolsPoint.id);
  return {
    names: tools.flatMap((one) => ("name" in one ? [one.name] : [])),
    prefixes: tools.flatMap((one) => ("prefix" in one ? [one.prefix] : [])),
  };
}

/** Reserves names of configured providers for the added extension that serves their kind, or else for the host. */
export function reservedNames(
  configured: Configured,
  {
    kinds,
    kindsOf,
  }: { readonly kinds: readonly string[]; readonly kindsOf: (extension: string) => readonly string[] },
): ReservedNames {
  const reserved = configured.reserved();
  const providers = new Map(Object.entries(configured.config.providers).map(([name, { kind }]) => [name, kind]));
  return (point, name, extension) => {
    if (point === modelProvidersPoint.id) {
      const kind = providers.get(name) ?? "extension";
      const isTheirs = kind === "extension" || (!kinds.includes(kind) && kindsOf(extension).includes(kind));
      if (!isTheirs) return "a provider of the configuration";
    }
    return reserved.find(
      (one) => one.point === point && ("name" in one ? one.name === name : name.startsWith(one.prefix)),
    )?.whose;
  };
}
