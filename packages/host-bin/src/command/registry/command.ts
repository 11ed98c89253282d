import type { OptionName, OptionsOf } from "./options.ts";
import type { HostAccess } from "./host-access.ts";
import type { Output } from "../output/output.ts";
import type { Alternatives } from "./option.ts";

export interface Call<Words extends readonly (string | undefined)[] = [], Name extends OptionName = never> {
  /** The values of the placeholders and alternatives of the usage; `-c` for an id that `--continue` selects. */
  readonly words: Readonly<Words>;
  readonly args: OptionsOf<Name | "config" | "data" | "isJson">;
  readonly output: Output;
  readonly host: HostAccess;
  /** All commands, for texts that list them. */
  readonly commands: readonly Command[];
}

type Value<Place extends string> =
  Place extends Lowercase<Place> ? (Place extends `${string}|${string}` ? Alternatives<Place> : never) : string;

type PlaceWords<Place extends string> = Place extends `[${string}…]`
  ? string[]
  : Place extends `${string}…`
    ? [string, ...string[]]
    : Place extends `[${infer Inner}]`
      ? [Value<Inner>] extends [never]
        ? []
        : [Value<Inner>?]
      : [Value<Place>] extends [never]
        ? []
        : [Value<Place>];

type PlacesWords<Places extends string> = Places extends `${infer First} ${infer Rest}`
  ? [...PlaceWords<First>, ...PlacesWords<Rest>]
  : PlaceWords<Places>;

/** Without the first word, which is the name of the command. */
type WordsOf<Usage extends string> = Usage extends `${string} ${infer Rest}` ? PlacesWords<Rest> : [];

export interface ParsedArguments extends Partial<OptionsOf<OptionName>> {}

/** The exit code; 0 without one. */
export type HandlerResult = Promise<number> | Promise<void>;

export async function exitCodeOf(result: HandlerResult): Promise<number> {
  const code = await result;
  return typeof code === "number" ? code : 0;
}

export interface Command {
  readonly usage: string;
  readonly name: string;
  readonly places: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly options: readonly OptionName[];
  readonly examples: readonly string[];
  readonly forms: readonly (readonly [usage: string, summary: string])[];
  readonly isBasic: boolean;
  /** A method, so that each handler may require its own words and options: parsing has checked them. */
  run(call: {
    readonly words: readonly string[];
    readonly args: ParsedArguments;
    readonly output: Output;
    readonly host: HostAccess;
    readonly commands: readonly Command[];
  }): HandlerResult;
}

interface Definition<Usage extends string, Name extends OptionName> {
  /** An imperative phrase in lower case, without a full stop. */
  readonly summary: string;
  readonly options?: readonly Name[];
  /** By default the usage without its optional places, and with `-c` for an id. */
  readonly example?: string;
  /** Shown in the place of the usage. */
  readonly title?: string;
  /** Further lines of the help. */
  readonly forms?: Command["forms"];
  /** On the first page of the help. */
  readonly isBasic?: boolean;
  readonly run: (call: Call<WordsOf<Usage>, Name>) => HandlerResult;
}

/**
 * Defines a command for parsing, help, completions, the manual and the reference.
 *
 * `usage` is its name and its places: a lower-case word is typed as it is, `a|b` is a choice, upper case is a value,
 * `[…]` is optional, and `…` repeats.
 */
export function command<const Usage extends string, const Name extends OptionName = never>(
  usage: Usage,
  {
    summary,
    options = [],
    example,
    title = `incipit ${usage}`,
    forms = [],
    isBasic = false,
    run,
  }: Definition<Usage, Name>,
): Command {
  const [name = "", ...places] = usage.split(" ");
  const isSelectable = options.some((option) => option === "isContinued");
  const required = [name, ...places.filter((place) => !place.startsWith("["))]
    .map((place) => (isSelectable && place.startsWith("ID") ? "-c" : place))
    .join(" ");
  const examples = [example ?? `incipit ${required}`];
  return { usage, name, places, title, summary, options, examples, forms, isBasic, run };
}

/** Returns the names of all commands; a plain question, which has no name, is omitted. */
export function commandNames(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => name))].filter((name) => name !== "ask");
}
