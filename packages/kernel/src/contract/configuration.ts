import * as z from "zod";
import type { FsGrant } from "./capabilities.ts";
import type { ValueSchema } from "./storage.ts";

type Shape = z.ZodRawShape;
type Tables = Readonly<Record<string, Shape>>;
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- an extension that has no such keys has no names at all
type Nothing = Readonly<Record<never, never>>;
type OutputOf<Keys extends Shape> = keyof Keys extends never
  ? unknown
  : z.output<z.ZodObject<Keys, z.core.$strict>>;
type EntryOf<Kinds extends Tables> = {
  readonly [Kind in keyof Kinds & string]: { readonly kind: Kind } & OutputOf<Kinds[Kind]>;
}[keyof Kinds & string];

/** What an operator says for an extension, checked and with its defaults, and what the host adds. */
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
 * Keys by name, each with its check and its default. Functions, so that no check is made before somebody needs it.
 * Every key is as the operator writes it.
 */
export interface ConfigurationKeys<
  Keys extends Shape = Shape,
  Own extends Tables = Tables,
  Kinds extends Readonly<Record<string, Tables>> = Readonly<Record<string, Tables>>,
  Settings extends Shape = Shape,
  Facts extends Shape = Shape,
> {
  /** Keys at the top of the file, for what is built in alone. */
  readonly keys?: () => Keys;
  /** Keys in `[TABLE]`, which others may add to, for what is built in alone. */
  readonly tables?: () => Own;
  /** By table and kind, as the manifest names them: what `[TABLE.NAME]` has beside its `kind`. */
  readonly kinds?: () => Kinds;
  /** Keys in `[extensions.settings.ID]`. */
  readonly settings?: () => Settings;
  /** What the host itself tells it, and no operator writes, for what is built in alone. */
  readonly facts?: () => Facts;
}

/** A variable of the environment whose value is given to an endpoint or a program. */
export interface NeededVariable {
  readonly name: string;
  /** `key`: calls fail without it. `secret`: it is one where it is set. `anything`: nobody can say. All are kept out of logs. */
  readonly holds: "key" | "secret" | "anything";
}

/** Where requests go. */
export interface NeededEndpoint {
  /** The table that names it, which may have a key `proxy`. */
  readonly path: readonly string[];
  readonly url: string;
  /** The operator wrote it: a name is meant also where it leads into a home network. */
  readonly isOperators: boolean;
  /** As `proxyKey` takes it. */
  readonly proxy?: string | undefined;
  readonly variables: readonly NeededVariable[];
}

export interface NeededProgram {
  readonly name: string;
  readonly variables: readonly NeededVariable[];
}

/**
 * What an extension needs for what is configured: what its manifest asks for is narrowed to that. Endpoints narrow `net`,
 * programs `spawn`, variables `env`; what is left out stays as the manifest says.
 */
export interface Needs {
  readonly endpoints?: readonly NeededEndpoint[];
  readonly programs?: readonly NeededProgram[];
  /** Those that are given to neither. */
  readonly variables?: readonly NeededVariable[];
  readonly fs?: FsGrant;
}

/** Keys that are right by themselves, and wrong beside each other. */
export interface ConfigurationProblem {
  readonly path: readonly string[];
  /** Goes on behind the key: `needs "command"`. */
  readonly message: string;
}

/** A name at a point that no added extension may give, whether its owner is there or not. */
export type ReservedName = {
  readonly point: string;
  /** Whose it is, such as `a tool of the host's own`. */
  readonly whose: string;
} & ({ readonly name: string } | { readonly prefix: string });

/** What a file that nobody trusts yet would do, for whoever is asked. */
export interface Wish {
  /** The table that it is about. */
  readonly path: readonly string[];
  /** In plain words; texts of the file are quoted by `WishOptions.quote`. */
  readonly sentence: string;
  /** Keys of that table that the sentence tells; the others are shown as they stand. */
  readonly tells: readonly string[];
}

export interface WishOptions {
  /** In quotes, with nothing in it that steers a terminal. */
  readonly quote: (text: string) => string;
  /** `, with your variables A, B`; nothing where there are none. */
  readonly sending: (variables: readonly string[]) => string;
  /** What the file itself says at a path. */
  readonly given: (path: readonly string[]) => unknown;
}

/** What follows from what is configured; each is pure. */
export interface ConfigurationMeaning<Values> {
  needs?(values: Values): Needs;
  problems?(values: Values): readonly ConfigurationProblem[];
  /** Whether it is started; absent: it is. */
  isWanted?(values: Values): boolean;
  reserves?(values: Values): readonly ReservedName[];
  wishes?(values: Values, options: WishOptions): readonly Wish[];
  /**
   * Tables that are taken whole from the topmost file that has them, such as `mcp.servers.*`: what belongs together, as an address
   * and the key that it gets do.
   */
  readonly whole?: readonly string[];
  /** By key of a kind: why it does nothing for others, such as `which has one API`. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** What an operator can configure of an extension, what follows from it, and what the extension gets of it. */
export interface Configuration<Values = unknown> extends ConfigurationMeaning<Values> {
  readonly shape: Required<ConfigurationKeys>;
  /** Takes what the operator says for it in one object: keys, tables, kinds, settings and facts side by side. */
  readonly schema: ValueSchema<Values>;
}

/** What a configuration gives its extension. */
export type ValuesOf<Configured extends Configuration> =
  Configured["schema"] extends ValueSchema<infer Values> ? Values : never;

/** Calls nothing and checks nothing: importing an extension costs no more for it. */
export function defineConfiguration<
  Keys extends Shape = Nothing,
  Own extends Tables = Nothing,
  Kinds extends Readonly<Record<string, Tables>> = Nothing,
  Settings extends Shape = Nothing,
  Facts extends Shape = Nothing,
>(
  source: ConfigurationKeys<Keys, Own, Kinds, Settings, Facts> &
    ConfigurationMeaning<ConfigurationValues<Keys, Own, Kinds, Settings, Facts>>,
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
          // It is read once in a process: to compile the checks takes longer.
          const parsed = schema().safeParse(value, { jitless: true });
          if (!parsed.success) return { issues: parsed.error.issues };
          // oxlint-disable-next-line typescript/consistent-type-assertions -- the schema was made of the shapes that the type is made of
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
