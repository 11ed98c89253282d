import { errorMessage, type Log } from "@incipit/kernel";
import * as z from "zod";
import type { RestClient } from "./rest-client.ts";

const callTimeoutMs = 30_000;
/** https://docs.discord.com/developers/interactions/application-commands */
const chatInput = 1;
const text = 3;
const contexts = [0, 1];

function command(
  name: string,
  description: string,
  option?: { readonly name: string; readonly description: string },
) {
  const options = option === undefined ? [] : [{ type: text, ...option, required: false }];
  return { type: chatInput, name, description, options, contexts, integration_types: [0] };
}

/** Implemented by the host, see docs/guide/channels.md. */
const commands = [
  command("new", "Start a new conversation"),
  command("stop", "Stop the current turn"),
  command("model", "Show or choose the model", { name: "model", description: "PROVIDER/MODEL, or default" }),
  command("profile", "Show the profiles, or start with one", {
    name: "profile",
    description: "Its name, or default",
  }),
  command("prompt", "Show whether the system prompt has changed", {
    name: "action",
    description: "rebuild applies the changes",
  }),
  command("files", "Show the files in requests, or remove one", {
    name: "action",
    description: "remove, or remove ID",
  }),
  command("status", "Show the status"),
  command("help", "List the commands"),
];

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
