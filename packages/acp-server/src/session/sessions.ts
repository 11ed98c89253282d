import {
  RequestError,
  type ForkSessionResponse,
  type McpServer,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionResponse,
  type NewSessionResponse,
  type SessionConfigOption,
  type SessionInfo,
  type SetSessionConfigOptionRequest,
  type SetSessionConfigOptionResponse,
  type SystemPrompt,
} from "@agentclientprotocol/sdk/unstable";
import {
  conversationIdSchema,
  type Conversation,
  type ConversationId,
  type OfferedToolServer,
} from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import { isAbsolute } from "node:path";
import { isAway, type HostLink } from "../host/host-link.ts";
import { isSameFolder } from "../host/same-folder.ts";
import { HistoryUpdates } from "../updates/history-updates.ts";
import { setSystemMessages, systemTexts, type SystemTexts } from "../prompt/system-texts.ts";
import { chooseOption, configOptions } from "./config-options.ts";
import type { Editor } from "./editor.ts";
import { messagesBefore, placeOf } from "./history.ts";
import { passedServers, refusalText, ServersOffer } from "./passed-servers.ts";
import { Session } from "./session.ts";

export interface SessionsOptions {
  readonly link: HostLink;
  readonly editor: Editor;
  readonly defaults: { readonly model?: string | undefined; readonly profile?: string | undefined };
  readonly log: (line: string) => void;
}

export interface OpenRequest {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
  readonly systemPrompt?: SystemPrompt | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}

/** Sessions per response, page size of the host's API, and most pages read per response. */
const listedAtOnce = 50;
const pageSize = 100;
const maxPages = 20;
/** Each takes one of the 256 connections of this process. */
const maxFollowed = 100;

