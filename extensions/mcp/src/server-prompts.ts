import type { Clock } from "@incipit/kernel";
import type { CommandCall } from "@incipit/schema";
import { ServiceError, type OfferedMessage } from "@incipit/service-contract";
import { deadlineAround, Late } from "@incipit/common/http";
import { contentTimeoutMs, maxPromptFileBytes, maxPromptTextBytes, promptListTimeoutMs } from "./limits.ts";
import { listedPrompts, type ListedPrompt, type ListedPrompts } from "./listed-prompts.ts";
import { promptArguments } from "./prompt-arguments.ts";
import type { ConnectionWork } from "./server-connection.ts";
import { failureText, ServerFailure } from "./server-failure.ts";
import type { GetPromptResult } from "@modelcontextprotocol/client";
import { resultAnswer } from "./result-answer.ts";

export interface ServerPromptsOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly connected: <Result>(work: ConnectionWork<Result>, signal: AbortSignal) => Promise<Result>;
}

export interface PromptListOptions {
  readonly isCall?: boolean;
  readonly signal: AbortSignal;
}

export class ServerPrompts {
  readonly #options: ServerPromptsOptions;

  constructor(options: ServerPromptsOptions) {
    this.#options = options;
  }

  /** Never rejects. The server continues to start after an abort. */
  async list({ isCall = false, signal }: PromptListOptions): Promise<ListedPrompts> {
    const { name, clock } = this.#options;
    const timeoutMs = isCall ? contentTimeoutMs : promptListTimeoutMs;
    let isConnected = false;
    try {
      const listing = await deadlineAround({ clock, timeoutMs, signal }, (either) =>
        this.#options.connected((connection) => {
          isConnected = true;
          return connection.list("prompts", either);
        }, either),
      );
      const { entries, isCut } = listing;
      const listed = listedPrompts(name, entries);
      const prompts = listed.prompts.filter((prompt) => !this.#givesAway(prompt));
      const left = listed.prompts.length - prompts.length;
      const problems = [
        ...listed.problems,
        ...listing.problems,
        ...(left === 0 ? [] : [`describes ${left} prompts with one of its secrets; they are skipped`]),
        ...(isCut ? ["lists more prompts than are read"] : []),
      ];
      return { prompts, problems: problems.map((problem) => this.#says(problem)) };
    } catch (error) {
      const isLate = error instanceof Late;
      const late = isConnected ? `did not list its prompts within ${timeoutMs / 1_000} s` : "is still starting";
      return { prompts: [], problems: [this.#says(isLate ? late : failureText(error))] };
    }
  }

  /** @throws {ServiceError} `COMMAND_UNKNOWN`; `INVALID_REQUEST` for invalid arguments; `COMMAND_FAILED`. */
  async message(
    { name, arguments: given = "" }: CommandCall,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<OfferedMessage> {
    const { prompts, problems } = await this.list({ isCall: true, signal });
    signal.throwIfAborted();
    const prompt = prompts.find((one) => one.name === name);
    if (prompt === undefined)
      throw new ServiceError(
        "COMMAND_UNKNOWN",
        [this.#says(`has no prompt for the command "${name}"`), ...problems].join(". "),
      );
    const { clock } = this.#options;
    const taken = promptArguments(prompt, given);
    if (taken.kind === "refused")
      throw new ServiceError("INVALID_REQUEST", `Cannot use the command "${name}": ${taken.reason}`);
    try {
      const made = await deadlineAround({ clock, timeoutMs: contentTimeoutMs, signal }, (either) =>
        this.#options.connected((connection) => connection.prompt(prompt.ownName, taken.values, either), either),
      );
      return this.#bounded(promptMessage(made), taken.rest);
    } catch (cause) {
      signal.throwIfAborted();
      const isLate = cause instanceof Late;
      const why = isLate ? `made no message within ${contentTimeoutMs / 1_000} s` : failureText(cause);
      const message = `Cannot use the command "${name}". ${this.#says(why)}`;
      throw new ServiceError("COMMAND_FAILED", message, { cause });
    }
  }

  #bounded({ text, files }: OfferedMessage, rest: string): OfferedMessage {
    const whole = [this.#options.redact(text), rest].filter((part) => part !== "").join("\n\n");
    const safe = files.flatMap(({ mediaType, data }) => {
      const bytes = Buffer.from(data, "base64");
      const content = bytes.toString();
      return this.#options.redact(content) === content ? [{ mediaType, data: bytes.toString("base64") }] : [];
    });
    if (whole === "") throw new ServerFailure("returned a message without text");
    if (Buffer.byteLength(whole) > maxPromptTextBytes)
      throw new ServerFailure(`made a message of more than ${maxPromptTextBytes} bytes`);
    const sizeBytes = safe.reduce((sum, { data }) => sum + (data.length * 3) / 4, 0);
    if (sizeBytes > maxPromptFileBytes)
      throw new ServerFailure(`returned a message whose files have more than ${maxPromptFileBytes} bytes`);
    const left = files.length - safe.length;
    const note = left === 0 ? "" : `\n\n[files with a secret of the server (${left}) are left out]`;
    return { text: `${whole}${note}`, files: safe };
  }

  #givesAway(prompt: ListedPrompt): boolean {
    const text = JSON.stringify(prompt);
    return this.#options.redact(text) !== text;
  }

  #says(text: string): string {
    return this.#options.redact(`The MCP server "${this.#options.name}" ${text}`);
  }
}

const speakers = { user: "User", assistant: "Assistant" } as const;

/** Types that vendors accept in a user message; other files are only named. */
const shownTypes = /^(?:image|audio)\/[a-z0-9.+-]+$/;

/** Includes roles unless all messages are the user's. */
function promptMessage({ messages }: Pick<GetPromptResult, "messages">): OfferedMessage {
  const answers = messages.map(({ role, content }) => ({ role, ...resultAnswer({ content: [content] }) }));
  const isOnlyUser = messages.every(({ role }) => role === "user");
  const files = answers.flatMap((answer) => answer.files);
  const kept = files.filter(({ mediaType }) => shownTypes.test(mediaType));
  const left = files.length - kept.length;
  const parts = answers.map(({ role, text }) => (isOnlyUser ? text : `${speakers[role]}:\n${text}`));
  if (left > 0) parts.push(`[files that are neither pictures nor sound (${left}) are left out]`);
  return { text: parts.join("\n\n").toWellFormed().trim(), files: kept };
}
