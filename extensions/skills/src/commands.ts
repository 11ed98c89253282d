import type { Command } from "@incipit/schema";
import { ServiceError, type CommandsService } from "@incipit/service-contract";
import { expandText } from "./expand-text.ts";
import { readFrontMatter } from "./front-matter.ts";
import { look, type FoundText, type LookContext, type Looked, type Made } from "./look.ts";
import type { FolderQuery } from "./skills.ts";
import { unknownText } from "./unknown-text.ts";

const maxDescriptionLength = 1_024;
const maxHintLength = 200;
const namePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const modelPattern = /^[^\s/]+\/\S{1,200}$/;

interface FoundCommand extends Command {
  readonly body: string;
}

/** The commands of a folder, read anew at each question. */
export function createCommands(context: LookContext): CommandsService {
  const find = ({ cwd, signal }: FolderQuery): Promise<Looked<FoundCommand>> =>
    look({ kind: "commands", cwd, signal }, context, toCommand);

  const findOne = async (name: string, query: FolderQuery): Promise<FoundCommand> => {
    const found = await find(query);
    // Some chats have neither capitals nor hyphens in what a person can choose.
    const command =
      found.items.find((one) => one.name === name) ?? found.items.find((one) => folded(one.name) === folded(name));
    if (command !== undefined) return command;
    throw new ServiceError("COMMAND_UNKNOWN", unknownText("command", name, found));
  };

  return {
    async list(query) {
      const { items, leftOut } = await find(query);
      return { cwd: query.cwd, commands: items.map(withoutBody), leftOut: [...leftOut] };
    },
    async show(name, query) {
      const found = await findOne(name, query);
      return { command: withoutBody(found), body: found.body };
    },
    async expand({ name, arguments: given = "" }, query) {
      const found = await findOne(name, query);
      const expanded = expandText(found.body, given);
      if (expanded.kind === "expanded") return { command: withoutBody(found), text: expanded.text };
      throw new ServiceError("INVALID_REQUEST", `Cannot use the command "${found.name}": ${expanded.reason}`);
    },
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
  const argumentHint = hintOf(keys.get("argument-hint"));
  if (description !== null && description.length > maxDescriptionLength)
    return refused(
      `its description has ${description.length} characters; at most ${maxDescriptionLength} are shown`,
    );
  if (argumentHint !== null && argumentHint.length > maxHintLength)
    return refused(`its argument-hint has ${argumentHint.length} characters; at most ${maxHintLength} are shown`);
  const said = lineOf(keys.get("model"));
  const model = said !== null && modelPattern.test(said) ? said : null;
  const note = said === model ? null : "its model is not used: it is no PROVIDER/MODEL";
  const item = { name, description, argumentHint, model, source: place.source, path, note, body };
  return { kind: "made", item };
}

/** A text in one line; `null`: there is none. */
function lineOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const line = value
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return line === "" ? null : line;
}

/** `[file] [tone]`, which people write without quotes, is a list to a parser where it is one pair of brackets. */
function hintOf(value: unknown): string | null {
  if (!Array.isArray(value)) return lineOf(value);
  const words = value.flatMap((word: unknown) => lineOf(word) ?? []);
  return words.length === 0 ? null : lineOf(`[${words.join(", ")}]`);
}
