import { singleLine } from "@incipit/schema";
import type { Command, CommandList } from "@incipit/schema";
import { ServiceError, type CommandsService } from "@incipit/service-contract";
import { expandText } from "./expand-text.ts";
import { readFrontMatter } from "./front-matter.ts";
import { OfferedCommands, type Offered, type OfferContext } from "./offered-commands.ts";
import { look, type FoundText, type FindContext, type Looked, type Made } from "./find-items.ts";
import type { FolderQuery } from "./skills.ts";
import { unknownItemMessage } from "./unknown-item-message.ts";

const maxDescriptionLength = 1_024;
const maxHintLength = 200;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const modelPattern = /^[^\s/]+\/\S{1,200}$/;

interface FoundCommand extends Command {
  readonly path: string;
  readonly body: string;
}

export function createCommands(context: FindContext & OfferContext): CommandsService {
  const offers = new OfferedCommands(context);
  const find = ({ cwd, signal }: FolderQuery): Promise<Looked<FoundCommand>> =>
    look({ kind: "commands", cwd, signal }, context, toCommand);

  /** File commands take precedence, so sources come last. */
  const findOne = async (
    name: string,
    query: FolderQuery,
  ): Promise<FoundCommand | { readonly command: Command; readonly offered: Offered }> => {
    const found = await find(query);
    const file = named(found.items, name);
    if (file !== undefined) return file;
    const { items, problems } = await offers.list({ call: name, signal: query.signal });
    const offered = named(items, name);
    if (offered !== undefined) return { command: offeredCommand(offered), offered };
    const missing = unknownItemMessage("command", name, {
      items: [...found.items, ...items],
      leftOut: found.leftOut,
    });
    throw new ServiceError("COMMAND_UNKNOWN", [missing, ...problems].join(". "));
  };

  return {
    async list(query) {
      const [{ items, leftOut }, offered] = await Promise.all([find(query), offers.list(query)]);
      const files = items.map(withoutBody);
      return { cwd: query.cwd, leftOut: [...leftOut], ...withOffered(files, offered) };
    },
    async show(name, query) {
      const found = await findOne(name, query);
      if ("offered" in found) return { command: found.command, body: found.offered.body };
      return { command: withoutBody(found), body: found.body };
    },
    async expand({ name, arguments: given = "" }, query) {
      const found = await findOne(name, query);
      if ("offered" in found) {
        const { text, files } = await offers.expand(found.offered, given, query);
        return { command: found.command, text, ...(files.length === 0 ? {} : { files }) };
      }
      const expanded = expandText(found.body, given);
      if (expanded.kind === "expanded") return { command: withoutBody(found), text: expanded.text };
      throw new ServiceError("INVALID_REQUEST", `Cannot use the command "${found.name}": ${expanded.reason}`);
    },
  };
}

/** Finds a command by name. Ignores case, hyphens and underscores, which some chats change. */
function named<Item extends { readonly name: string }>(items: readonly Item[], name: string): Item | undefined {
  return items.find((one) => one.name === name) ?? items.find((one) => folded(one.name) === folded(name));
}

function offeredCommand({ name, description, argumentHint }: Offered): Command {
  return { name, description, argumentHint, model: null, source: "server", path: null, note: null };
}

function withOffered(
  files: readonly Command[],
  { items, problems }: { readonly items: readonly Offered[]; readonly problems: readonly string[] },
): Pick<CommandList, "commands" | "problems"> {
  const written = new Set(files.map(({ name }) => name));
  const hidden = items.filter(({ name }) => written.has(name));
  const commands = [...files, ...items.filter(({ name }) => !written.has(name)).map(offeredCommand)];
  return {
    commands: commands.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    problems: [
      ...problems,
      ...hidden.map(({ name }) => `Skipped the command "${name}" of a server: a file has the same name`),
    ],
  };
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function withoutBody(found: FoundCommand): Command {
  const { body: _body, ...command } = found;
  return command;
}

async function toCommand({ place, name, path, text }: FoundText): Promise<Made<FoundCommand>> {
  const refused = (reason: string): Made<FoundCommand> => ({ kind: "refused", reason });
  if (!namePattern.test(name))
    return refused("its name must be of at most 64 letters, digits, _ and -, and begin with a letter or a digit");
  const front = await readFrontMatter(text);
  if (front.kind === "wrong") return refused(front.reason);
  const keys: ReadonlyMap<string, unknown> = front.kind === "parsed" ? front.keys : new Map();
  const body = front.body.trim();
  if (body === "") return refused("it has no text");
  const description = lineOf(keys.get("description"));
  const argumentHint = lineOf(keys.get("argument-hint"));
  if (description !== null && description.length > maxDescriptionLength)
    return refused(
      `its description has ${description.length} characters; at most ${maxDescriptionLength} are shown`,
    );
  if (argumentHint !== null && argumentHint.length > maxHintLength)
    return refused(`its argument-hint has ${argumentHint.length} characters; at most ${maxHintLength} are shown`);
  const said = lineOf(keys.get("model"));
  const model = said !== null && modelPattern.test(said) ? said : null;
  const note = said === model ? null : "its model is ignored: it is not PROVIDER/MODEL";
  const item = { name, description, argumentHint, model, source: place.source, path, note, body };
  return { kind: "made", item };
}

function lineOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = singleLine(value);
  return line === "" ? null : line;
}
