import type { AvailableCommand } from "@agentclientprotocol/sdk/unstable";
import { parseCommandCall, type Command, type TurnBody } from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";

/** The commands that can be sent in a working folder at this moment. */
export class SessionCommands {
  readonly #link: HostLink;
  readonly #cwd: string;

  constructor(link: HostLink, cwd: string) {
    this.#link = link;
    this.#cwd = cwd;
  }

  /** As editors list them; none where the host has no list of commands. */
  async available(): Promise<AvailableCommand[]> {
    return (await this.#list()).map(({ name, description, argumentHint }) => ({
      name,
      description: description ?? "",
      ...(argumentHint === null ? {} : { input: { hint: argumentHint } }),
    }));
  }

  /** What was typed, or the command that it names: a slash in front of anything else is the user's text. */
  async bodyOf(input: NonNullable<TurnBody["input"]>): Promise<TurnBody> {
    const command = typeof input === "string" ? parseCommandCall(input.trimStart()) : undefined;
    if (command === undefined) return { input };
    const isKnown = (await this.#list()).some(({ name }) => name === command.name);
    return isKnown ? { command } : { input };
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
