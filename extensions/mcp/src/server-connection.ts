import type { Clock, Host, JsonValue } from "@incipit/kernel";
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type CallToolResult,
  type GetPromptResult,
  type ReadResourceResult,
  type ProgressCallback,
} from "@modelcontextprotocol/client";
import * as z from "zod";
import { keptDescription, type ListedTool } from "./listed-tools.ts";
import { HttpTransport, lostAnswerCode } from "./http-transport.ts";
import { maxListPages, maxMessageBytes, maxRootQuestions, messageWindowMs } from "./limits.ts";
import type { Root } from "./root-of.ts";
import { failureText, MissingResource, ServerFailure, SessionBroken, SessionForgotten } from "./server-failure.ts";
import { nobodysCall, ServerQuestions, type AskingCall } from "./server-questions.ts";
import type { SignIn } from "./sign-in.ts";
import { unlessAborted } from "@incipit/common";
import { isPage, shownBody } from "@incipit/common/http";
import { MessageRate, wrongAnswerCode, type SkippedLines } from "@incipit/common/programs";
import type { ProgramSecrets } from "@incipit/redaction";
import type { ServerSettings } from "./settings.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface ConnectionOptions {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly host: Pick<Host, "spawn" | "net" | "log" | "clock">;
  readonly secrets: ProgramSecrets;
  readonly signIn?: SignIn | undefined;
  readonly onListChange: () => void;
  readonly onSkipped?: (skipped: SkippedLines) => void;
  readonly roots?: readonly Root[];
}

/** Disables the library's own timeout of a minute, which would end calls that are still wanted. */
const timeout = 2_147_483_647;
const goodbyeMs = 1_000;
const pingMs = 5_000;
const methodNotFound = -32_601;
/** JSON-RPC errors for a missing resource: the protocol's, and "invalid params" of some servers. */
const missingCodes: ReadonlySet<number> = new Set([-32_002, -32_602]);

/**
 * Handshake of the protocol: `legacy` for the versions up to 2025, which nearly every server supports; `modern` for
 * 2026.
 */
type Era = "legacy" | "modern";
const modernVersion = "2026-07-28";

const pageSchema = z.looseObject({ nextCursor: z.unknown().optional() });

type Listed = "tools" | "prompts" | "resources";
type ListMethod = `${Listed}/list` | "resources/templates/list";
type ListKey = Listed | "resourceTemplates";

/**
 * Returns the cursor of the next page. An empty string is one only in the newer handshake; for older servers it is
 * none.
 */
function cursorOf(given: unknown, isModern: boolean): string | undefined {
  if (typeof given === "number") return String(given);
  return typeof given === "string" && (isModern || given !== "") ? given : undefined;
}

interface Entries {
  readonly entries: readonly unknown[];
  readonly isCut: boolean;
  readonly problems: readonly string[];
}

const nothingListed: Entries = { entries: [], isCut: false, problems: [] };

/**
 * Connects with the older handshake, then the newer one. @throws {ServerFailure}, and errors of the SDK; leaves no
 * process.
 */
export async function openConnection(options: ConnectionOptions, signal: AbortSignal): Promise<ServerConnection> {
  try {
    return await open(options, "legacy", signal);
  } catch (error) {
    const isRefused =
      error instanceof ProtocolError || (error instanceof SdkHttpError && error.data.status === 400);
    const { settings } = options;
    if (!isRefused || isWrongAnswer(error)) throw readable(error, settings);
    // If the server rejects the other handshake, too, the first error is reported.
    return open(options, "modern", signal).catch((failure: unknown) => {
      throw failure instanceof ServerFailure ? failure : readable(error, settings);
    });
  }
}

function readable(error: unknown, settings: ServerSettings): unknown {
  if (isWrongAnswer(error)) return new ServerFailure(error.message, { cause: error });
  if (!(error instanceof SdkHttpError)) return error;
  const { status, text = "" } = error.data;
  const body = typeof text === "string" ? text : "";
  const said = body.trim() === "" ? "" : `: ${shownBody(body)}`;
  const remedy = settings.kind === "http" ? remedyFor(status, body, settings) : "";
  return new ServerFailure(`answered with HTTP status ${status}${remedy}${said}`);
}

/** Returns whether the server's answer violates the protocol beyond repair; the error's message has the details. */
function isWrongAnswer(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.code === wrongAnswerCode;
}

