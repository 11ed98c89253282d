import * as z from "zod";
import type { FsGrant } from "./capabilities.ts";
import type { ValueSchema } from "./storage.ts";

type Shape = z.ZodRawShape;
type Tables = Readonly<Record<string, Shape>>;
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- an extension without such keys has no names
type Nothing = Readonly<Record<never, never>>;
type OutputOf<Keys extends Shape> = keyof Keys extends never
  ? unknown
  : z.output<z.ZodObject<Keys, z.core.$strict>>;
type EntryOf<Kinds extends Tables> = {
  readonly [Kind in keyof Kinds & string]: { readonly kind: Kind } & OutputOf<Kinds[Kind]>;
}[keyof Kinds & string];

/** An extension's configuration, validated and with defaults, and the facts that the host adds. */
export type ConfigurationValues<
  Keys extends Shape,
  Own extends Tables,
  Kinds extends Readonly<Record<string, Tables>>,
  Settings extends Shape,
  Facts extends Shape,
> = OutputOf<Keys> & { readonly [Table in keyof Own]: OutputOf<Own[Table]> } & {
  readonly [Table in keyof Kinds]: Readonly<Record<string, EntryOf<Kinds[Table]>>>;
} & OutputOf<Settings> &
  OutputOf<Facts>;

/**
 * Keys with their checks and defaults, in the operator's spelling. Functions, so that no schema is built before first
 * use.
 */
export interface ConfigurationKeys<
  Keys extends Shape = Shape,
  Own extends Tables = Tables,
  Kinds extends Readonly<Record<string, Tables>> = Readonly<Record<string, Tables>>,
  Settings extends Shape = Shape,
  Facts extends Shape = Shape,
> {
  /** Top-level keys; built-in extensions only. */
  readonly keys?: () => Keys;
  /** Keys of a shared `[TABLE]`; built-in extensions only. */
  readonly tables?: () => Own;
  /** By table and kind of the manifest: the keys of `[TABLE.NAME]` next to `kind`. */
  readonly kinds?: () => Kinds;
  /** Keys in `[extensions.settings.ID]`. */
  readonly settings?: () => Settings;
  /** Values set by the host, not by the operator; built-in extensions only. */
  readonly facts?: () => Facts;
}

/** An environment variable whose value is passed to an endpoint or a program. */
export interface NeededVariable {
  readonly name: string;
  /** `key`: required by calls. `secret`: a secret if set. `anything`: unknown. All are redacted in logs. */
  readonly holds: "key" | "secret" | "anything";
}

export interface NeededEndpoint {
  /** The table that names the endpoint; it may have a key `proxy`. */
  readonly path: readonly string[];
  readonly url: string;
  /** Set by the operator, whose host names may also resolve to a private network. */
  readonly isOperators: boolean;
  /** In the format of `proxyKey`. */
  readonly proxy?: string | undefined;
  readonly variables: readonly NeededVariable[];
}

export interface NeededProgram {
  readonly name: string;
  readonly variables: readonly NeededVariable[];
}

/**
 * The needs of the current configuration, which narrow the manifest's capabilities: endpoints narrow `net`, programs
 * `spawn`, variables `env`. Absent members narrow nothing.
 */
export interface Needs {
  readonly endpoints?: readonly NeededEndpoint[];
  readonly programs?: readonly NeededProgram[];
  /** Variables passed to neither an endpoint nor a program. */
  readonly variables?: readonly NeededVariable[];
  readonly fs?: FsGrant;
}

/** A conflict between keys that are valid individually. */
export interface ConfigurationProblem {
  readonly path: readonly string[];
  /** Continues after the key: `needs "command"`. */
  readonly message: string;
}

/** A contribution name that added extensions may not use, even while its owner is not loaded. */
export type ReservedName = {
  readonly point: string;
  /** Description of the owner, such as `a tool of the host's own`. */
  readonly whose: string;
} & ({ readonly name: string } | { readonly prefix: string });

/** An effect of an untrusted configuration file, shown in the trust prompt. */
export interface RequestedPermission {
  /** The table with the setting. */
  readonly path: readonly string[];
  /** Plain sentence; strings from the file are quoted with `RequestedPermissionOptions.quote`. */
  readonly sentence: string;
  /** Keys of the table covered by the sentence; other keys are shown verbatim. */
  readonly tells: readonly string[];
}

