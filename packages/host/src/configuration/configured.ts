import type {
  Capabilities,
  Extension,
  NeededEndpoint,
  NeededVariable,
  Needs,
  ReservedName,
  RequestedPermission,
} from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import type { Problem } from "./check-table.ts";
import { valueAt } from "./config-layer.ts";
import { kindsTable, type Config } from "./config-schema.ts";
import { literalAddress } from "../drivers/net/network-address.ts";
import * as z from "zod";

export class Configured {
  readonly config: Config;
  readonly #extensions: readonly Extension[];
  readonly #values = new Map<Extension, Readonly<Record<string, unknown>>>();

  constructor(config: Config, extensions: readonly Extension[]) {
    this.config = config;
    this.#extensions = extensions;
  }

  values(extension: Extension): Readonly<Record<string, unknown>> {
    let values = this.#values.get(extension);
    if (values === undefined) this.#values.set(extension, (values = valuesOf(extension, this.config)));
    return values;
  }

  needs(extension: Extension): Needs {
    return extension.configuration?.needs?.(this.values(extension)) ?? {};
  }

  isWanted(extension: Extension): boolean {
    return extension.configuration?.isWanted?.(this.values(extension)) ?? true;
  }

  grant(extension: Extension): Capabilities {
    const needs = this.needs(extension);
    const { endpoints, programs, fs } = needs;
    const variables = variablesOf(needs);
    return {
      ...extension.manifest.capabilities,
      ...(endpoints === undefined
        ? {}
        : { net: endpoints.map(({ url, isOperators }) => netEntry(url, { isOperators })) }),
      ...(programs === undefined ? {} : { spawn: programs.map(({ name }) => name) }),
      ...(variables === undefined ? {} : { env: variables.map(({ name }) => name) }),
      ...(fs === undefined ? {} : { fs }),
    };
  }

  endpoints(): readonly (NeededEndpoint & { readonly extension: string })[] {
    return this.#extensions.flatMap((extension) =>
      (this.needs(extension).endpoints ?? []).map((endpoint) => ({
        ...endpoint,
        extension: extension.manifest.id,
      })),
    );
  }

  /** Returns the variables whose values go to extensions, endpoints and programs. */
  variables(): readonly NeededVariable[] {
    return this.#extensions.flatMap((extension) => variablesOf(this.needs(extension)) ?? []);
  }

  secretVariables(): readonly string[] {
    return this.variables().map(({ name }) => name);
  }

  problems(): readonly Problem[] {
    return this.#extensions.flatMap(
      (extension) => extension.configuration?.problems?.(this.values(extension)) ?? [],
    );
  }

  reserved(): readonly ReservedName[] {
    return this.#extensions.flatMap(
      (extension) => extension.configuration?.reserves?.(this.values(extension)) ?? [],
    );
  }

  /** Returns reserved provider names, each with the kind that may use it. */
  fixedProviders(): ReadonlyMap<string, string> {
    return new Map(
      this.#extensions.flatMap((extension) =>
        (extension.configuration?.reserves?.(this.values(extension)) ?? []).flatMap((reserved) =>
          reserved.point === modelProvidersPoint.id && "name" in reserved
            ? [[reserved.name, extension.manifest.kinds?.[kindsTable]?.[0] ?? ""] as const]
            : [],
        ),
      ),
    );
  }

  wishes(
    options: Parameters<NonNullable<NonNullable<Extension["configuration"]>["wishes"]>>[1],
  ): readonly RequestedPermission[] {
    return this.#extensions.flatMap(
      (extension) => extension.configuration?.wishes?.(this.values(extension), options) ?? [],
    );
  }
}

function variablesOf({ endpoints, programs, variables }: Needs): readonly NeededVariable[] | undefined {
  if (endpoints === undefined && programs === undefined && variables === undefined) return undefined;
  const given = [...(programs ?? []), ...(endpoints ?? [])];
  return [...given.flatMap(({ variables: own }) => own), ...(variables ?? [])];
}

function valuesOf(
  { manifest: { id, kinds = {} }, configuration }: Extension,
  config: Config,
): Readonly<Record<string, unknown>> {
  const settings = new Map(Object.entries(config.extensions.settings)).get(id) ?? {};
  const served = Object.fromEntries(
    Object.entries(kinds).map(([table, names]) => [table, entriesOf(config, { table, kinds: names })]),
  );
  if (configuration === undefined) return { ...settings, ...served };
  const { shape } = configuration;
  const own = Object.keys(shape.keys()).filter((key) => config[key] !== undefined);
  const ofTables = Object.entries(shape.tables()).map(([table, keys]) => [
    table,
    Object.fromEntries(
      Object.keys(keys).flatMap((key) => {
        const value = valueAt(config, [table, key]);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  ]);
  const keys = shape.settings();
  return {
    ...Object.fromEntries([...own.map((key) => [key, config[key]]), ...ofTables]),
    ...served,
    ...(Object.keys(keys).length === 0 ? {} : z.strictObject(keys).parse(settings, { jitless: true })),
  };
}

function entriesOf(
  config: Config,
  { table, kinds }: { readonly table: string; readonly kinds: readonly string[] },
): Readonly<Record<string, unknown>> {
  if (table !== kindsTable) return {};
  return Object.fromEntries(Object.entries(config.providers).filter(([, { kind }]) => kinds.includes(kind)));
}

/** A host name written by the operator may resolve to a private network; an address literal needs no such exception. */
function netEntry(url: string, { isOperators }: { readonly isOperators: boolean }): string {
  const { hostname, port, protocol } = new URL(url);
  const endpoint = `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
  return isOperators && literalAddress(hostname) === undefined ? `private:${endpoint}` : endpoint;
}
