import { codeOf, cutNote, followTurn, isTransient, type TurnOutcome } from "@incipit/service-contract";
import { errorMessage, type StorageBatch, type StorageWrite } from "@incipit/kernel";
import type { ChannelContext } from "./chats-context.ts";
import { ChatWorkers } from "./chat-workers.ts";
import { keys } from "./keys.ts";
import { noteWrite } from "./note.ts";
import type { Outbox } from "./outbox.ts";
import type { People } from "./people.ts";
import { Progress } from "./progress.ts";
import type { ApprovalRequests } from "./approval-requests.ts";
import { storedOwedSchema, type StoredContent, type StoredOwed } from "./stored.ts";
import { oneLineOf, textContents } from "./texts.ts";

export interface RepliesParts {
  readonly people: People;
  readonly outbox: Outbox;
  readonly questions: ApprovalRequests;
}

interface Answer {
  readonly contents: readonly StoredContent[];
  readonly note: string | undefined;
  readonly join: readonly StorageBatch[];
}

/**
 * In order within a chat. The commit that puts a reply in the outbox also removes its pending entry, so that it is
 * queued exactly once across restarts.
 */
export class Replies {
  readonly #context: ChannelContext;
  readonly #parts: RepliesParts;
  readonly #workers: ChatWorkers;