/** Returns whether the server answered, so that the session can continue; a required sign-in starts another session. */
function isAnswer(error: unknown): boolean {
  if (error instanceof ProtocolError) return true;
  if (error instanceof SdkHttpError) return error.data.status !== undefined && error.data.status > 401;
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}

/** HTTP statuses that mean a forgotten session only if the body mentions the session. */
const wordedStatuses: ReadonlySet<number | undefined> = new Set([400, 401, 503]);

/** Returns whether the server has forgotten the session, and therefore has not processed the request. */
function isForgotten(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  const { status, text } = error.data;
  if (status === 404 || status === 410) return true;
  return wordedStatuses.has(status) && typeof text === "string" && /session|not initialized/i.test(text);
}

function remedyFor(
  status: number | undefined,
  body: string,
  { url, remedy, signIn }: Extract<ServerSettings, { kind: "http" }>,
): string {
  if (status === 401 || status === 403) return `; ${remedy}`;
  // Some servers fail on an unknown token, as after a restart.
  if (status === 500 && signIn !== undefined) return `; if that lasts, ${remedy}`;
  // Servers of the protocol's first version accept no POST at their event URL.
  const isOld = status === 405 || (status === 404 && /\/sse\/?$/.test(new URL(url).pathname));
  if (!isOld && status === 404 && isPage(body))
    return '; see that "url" is the address of its MCP endpoint, often /mcp';
  return isOld
    ? '; it may speak the old HTTP+SSE transport of MCP alone, which this host does not: give "url" its address for streamable HTTP, often /mcp'
    : "";
}

async function open(options: ConnectionOptions, era: Era, signal: AbortSignal): Promise<ServerConnection> {
  const over = new AbortController();
  const transport = await openTransport(options, over);
  const client = new Client(
    { name: "incipit", version: "0.1.0" },
    {
      ...(era === "modern" ? { versionNegotiation: { mode: { pin: modernVersion } } } : {}),
      capabilities: { elicitation: { form: {} }, ...(options.roots === undefined ? {} : { roots: {} }) },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: options.onListChange } },
    },
  );
  const end = (failure: ServerFailure): void => {
    over.abort(failure);
    // The program's runner logs when it does not end in time.
    void transport.close().catch(() => undefined);
  };
  answerRoots(client, options, end);
  const questions = answerQuestions(client, options, end);
  try {
    // Ending the transport ends its requests, but the library does not always respect the signal.
    await unlessAborted(client.connect(transport, { signal, timeout }), [signal]);
  } catch (error) {
    const reason: unknown = over.signal.aborted ? over.signal.reason : error;
    await transport.close().catch(() => undefined); // The first error is more useful.
    throw reason;
  }
  const { settings, host } = options;
  return new ServerConnection({ client, transport, over, settings, clock: host.clock, questions });
}

/** Answers requests for roots; a server that requests them too often is stopped. */
function answerRoots(
  client: Client,
  { roots, host }: ConnectionOptions,
  end: (failure: ServerFailure) => void,
): void {
  if (roots === undefined) return;
  const rate = new MessageRate(host.clock, { messages: maxRootQuestions, windowMs: messageWindowMs });
  client.setRequestHandler("roots/list", () => {
    if (rate.take(1)) return { roots: [...roots] };
    const failure = `asked for its working folder more than ${maxRootQuestions} times within ${messageWindowMs / 1_000} s`;
    end(new ServerFailure(failure));
    return { roots: [] };
  });
}

function answerQuestions(
  client: Client,
  { name, host: { clock, log }, secrets }: ConnectionOptions,
  end: (failure: ServerFailure) => void,
): ServerQuestions {
  const redact = (text: string): string => secrets.redact(text);
  const questions = new ServerQuestions({ name, clock, log, redact, end });
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq: { signal } }) =>
    questions.answer(params, signal),
  );
  return questions;
}

