import type { AvailableCommand } from "@agentclientprotocol/sdk/unstable";
import { parseCommandCall, type Command, type TurnBody } from "@incipit/schema";
import { ApiClientError, routes, withNamedResources } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";

export class SessionCommands {
  readonly #link: HostLink;
  readonly #cwd: string;
  readonly #conversationId: string;

  constructor(link: HostLink, { id, cwd }: { readonly id: string; readonly cwd: string }) {
    this.#link = link;
    this.#cwd = cwd;
    this.#conversationId = id;
  }

  /** Returns the commands of the folder; empty if the host does not support commands. */
  async available(): Promise<AvailableCommand[]> {
    return (await this.#list()).map(({ name, description, argumentHint }) => ({
      name,
      description: description ?? "",
      ...(argumentHint === null ? {} : { input: { hint: argumentHint } }),
    }));
  }

  /** An unknown command is text. @param typed Without content embedded by the editor. */
  async bodyOf(input: NonNullable<TurnBody["input"]>, typed: string): Promise<TurnBody> {
    const command = typeof input === "string" ? parseCommandCall(input.trimStart()) : undefined;
    if (command !== undefined && (await this.#list()).some(({ name }) => name === command.name)) return { command };
    const conversationId = this.#conversationId;
    return {
      input: await this.#link.call((client) => withNamedResources(input, { client, typed, conversationId })),
    };
  }

  async #list(): Promise<readonly Command[]> {
    const query = { cwd: this.#cwd };
    try {
      return (await this.#link.call((client) => client.call(routes.listCommands, { query }))).commands;
    } catch (error) {
      if (error instanceof ApiClientError && error.code === "SERVICE_UNAVAILABLE") return [];
      throw error;
    }
  }
}
