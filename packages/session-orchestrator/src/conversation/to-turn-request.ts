import { errorMessage, fittingJson } from "@incipit/kernel";
import type { CreateTurnRequest, TurnBody, CommandCall } from "@incipit/schema";
import { ServiceError, type SentMessage } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { required } from "../failures/service-errors.ts";
import type { StoredConversation, TurnRequest } from "../store/stored.ts";

/**
 * Expands a command. `allow`: tool calls that need no approval in this turn.
 *
 * @throws {ServiceError} `INVALID_REQUEST` for an unusable schema, or with neither input nor command; the errors of
 * `CommandsService.expand`.
 */
export async function toTurnRequest(
  context: Pick<OrchestratorContext, "commands">,
  record: Pick<StoredConversation, "cwd" | "importedAt">,
  given: SentMessage,
  { allow, signal }: { readonly allow: readonly string[]; readonly signal: AbortSignal },
): Promise<TurnRequest> {
  if (given.schema !== undefined) assertUsable(given.schema);
  const { input, ...request } = await withInput(context, record, given, signal);
  return { input: wellFormedInput(input), ...besideInput(request), ...allowOf(allow) };
}

async function withInput(
  { commands }: Pick<OrchestratorContext, "commands">,
  { cwd, importedAt }: Pick<StoredConversation, "cwd" | "importedAt">,
  { input, command, ...rest }: SentMessage,
  signal: AbortSignal,
): Promise<CreateTurnRequest> {
  const call = command === undefined ? {} : { command };
  if (input !== undefined) return { ...rest, ...call, input };
  if (command === undefined) throw new ServiceError("INVALID_REQUEST", 'A turn needs "input" or "command"');
  const query = { cwd, isImported: importedAt !== null, signal };
  const expanded = await required(commands, "list of commands").expand(command, query);
  const { text, files = [] } = expanded;
  const model = rest.model ?? expanded.command.model ?? undefined;
  return {
    ...rest,
    ...(model === undefined ? {} : { model }),
    input: files.length === 0 ? text : [{ type: "text", text }, ...files],
    command,
  };
}

/** Excludes a command's text, whose file may have changed. */
export function idempotentContent({ input, ...request }: TurnBody, allow: readonly string[]): Partial<TurnRequest> {
  const rest = { ...besideInput(request), ...allowOf(allow) };
  return request.command !== undefined || input === undefined ? rest : { input: wellFormedInput(input), ...rest };
}

function allowOf(allow: readonly string[]): Pick<TurnRequest, "allow"> {
  return allow.length === 0 ? {} : { allow: [...allow] };
}

function besideInput({
  command,
  model,
  system,
  systemMode,
  maxSteps,
  maxCost,
  schema,
}: Omit<TurnBody, "input">): Omit<TurnRequest, "input"> {
  return {
    ...(command === undefined ? {} : { command: wellFormedCall(command) }),
    ...(model === undefined ? {} : { model }),
    ...(system === undefined ? {} : { system: typeof system === "string" ? [system] : system }),
    ...(systemMode === undefined ? {} : { systemMode }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function assertUsable(schema: NonNullable<TurnRequest["schema"]>): void {
  try {
    fittingJson(schema);
  } catch (cause) {
    throw new ServiceError("INVALID_REQUEST", errorMessage(cause), { cause });
  }
}

/** Removes lone surrogates: some vendors reject such a request, and all later ones with it. */
function wellFormedInput(input: CreateTurnRequest["input"]): CreateTurnRequest["input"] {
  if (typeof input === "string") return input.toWellFormed();
  return input.map((part) => (part.type === "text" ? { ...part, text: part.text.toWellFormed() } : part));
}

function wellFormedCall({ name, arguments: given }: CommandCall): CommandCall {
  return given === undefined ? { name } : { name, arguments: given.toWellFormed() };
}