  constructor(context: ChannelContext, parts: RepliesParts) {
    this.#context = context;
    this.#parts = parts;
    this.#workers = new ChatWorkers(context, {
      what: "Cannot follow the turn of a chat; retrying",
      next: (chatId) => this.#next(chatId),
    });
  }

  resume(): Promise<void> {
    return this.#workers.resume(keys.allOwed(this.#context.channel.id));
  }

  /** Call when the activation ends. Never rejects. */
  ended(): Promise<void> {
    return this.#workers.ended();
  }

  wake(chatId: string): void {
    this.#workers.wake(chatId);
  }

  /** Drops the pending replies of a person. A running turn continues, but its reply is not sent. */
  async forget(personId: string): Promise<void> {
    const { storage, channel } = this.#context;
    for await (const { value } of storage.entries(keys.allOwed(channel.id), storedOwedSchema))
      if (value.senderId === personId) await this.#drop(value);
  }

  async #next(chatId: string): Promise<boolean> {
    const { storage, channel } = this.#context;
    const { outbox, questions } = this.#parts;
    const [first] = await storage.list({ prefix: keys.owedIn(channel.id, chatId), limit: 1 }, storedOwedSchema);
    if (first === undefined) return false;
    const { key, version, value: owed } = first;
    const followed =
      owed.isReplaced || this.#isGone(owed) ? await this.#drop(owed) : await this.#follow(chatId, owed);
    if (followed === undefined) return false; // The activation ends; the next one continues.
    const answer = this.#isGone(owed) ? nothing : followed;
    const { conversationId } = owed;
    const note: readonly StorageWrite[] =
      answer.note === undefined ? [] : [noteWrite(this.#context, { chatId, conversationId, text: answer.note })];
    const { writes } = outbox.prepare(chatId, answer.contents);
    const closed = await questions.closed(chatId);
    await storage.atomic([{ key, version }], [{ kind: "delete", key }, ...closed, ...note, ...writes], {
      join: answer.join,
    });
    outbox.wake(chatId);
    return true; // A conflict: the sender replaced the message concurrently.
  }

  #isGone({ senderId }: StoredOwed): boolean {
    return senderId !== null && !this.#parts.people.isKnown({ id: senderId });
  }

  /** If the message's turn has begun, the reply is dropped. */
  async #drop({ conversationId, turnId }: StoredOwed): Promise<Answer> {
    try {
      await this.#context.conversations.get().removeQueued(conversationId, turnId);
    } catch (error) {
      if (isTransient(error)) throw error;
    }
    return nothing;
  }

  async #follow(chatId: string, owed: StoredOwed): Promise<Answer | undefined> {
    const progress = new Progress(this.#context, chatId);
    const notices: string[] = [];
    try {
      const outcome = await followTurn(this.#context, owed, async (event, reply) => {
        if (event.type === "approval-request") await this.#parts.questions.ask(chatId, owed, event);
        else if (event.type === "question-request") await this.#parts.questions.cancel(owed, event.questionId);
        else if (event.type === "spending-notice" || event.type === "folder-notice") notices.push(event.message);
        else if (event.type === "turn-start" || event.type === "text-delta") progress.show(reply);
      });
      if (outcome === undefined) return undefined;
      const answer = await this.#answer(owed, outcome);
      const said = notices.flatMap((notice) => textContents(this.#context.channel, `(${sentence(notice)})`, {}));
      return { ...answer, contents: [...answer.contents, ...said] };
    } catch (error) {
      if (isTransient(error)) throw error;
      if (codeOf(error) === "STORED_VALUE_INVALID") throw error;
      return this.#line(owed, `I can no longer answer that: ${sentence(errorMessage(error))}`);
    } finally {
      await progress.end();
    }
  }

  async #answer(owed: StoredOwed, outcome: TurnOutcome): Promise<Answer> {
    const { status, error, reply } = outcome;
    switch (status) {
      case "completed": {
        const answer = await this.#replyParts(owed, reply);
        const note = textContents(this.#context.channel, cutNote(outcome) ?? "");
        return { ...answer, contents: [...answer.contents, ...note] };
      }
      case "failed":
        return this.#unfinished(owed, { reply, line: failureLine(error) });
      case "cancelled":
        return this.#line(owed, reply.trim() === "" ? "Stopped." : `${reply}\n\n(Stopped.)`);
      case "interrupted":
        return this.#unfinished(owed, {
          reply,
          line: "I was interrupted and could not finish that. Please send it again.",
        });
    }
  }

  /** Keeps the partial reply; the failure line follows as its own message. */
  #unfinished(owed: StoredOwed, { reply, line }: { readonly reply: string; readonly line: string }): Answer {
    if (reply.trim() === "") return this.#line(owed, line);
    const said = this.#line(owed, reply);
    return { ...said, contents: [...said.contents, ...textContents(this.#context.channel, line)] };
  }

  #line(owed: StoredOwed, text: string): Answer {
    const contents = textContents(this.#context.channel, text, { replyTo: replyTo(owed) });
    return { contents, note: undefined, join: [] };
  }

  async #replyParts(owed: StoredOwed, reply: string): Promise<Answer> {
    const { channel, signal } = this.#context;
    const media = this.#context.media.current;
    const nothingSaid = (): Answer => this.#line(owed, "(Empty reply.)");
    if (media === undefined) return reply.trim() === "" ? nothingSaid() : this.#line(owed, reply);
    const { conversationId, turnId } = owed;
    const request = { turnId, reply, maxFileBytes: channel.maxFileBytes.out, signal };
    const { parts, note, taken } = await media.split(conversationId, request);
    if (parts.length === 0) return nothingSaid(); // A reply without text may still have files.
    let answered: string | undefined = replyTo(owed);
    const contents = parts.flatMap((part): readonly StoredContent[] => {
      if (part.kind === "file") {
        const { path, name, mediaType } = part;
        return [{ kind: "file", conversationId, path, name, mediaType }];
      }
      const text = part.kind === "text" ? part.text : `${part.line}\n(Not sent: ${part.why})`;
      const made = textContents(channel, text, { replyTo: answered });
      answered = undefined;
      return made;
    });
    return { contents, note, join: taken === undefined ? [] : [taken] };
  }
}

const nothing: Answer = { contents: [], note: undefined, join: [] };

function replyTo({ isGroup, messageId }: StoredOwed): string | undefined {
  return isGroup && messageId !== "" ? messageId : undefined;
}

/** Formats the failure of a turn. Names only commands that a chat has. */
function failureLine(error: TurnOutcome["error"]): string {
  const line = `Sorry, that did not work: ${sentence(error?.message ?? "unknown reason")}`;
  if (error?.code !== "FILE_REFUSED") return line;
  return `${line}\n\nTo continue: /files remove removes the newest file, /files lists them.`;
}

function sentence(message: string): string {
  const line = oneLineOf(message, 300);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