async function openTransport(
  { name, settings, host, secrets, signIn, onSkipped }: ConnectionOptions,
  over: AbortController,
): Promise<StdioTransport | HttpTransport> {
  const onEnd = (reason: ServerFailure): void => over.abort(reason);
  if (settings.kind === "http") {
    const { url, tokenEnv, headersEnv } = settings;
    const headers = new Map(
      Object.entries(headersEnv).map(([header, variable]) => [header.toLowerCase(), secrets.read(variable)]),
    );
    if (tokenEnv !== undefined) headers.set("authorization", `Bearer ${secrets.read(tokenEnv)}`);
    return new HttpTransport({
      url,
      headers: Object.fromEntries(headers),
      ...(signIn === undefined ? {} : { authProvider: signIn }),
      net: host.net,
      clock: host.clock,
      onEnd,
    });
  }
  const { command, args, cwd } = settings;
  const env = Object.fromEntries(settings.env.map((variable) => [variable, secrets.read(variable)]));
  const started = await host.spawn.start(command, args, { cwd, env });
  if (started.kind === "failed") {
    const { reason, detail = "the system does not say why" } = started;
    if (reason === "not-installed")
      throw new ServerFailure(`did not start: the program "${command}" was not found`);
    throw new ServerFailure(
      `did not start: ${reason === "cwd-not-found" ? `there is no folder "${cwd}"` : detail}`,
    );
  }
  const { log, clock } = host;
  const redact = (text: string): string => secrets.redact(text);
  return new StdioTransport({
    server: name,
    program: started.program,
    log,
    clock,
    redact,
    onEnd,
    ...(onSkipped === undefined ? {} : { onSkipped }),
  });
}

interface Connected {
  readonly client: Client;
  readonly transport: StdioTransport | HttpTransport;
  readonly over: AbortController;
  readonly settings: ServerSettings;
  readonly clock: Clock;
  readonly questions: ServerQuestions;
}

export type ConnectionWork<Result> = (connection: ServerConnection) => Promise<Result>;

export class ServerConnection {
  readonly #connected: Connected;

  constructor(connected: Connected) {
    this.#connected = connected;
  }

  get over(): AbortSignal {
    return this.#connected.over.signal;
  }

  /** Returns the instructions of the server, unvalidated. */
  get instructions(): string | undefined {
    return this.#connected.client.getInstructions();
  }

  /** Lists tools, prompts or resources, unvalidated; empty if the server declares no such capability. */
  async list(what: Listed, signal: AbortSignal): Promise<Entries> {
    const capabilities = this.#connected.client.getServerCapabilities() ?? {};
    if (capabilities[what] !== undefined) return this.#pages(`${what}/list`, what, signal);
    // A server without any declared capability may still have tools, its only use.
    const isSilent =
      capabilities.tools === undefined &&
      capabilities.prompts === undefined &&
      capabilities.resources === undefined;
    return what === "tools" && isSilent ? this.#pagesIfKnown("tools/list", "tools", signal) : nothingListed;
  }

  /** Lists resource templates; returns none if the server lacks this method, as many do. */
  async listTemplates(signal: AbortSignal): Promise<Entries> {
    const { client } = this.#connected;
    if (client.getServerCapabilities()?.resources === undefined) return nothingListed;
    return this.#pagesIfKnown("resources/templates/list", "resourceTemplates", signal);
  }

