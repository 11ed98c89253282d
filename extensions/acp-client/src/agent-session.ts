import { sha256Hex } from "@incipit/common";
import type { Log } from "@incipit/kernel";
import type { ToldInstructions } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import { methods } from "@agentclientprotocol/sdk/unstable";
import type { AgentConnection } from "./agent-connection.ts";
import { AgentFailure, shortened } from "./agent-failure.ts";
import { optionsAnswerSchema, sessionSchema, type SessionOption } from "./agent-answers.ts";
import { chooseInstructionChannel, sessionInstructions } from "./instruction-channel.ts";
import { answerTimeoutMs } from "./limits.ts";
import type { AgentSettings } from "./settings.ts";
import type { StoredSession } from "./stored-session.ts";
import { continuesFrom } from "./sent-messages.ts";

type InstructionChannel = ToldInstructions["by"];

export interface OpenSession {
  readonly sessionId: string;
  readonly systemSha256: string | null;
  readonly by: InstructionChannel | null;
  /** `undefined`: a new session that has only the instructions. */
  readonly before: StoredSession | undefined;
  /** Whether another process ran its last turn. */
  readonly isReloaded: boolean;
  readonly isToldNow: boolean;
  readonly options: readonly SessionOption[];
}

export interface OpenSessionOptions {
  readonly settings: AgentSettings;
  readonly log: Log;
  readonly program: string;
  readonly stored: StoredSession | undefined;
  readonly live: OpenSession | undefined;
  readonly signal: AbortSignal;
}

export function systemText({ systemPrompt }: Pick<ModelRequest, "systemPrompt">): string {
  const text = systemPrompt.join("\n\n");
  return text.trim() === "" ? "" : text;
}

/**
 * Restores the stored session if it matches, else creates one.
 * @throws {AgentFailure} The reason of `signal`.
 */
export async function openSession(
  connection: AgentConnection,
  request: ModelRequest,
  options: OpenSessionOptions,
): Promise<OpenSession> {
  const { stored, live, log, settings } = options;
  if (stored === undefined || !fits(stored, request, options)) return beginSession(connection, request, options);
  if (live?.sessionId === stored.sessionId) return { ...live, before: stored, isReloaded: false, isToldNow: false };
  const { loadSession, sessionCapabilities } = connection.greeting.agentCapabilities;
  const canResume = (sessionCapabilities.resume ?? undefined) !== undefined;
  if (!canResume && !loadSession) return beginSession(connection, request, options);
  try {
    return await takeUp(connection, request, { ...options, stored, canResume });
  } catch (error) {
    // The agent has lost the session: start over. An agent that has exited has not reported a lost session.
    if (connection.over.aborted || options.signal.aborted || !(error instanceof AgentFailure)) throw error;
    log.info(`The agent "${settings.name}" did not resume a session; starting a new one`, {
      conversationId: request.conversationId,
      error: shortened(error.message, 500),
    });
    return beginSession(connection, request, options);
  }
}

function fits(stored: StoredSession, request: ModelRequest, { program }: OpenSessionOptions): boolean {
  const text = systemText(request);
  return (
    stored.program === program &&
    stored.cwd === request.cwd &&
    stored.systemSha256 === (text === "" ? null : sha256Hex(text)) &&
    continuesFrom(request.messages, stored)
  );
}

async function beginSession(
  connection: AgentConnection,
  request: ModelRequest,
  { settings, signal }: OpenSessionOptions,
): Promise<OpenSession> {
  const text = systemText(request);
  const by = text === "" ? null : chooseInstructionChannel(settings, connection.greeting);
  const params = {
    cwd: request.cwd,
    mcpServers: [],
    ...sessionInstructions(by ?? undefined, text, settings.instructionsMode),
  };
  const wait = { signal, timeoutMs: answerTimeoutMs };
  const answer = await connection.askFor(sessionSchema, methods.agent.session.new, params, wait);
  if (answer.sessionId === undefined)
    throw new AgentFailure("BAD_RESPONSE", `The agent "${settings.name}" started a session without an id`);
  return {
    sessionId: answer.sessionId,
    systemSha256: text === "" ? null : sha256Hex(text),
    by,
    before: undefined,
    isReloaded: false,
    isToldNow: true,
    options: answer.configOptions,
  };
}

/** Resumes where possible, since loading a session replays its history. */
async function takeUp(
  connection: AgentConnection,
  request: ModelRequest,
  {
    stored,
    canResume,
    settings,
    signal,
  }: OpenSessionOptions & { readonly stored: StoredSession; readonly canResume: boolean },
): Promise<OpenSession> {
  const { sessionId, by } = stored;
  // Agents do not store the field and `_meta`, so they are sent again. A block is part of the session's history.
  const again = sessionInstructions(by ?? undefined, systemText(request), settings.instructionsMode);
  const params = { sessionId, cwd: request.cwd, mcpServers: [], ...again };
  const method = canResume ? methods.agent.session.resume : methods.agent.session.load;
  const wait = { signal, timeoutMs: answerTimeoutMs };
  const { configOptions } = await connection.repeating(() =>
    connection.askFor(sessionSchema, method, params, wait),
  );
  return {
    sessionId,
    systemSha256: stored.systemSha256,
    by,
    before: stored,
    isReloaded: true,
    isToldNow: by === "system-prompt" || by === "meta",
    options: configOptions,
  };
}

/**
 * @param model `default` is the configured model, else the agent's own choice.
 * @throws {AgentFailure} `BAD_REQUEST` for a model that the session does not offer.
 */
export async function chooseModel(
  connection: AgentConnection,
  { sessionId, options }: Pick<OpenSession, "sessionId" | "options">,
  {
    model,
    settings,
    signal,
  }: { readonly model: string; readonly settings: AgentSettings; readonly signal: AbortSignal },
): Promise<readonly SessionOption[]> {
  const wanted = model === "default" ? settings.model : model;
  if (wanted === undefined) return options;
  const option = options.find(({ category, type }) => category === "model" && type === "select");
  if (option?.currentValue === wanted) return options;
  const offered = option?.options.flatMap((entry) => ("value" in entry ? [entry] : entry.options)) ?? [];
  if (option === undefined || !offered.some(({ value }) => value === wanted)) {
    const { name } = settings;
    const shown = offered.slice(0, 20).map(({ value }) => `"${name}/${shortened(value, 100)}"`);
    const known = shown.length === 0 ? "it offers no choice" : `it offers ${shown.join(", ")}`;
    const message = `Cannot use model "${name}/${wanted}": ${known}; "${name}/default" is the agent's own choice`;
    throw new AgentFailure("BAD_REQUEST", message);
  }
  const params = { sessionId, configId: option.id, value: wanted };
  const wait = { signal, timeoutMs: answerTimeoutMs };
  const method = methods.agent.session.setConfigOption;
  const { configOptions } = await connection.askFor(optionsAnswerSchema, method, params, wait);
  return configOptions.length > 0
    ? configOptions
    : options.map((known) => (known === option ? { ...known, currentValue: wanted } : known));
}
