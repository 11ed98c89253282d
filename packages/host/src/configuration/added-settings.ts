import { KernelError, type Extension } from "@incipit/kernel";
import * as z from "zod";
import { checkTable, unknownKey, type Problem } from "./check-table.ts";
import { kindsTable, type Config, type ConfigSchema } from "./config-schema.ts";
import { problemLines } from "./origin.ts";

export class AddedSettings {
  readonly #config: Config;
  readonly #schema: ConfigSchema;
  readonly #kinds = new Map<string, readonly string[]>();

  constructor(config: Config, schema: ConfigSchema) {
    this.#config = config;
    this.#schema = schema;
  }

  kindsOf(id: string): readonly string[] {
    return this.#kinds.get(id) ?? [];
  }

  /**
   * @throws {KernelError} `CONFIG_INVALID` with one line per problem; `NAME_RESERVED` if the kind belongs to another
   * extension.
   */
  take(extension: Extension): Readonly<Record<string, unknown>> {
    const { id, kinds = {} } = extension.manifest;
    const own = kinds[kindsTable] ?? [];
    this.#assertFree(id, own);
    const settings = new Map(Object.entries(this.#config.extensions.settings)).get(id) ?? {};
    const entries = Object.entries(this.#config.providers).filter(([, { kind }]) => own.includes(kind));
    const { configuration } = extension;
    if (configuration !== undefined) {
      const settingsShape = configuration.shape.settings();
      const ofKinds = configuration.shape.kinds()[kindsTable] ?? {};
      const problems = [
        ...problemsIn(settings, { shape: settingsShape, path: ["extensions", "settings", id] }),
        ...entries.flatMap(([name, { kind, ...keys }]) =>
          problemsIn(keys, { shape: ofKinds[kind] ?? {}, path: [kindsTable, name] }),
        ),
      ];
      if (problems.length > 0) {
        const message = `Cannot configure "${id}": ${problemLines(problems, this.#config).join("\n")}`;
        throw new KernelError("CONFIG_INVALID", message, { extension: id });
      }
    }
    this.#kinds.set(id, own);
    return { ...settings, ...(own.length === 0 ? {} : { [kindsTable]: Object.fromEntries(entries) }) };
  }

  #assertFree(id: string, kinds: readonly string[]): void {
    for (const kind of kinds) {
      const other = [...this.#kinds].find(([known, served]) => known !== id && served.includes(kind))?.[0];
      const owner = this.#schema.kinds.includes(kind)
        ? "the host itself"
        : other === undefined
          ? undefined
          : `"${other}"`;
      if (owner === undefined) continue;
      const message = `Cannot load "${id}": it serves the kind "${kind}" of [${kindsTable}.NAME], which ${owner} serves; take it out of "kinds"`;
      throw new KernelError("DUPLICATE_SERVICE", message, { extension: id });
    }
  }
}

function problemsIn(
  table: unknown,
  { shape, path }: { readonly shape: z.ZodRawShape; readonly path: readonly string[] },
): readonly Problem[] {
  const schema = z.strictObject(shape);
  const describeUnknown = (key: string): string => unknownKey(key, Object.keys(shape));
  const checked = checkTable(schema, table, { path, describeUnknown });
  return checked.kind === "right" ? [] : checked.problems;
}