export interface RequestedPermissionOptions {
  /** Quotes a string and escapes terminal control characters. */
  readonly quote: (text: string) => string;
  /** Returns `, with your variables A, B`, or an empty string. */
  readonly sending: (variables: readonly string[]) => string;
  /** Returns the value in the untrusted file at a path. */
  readonly given: (path: readonly string[]) => unknown;
}

/** Consequences of a configuration; all functions are pure. */
export interface ConfigurationRules<Values> {
  needs?(values: Values): Needs;
  problems?(values: Values): readonly ConfigurationProblem[];
  /** Whether the extension is started; defaults to true. */
  isWanted?(values: Values): boolean;
  reserves?(values: Values): readonly ReservedName[];
  wishes?(values: Values, options: RequestedPermissionOptions): readonly RequestedPermission[];
  /**
   * Tables taken as a whole from the topmost file that defines them, such as `mcp.servers.*`: their keys belong
   * together, as an address and its API key do.
   */
  readonly whole?: readonly string[];
  /** By key of a kind: why the key has no effect for other kinds, such as `which has one API`. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** The configuration keys of an extension, their consequences, and the resulting values. */
export interface Configuration<Values = unknown> extends ConfigurationRules<Values> {
  readonly shape: Required<ConfigurationKeys>;
  /** Validates one object with the keys, tables, kinds, settings and facts of the extension. */
  readonly schema: ValueSchema<Values>;
}

/** The values that an extension receives from its configuration. */
export type ValuesOf<Configured extends Configuration> =
  Configured["schema"] extends ValueSchema<infer Values> ? Values : never;

/** Builds no schema, so that importing an extension stays cheap. */
export function defineConfiguration<
  Keys extends Shape = Nothing,
  Own extends Tables = Nothing,
  Kinds extends Readonly<Record<string, Tables>> = Nothing,
  Settings extends Shape = Nothing,
  Facts extends Shape = Nothing,
>(
  source: ConfigurationKeys<Keys, Own, Kinds, Settings, Facts> &
    ConfigurationRules<ConfigurationValues<Keys, Own, Kinds, Settings, Facts>>,
): Configuration<ConfigurationValues<Keys, Own, Kinds, Settings, Facts>> {
  const { keys, tables, kinds, settings, facts, ...meaning } = source;
  const shape: Required<ConfigurationKeys> = {
    keys: once(keys ?? nothing),
    tables: once(tables ?? nothing),
    kinds: once(kinds ?? nothing),
    settings: once(settings ?? nothing),
    facts: once(facts ?? nothing),
  };
  const schema = once(() => wholeSchema(shape));
  type Values = ConfigurationValues<Keys, Own, Kinds, Settings, Facts>;
  return {
    ...meaning,
    shape,
    schema: {
      "~standard": {
        version: 1,
        vendor: "incipit",
        validate(value) {
          // Validated once per process: compiling the checks would take longer.
          const parsed = schema().safeParse(value, { jitless: true });
          if (!parsed.success) return { issues: parsed.error.issues };
          // oxlint-disable-next-line typescript/consistent-type-assertions -- the schema has the shape of the type
          return { value: parsed.data as Values };
        },
      },
    },
  };
}

function wholeSchema({ keys, tables, kinds, settings, facts }: Required<ConfigurationKeys>): z.ZodObject {
  const ofTables = Object.entries(tables()).map(([table, shape]) => [table, tableOf(shape)] as const);
  const ofKinds = Object.entries(kinds()).map(([table, shapes]) => {
    const entries = Object.entries(shapes).map(([kind, shape]) =>
      z.strictObject({ kind: z.literal(kind), ...shape }),
    );
    const [first, ...others] = entries;
    const entry = first === undefined ? z.never() : z.discriminatedUnion("kind", [first, ...others]);
    return [table, z.record(z.string(), entry).default({})] as const;
  });
  return z.strictObject({
    ...keys(),
    ...Object.fromEntries([...ofTables, ...ofKinds]),
    ...settings(),
    ...facts(),
  });
}

function tableOf(shape: Shape): z.ZodType {
  return z.strictObject(shape).prefault({});
}

const nothing = (): Nothing => ({});

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