  async #pagesIfKnown(method: ListMethod, key: ListKey, signal: AbortSignal): Promise<Entries> {
    try {
      return await this.#pages(method, key, signal);
    } catch (error) {
      if (error instanceof ProtocolError && error.code === methodNotFound) return nothingListed;
      throw error;
    }
  }

  /** Reads all pages of a list; an invalid page is skipped and reported. */
  async #pages(method: ListMethod, key: ListKey, signal: AbortSignal): Promise<Entries> {
    const { client } = this.#connected;
    const isModern = client.getProtocolEra() === "modern";
    const [entries, problems]: [unknown[], string[]] = [[], []];
    const asked = new Set<string>();
    let cursor: string | undefined;
    let sizeBytes = 0;
    for (let page = 1; page <= maxListPages && sizeBytes <= maxMessageBytes; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      // Not the library's `listTools()`, which rejects the whole list for one invalid entry.
      const request = client.request({ method, params }, pageSchema, { signal, timeout });
      const answer = await this.#answer(request, signal).catch((error: unknown) => {
        if (page === 1 || signal.aborted || this.over.aborted) throw error;
        problems.push(`listed ${page - 1} pages of "${method}" and then ${failureText(error)}`);
        return { [key]: [], nextCursor: undefined };
      });
      const { [key]: listed, nextCursor } = answer;
      cursor = cursorOf(nextCursor, isModern);
      const withoutList = `answered "${method}" without a list`;
      if (!Array.isArray(listed) && page === 1 && cursor === undefined) throw new ServerFailure(withoutList);
      if (!Array.isArray(listed)) problems.push(withoutList);
      const kept = Array.isArray(listed) ? listed.map(keptDescription) : [];
      for (const entry of kept) entries.push(entry);
      sizeBytes += Buffer.byteLength(JSON.stringify(kept));
      if (cursor === undefined) return { entries, isCut: false, problems };
      if (asked.has(cursor)) {
        problems.push(`repeats a cursor of "${method}"; no more pages are read`);
        return { entries, isCut: false, problems };
      }
      asked.add(cursor);
    }
    return { entries, isCut: true, problems };
  }

  /** @throws {Error} without a result; the session is over unless the server itself reported the error. */
  call(
    { ownName, inputSchema }: ListedTool,
    input: Readonly<Record<string, JsonValue>>,
    {
      signal,
      onProgress,
      asking,
    }: { readonly signal: AbortSignal; readonly onProgress: ProgressCallback; readonly asking: AskingCall },
  ): Promise<CallToolResult> {
    const { client, questions } = this.#connected;
    // A definition without `outputSchema` keeps the library from compiling the server's schemas.
    const toolDefinition = { name: ownName, inputSchema: { ...inputSchema, type: "object" } } as const;
    const options = { signal, timeout, toolDefinition, onprogress: onProgress };
    const call = (): Promise<CallToolResult> => client.callTool({ name: ownName, arguments: input }, options);
    return this.#answer(questions.during(asking, call), signal);
  }

  prompt(name: string, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<GetPromptResult> {
    const { client, questions } = this.#connected;
    const make = (): Promise<GetPromptResult> =>
      client.getPrompt({ name, arguments: { ...values } }, { signal, timeout });
    return this.#answer(questions.during(nobodysCall(), make), signal);
  }

  async readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    try {
      const { client, questions } = this.#connected;
      const read = (): Promise<ReadResourceResult> => client.readResource({ uri }, { signal, timeout });
      return await this.#answer(questions.during(nobodysCall(), read), signal);
    } catch (error) {
      const isMissing = error instanceof ProtocolError && missingCodes.has(error.code);
      throw isMissing ? new MissingResource(error.message, { cause: error }) : error;
    }
  }

  async close(reason = new ServerFailure("was stopped")): Promise<void> {
    const { client, transport, over, clock } = this.#connected;
    const isOpen = !over.signal.aborted;
    over.abort(reason);
    if (isOpen && transport instanceof HttpTransport && !(reason instanceof SessionForgotten)) {
      const late = Promise.withResolvers<void>();
      const cancel = clock.setTimer(late.resolve, goodbyeMs);
      // A courtesy: the server would eventually end the session itself.
      await Promise.race([transport.terminateSession().catch(() => undefined), late.promise]);
      cancel();
    }
    await client.close();
  }

  /** Returns whether the session continues after an error: some servers answer an unknown one with status 500. */
  async #isAlive(error: unknown, signal: AbortSignal): Promise<boolean> {
    const { client, transport } = this.#connected;
    const isInternal = error instanceof SdkHttpError && error.data.status === 500;
    if (!isInternal || !(transport instanceof HttpTransport) || transport.sessionId === undefined) return true;
    return client.ping({ signal, timeout: pingMs }).then(
      () => true,
      (failure: unknown) => signal.aborted || (failure instanceof ProtocolError && !isWrongAnswer(failure)),
    );
  }

  async #answer<Result>(answer: Promise<Result>, signal: AbortSignal): Promise<Result> {
    try {
      return await unlessAborted(answer, [signal, this.over]);
    } catch (error) {
      signal.throwIfAborted();
      if (this.over.aborted) throw this.over.reason;
      const { transport, settings } = this.#connected;
      if (transport instanceof HttpTransport && transport.sessionId !== undefined && isForgotten(error)) {
        const forgotten = new SessionForgotten(failureText(readable(error, settings)), { cause: error });
        await this.close(forgotten);
        throw forgotten;
      }
      if (error instanceof ProtocolError && error.code === lostAnswerCode) {
        const failure = new ServerFailure("ended the connection before it answered");
        await this.close(failure);
        throw failure;
      }
      if (!isAnswer(error)) await this.close(new ServerFailure("lost the connection"));
      else if (!(await this.#isAlive(error, signal))) await this.close(new SessionBroken("lost the session"));
      throw readable(error, settings);
    }
  }
}