/** Sessions are conversations, which other clients can continue. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #open = new Map<string, Session>();
  readonly #offers = new Map<string, ServersOffer>();
  #isOver = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** @throws {RequestError} Resource not found, for other sessions. */
  get(sessionId: string): Session {
    const session = this.#open.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    this.#open.delete(sessionId);
    this.#open.set(sessionId, session); // The order is by last use.
    this.#followOne(session);
    return session;
  }

  async create(request: OpenRequest): Promise<NewSessionResponse> {
    const { link, defaults } = this.#options;
    const { model, profile } = defaults;
    checkFolders(request);
    const servers = this.#serversOf(request);
    const body = {
      cwd: request.cwd,
      ...systemTexts(request),
      ...(model === undefined ? {} : { model }),
      ...(profile === undefined ? {} : { profile }),
    };
    const { conversation } = await link.call((client) => client.call(routes.createConversation, { body }));
    await this.#offer(conversation.id, servers);
    const options = await this.#optionsOf(conversation);
    await this.#follow(conversation, conversation.lastSeq, options);
    return { sessionId: conversation.id, configOptions: options };
  }

  async load(sessionId: string, request: OpenRequest): Promise<LoadSessionResponse> {
    const { link, editor } = this.#options;
    const servers = this.#serversOf(request);
    const place = await this.#place(sessionId, request);
    const { conversation } = place;
    await this.#offer(conversation.id, servers);
    const updates = new HistoryUpdates(conversation);
    for await (const message of messagesBefore(await link.client(), place))
      await editor.tell(sessionId, updates.take(message));
    const options = await this.#optionsOf(conversation);
    await this.#follow(conversation, place.afterSeq, options);
    return { configOptions: options };
  }

  async resume(sessionId: string, request: OpenRequest): Promise<LoadSessionResponse> {
    const servers = this.#serversOf(request);
    const { conversation } = await this.#place(sessionId, request);
    await this.#offer(conversation.id, servers);
    const options = await this.#optionsOf(conversation);
    await this.#follow(conversation, conversation.lastSeq, options);
    return { configOptions: options };
  }

  async choose(request: SetSessionConfigOptionRequest): Promise<SetSessionConfigOptionResponse> {
    const session = this.get(request.sessionId);
    const { link } = this.#options;
    const conversation = await link.call((client) => chooseOption(client, session.conversation, request));
    const options = await this.#optionsOf(conversation);
    session.news.toldChoices(options);
    return { configOptions: options };
  }

  async fork(sessionId: string, request: OpenRequest): Promise<ForkSessionResponse> {
    const { link } = this.#options;
    const id = idOf(sessionId);
    const { conversation: source } = await link.call((client) =>
      client.call(routes.getConversation, { params: { id } }),
    );
    await this.#check(source, request);
    const texts = systemTexts(request);
    const servers = this.#serversOf(request);
    const { conversation } = await link.call((client) =>
      client.call(routes.forkConversation, { params: { id }, body: {} }),
    );
    await this.#give(conversation.id, texts);
    await this.#offer(conversation.id, servers);
    const options = await this.#optionsOf(conversation);
    await this.#follow(conversation, conversation.lastSeq, options);
    return { sessionId: conversation.id, configOptions: options };
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const client = await this.#options.link.client();
    const sessions: SessionInfo[] = [];
    const folders = new Map<string, Promise<boolean>>();
    const isWanted = async (folder: string): Promise<boolean> => {
      if (cwd === undefined || cwd === null) return true;
      const known = folders.get(folder) ?? isSameFolder(folder, cwd);
      folders.set(folder, known);
      return known;
    };
    let next = cursor ?? undefined;
    for (let pages = 0; pages < maxPages && sessions.length < listedAtOnce; pages += 1) {
      const query = { limit: pageSize, ...(next === undefined ? {} : { cursor: next }) };
      const page = await client.call(routes.listConversations, { query });
      for (const conversation of page.conversations)
        if (await isWanted(conversation.cwd)) sessions.push(infoOf(conversation));
      next = page.nextCursor;
      if (next === undefined) break;
    }
    return { sessions, ...(next === undefined ? {} : { nextCursor: next }) };
  }

  /** Cancels the editor's turns; the conversation stays. */
  async close(sessionId: string): Promise<void> {
    const session = this.get(sessionId);
    await session.end();
    this.#open.delete(sessionId);
    this.#endOffer(sessionId);
  }

  async delete(sessionId: string): Promise<void> {
    const id = idOf(sessionId);
    if (this.#open.has(sessionId)) await this.close(sessionId);
    await this.#options.link.call((client) => client.call(routes.deleteConversation, { params: { id } }));
  }

  /** Closes all sessions; running turns continue. */
  closeAll(): void {
    this.#isOver = true;
    for (const session of this.#open.values()) session.close();
    for (const sessionId of this.#offers.keys()) this.#endOffer(sessionId);
  }

  async finish(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map((session) => session.finish()));
  }

  #optionsOf(conversation: Conversation): Promise<SessionConfigOption[]> {
    return this.#options.link.call((client) => configOptions(client, conversation));
  }

  async #place(sessionId: string, request: OpenRequest): ReturnType<typeof placeOf> {
    const id = idOf(sessionId);
    const open = this.#open.get(sessionId);
    if (open?.isIdle === false) {
      const message = "a prompt of this session is being answered; wait for its end, or cancel it";
      throw RequestError.invalidRequest({ sessionId }, message);
    }
    const { link } = this.#options;
    const texts = systemTexts(request);
    const { conversation } = await link.call((client) => client.call(routes.getConversation, { params: { id } }));
    await this.#check(conversation, request);
    await this.#give(id, texts);
    return link.call((client) => placeOf(client, id));
  }

  async #check({ id, cwd }: Conversation, request: OpenRequest): Promise<void> {
    checkFolders(request);
    if (await isSameFolder(request.cwd, cwd)) return;
    const message = `session "${id}" works in "${cwd}", and not in "${request.cwd}"; name that folder`;
    throw RequestError.invalidParams({ cwd }, message);
  }

  #serversOf({ mcpServers = [] }: OpenRequest): readonly OfferedToolServer[] {
    return passedServers(mcpServers, this.#options.log);
  }

  /** If the host rejects the servers, the session opens without them. */
  async #offer(conversationId: ConversationId, servers: readonly OfferedToolServer[]): Promise<void> {
    this.#endOffer(conversationId);
    if (servers.length === 0) return;
    const { link, log } = this.#options;
    try {
      const offer = await ServersOffer.open({ conversationId, servers, link, log });
      this.#endOffer(conversationId); // The session may have been opened twice concurrently.
      if (this.#isOver) offer.close();
      else this.#offers.set(conversationId, offer);
    } catch (error) {
      if (!(error instanceof ApiClientError) || isAway(error)) throw error;
      log(refusalText(error));
    }
  }

  #endOffer(sessionId: string): void {
    this.#offers.get(sessionId)?.close();
    this.#offers.delete(sessionId);
  }

  async #give(id: ConversationId, texts: SystemTexts | undefined): Promise<void> {
    const { link, editor } = this.#options;
    if (texts !== undefined) await link.call((client) => setSystemMessages(client, id, { texts, by: editor.name }));
  }

  /** Last, so that updates follow the response. */
  async #follow(
    conversation: Conversation,
    afterSeq: number,
    options: readonly SessionConfigOption[],
  ): Promise<void> {
    const { link, editor, log } = this.#options;
    const { id } = conversation;
    this.#open.get(id)?.close();
    const session = new Session({ conversation, afterSeq, link, editor, log });
    session.news.toldChoices(options);
    this.#open.delete(id);
    this.#open.set(id, session);
    this.#followOne(session);
    session.askOpen();
    void session.tellCommands();
  }

  /** Above the limit, the least recently used idle session is paused. */
  #followOne(session: Session): void {
    // A session that was being opened when the editor left would keep the process.
    if (session.isFollowing || this.#isOver) return;
    const { log } = this.#options;
    const { id } = session.conversation;
    const others = [...this.#open.values()].filter((one) => one !== session && one.isFollowing);
    if (others.length >= maxFollowed) others.find(({ isIdle }) => isIdle)?.pause();
    session.follow().catch((error: unknown) => {
      if (this.#open.get(id) === session) {
        this.#open.delete(id);
        this.#endOffer(id);
      }
      if (!(error instanceof ApiClientError)) log(`Following conversation ${id} ended: ${String(error)}`);
    });
  }
}

/** @throws {RequestError} Resource not found. */
function idOf(sessionId: string): ConversationId {
  const { data } = conversationIdSchema.safeParse(sessionId);
  if (data === undefined) throw RequestError.sessionNotFound(sessionId);
  return data;
}

function checkFolders({ cwd, additionalDirectories = [] }: OpenRequest): void {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, `"${cwd}" is not an absolute path`);
  if (additionalDirectories.length > 0)
    throw RequestError.invalidParams(
      { additionalDirectories },
      "a session works in one folder here; leave out additionalDirectories, as the capabilities say",
    );
}

function infoOf({ id, cwd, title, updatedAt }: Conversation): SessionInfo {
  return { sessionId: id, cwd, title, updatedAt };
}
