import { channelCommands } from "@incipit/common/channels";
import { errorMessage, type Log } from "@incipit/kernel";
import * as z from "zod";
import type { RestClient } from "./rest-client.ts";

const callTimeoutMs = 30_000;
/** https://docs.discord.com/developers/interactions/application-commands */
const chatInput = 1;
const text = 3;
const contexts = [0, 1];

const commands = channelCommands.map(({ name, description, argument }) => {
  const options = argument === undefined ? [] : [{ type: text, ...argument, required: false }];
  return { type: chatInput, name, description, options, contexts, integration_types: [0] };
});

const registeredSchema = z.array(
  z.looseObject({
    type: z.int().default(chatInput),
    name: z.string(),
    description: z.string(),
    contexts: z.array(z.int()).nullish(),
    integration_types: z.array(z.int()).nullish(),
    options: z
      .array(
        z.looseObject({
          type: z.int(),
          name: z.string(),
          description: z.string(),
          required: z.boolean().default(false),
        }),
      )
      .default([]),
  }),
);

/** Discord limits new registrations per day. Never rejects: commands typed as text work regardless. */
export async function registerCommands(
  rest: RestClient,
  {
    applicationId,
    log,
    signal,
  }: { readonly applicationId: string; readonly log: Log; readonly signal: AbortSignal },
): Promise<boolean> {
  const path = `/applications/${applicationId}/commands`;
  try {
    const registered = registeredSchema.parse(
      await rest.call({ method: "GET", path }, { timeoutMs: callTimeoutMs, signal }),
    );
    if (shapeOf(registered) === shapeOf(commands)) return true;
    await rest.call({ method: "PUT", path, body: commands }, { timeoutMs: callTimeoutMs, signal });
    return true;
  } catch (error) {
    if (!signal.aborted) log.warn("Failed to register Discord's commands", { reason: errorMessage(error) });
    return false;
  }
}

function shapeOf(list: z.output<typeof registeredSchema>): string {
  const shapes = list.map(({ type, name, description, contexts: where, integration_types: kinds, options }) => [
    name,
    type,
    description,
    where?.toSorted((a, b) => a - b),
    kinds?.toSorted((a, b) => a - b),
    options.map((option) => [option.name, option.type, option.description, option.required]),
  ]);
  return JSON.stringify(shapes.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
