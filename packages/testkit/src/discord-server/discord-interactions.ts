import * as z from "zod";
import { DiscordRefusal } from "./discord-refusal.ts";
import { checked } from "./rest-call.ts";
import type { DiscordWorld } from "./discord-world.ts";

/** First response: https://docs.discord.com/developers/interactions/receiving-and-responding */
const answerMs = 3_000;
const ephemeral = 1 << 6;

export interface DiscordInteraction {
  readonly id: string;
  readonly token: string;
  readonly answer: string | undefined;
  readonly isEphemeral: boolean;
  readonly isAcknowledged: boolean;
}

interface State {
  readonly id: string;
  readonly token: string;
  readonly createdMs: number;
  answer: string | undefined;
  isEphemeral: boolean;
  isAcknowledged: boolean;
}

const callbackSchema = z.looseObject({
  type: z.union([z.literal(4), z.literal(5), z.literal(6), z.literal(7)]),
  data: z
    .looseObject({ content: z.string().max(2_000).exactOptional(), flags: z.int().default(0) })
    .exactOptional(),
});
const editSchema = z.looseObject({ content: z.string().max(2_000).nullable().exactOptional() });

export class DiscordInteractions {
  readonly #world: DiscordWorld;
  readonly #now: () => number;
  readonly #all: State[] = [];

  constructor(world: DiscordWorld, now: () => number) {
    this.#world = world;
    this.#now = now;
  }

  begin(): DiscordInteraction {
    const id = this.#world.nextId();
    const state: State = {
      id,
      token: `interaction-token-${id}`,
      createdMs: this.#now(),
      answer: undefined,
      isEphemeral: false,
      isAcknowledged: false,
    };
    this.#all.push(state);
    return state;
  }

  /** @throws {DiscordRefusal} 10062 when too late, 40060 for a second response. */
  callback(id: string, token: string, body: unknown): void {
    const state = this.#all.find((one) => one.id === id && one.token === token);
    if (state === undefined || (!state.isAcknowledged && this.#now() - state.createdMs > answerMs))
      throw new DiscordRefusal(404, 10_062, "Unknown interaction");
    if (state.isAcknowledged) throw new DiscordRefusal(400, 40_060, "Interaction has already been acknowledged.");
    const { type, data } = checked(callbackSchema, body);
    if (type === 4 && (data?.content ?? "") === "")
      throw new DiscordRefusal(400, 50_006, "Cannot send an empty message");
    state.isAcknowledged = true;
    state.isEphemeral = ((data?.flags ?? 0) & ephemeral) !== 0;
    if (type === 4) state.answer = data?.content;
  }

  /** @throws {DiscordRefusal} 50027 for an invalid token, 10008 when there is nothing to edit. */
  editAnswer(applicationId: string, token: string, body: unknown): object {
    const state = this.#all.find((one) => one.token === token);
    if (state === undefined || applicationId !== this.#world.bot.id)
      throw new DiscordRefusal(401, 50_027, "Invalid Webhook Token");
    if (!state.isAcknowledged) throw new DiscordRefusal(404, 10_008, "Unknown Message");
    const { content = "" } = checked(editSchema, body);
    if (content === null || content === "") throw new DiscordRefusal(400, 50_006, "Cannot send an empty message");
    state.answer = content;
    return { id: state.id, content, type: 0 };
  }
}
