import { RequestError, type SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import { turnSettingsSchema, type Conversation, type TurnSettings } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";

/** More is nobody's list to choose from: the terminal and the page have all. */
const maxModels = 500;
/** What stands for no profile: none can be called so. */
const noProfile = "-";
/** What stands for no effort of the session's own. */
const effortAsConfigured = "configured";

export type Effort = NonNullable<TurnSettings["reasoningEffort"]>;
const effortSchema = turnSettingsSchema.shape.reasoningEffort.unwrap();
const effortNames: Readonly<Record<Effort, string>> = {
  none: "None",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Very high",
};

export interface Choice {
  readonly configId: string;
  readonly value: string | boolean;
}

/**
 * What a person can choose at an editor for a conversation: its model, its agent where there is any, and how much the model
 * reasons.
 * @param effort What the session asks for; `undefined`: what is configured.
 */
export async function configOptions(
  client: Client,
  { model, profile, cwd }: Pick<Conversation, "model" | "profile" | "cwd">,
  effort?: Effort,
): Promise<SessionConfigOption[]> {
  const [{ models }, { profiles }] = await Promise.all([
    client.call(routes.listModels),
    client.call(routes.listProfiles, { query: { cwd } }),
  ]);
  const ready = models.filter(({ isReady, id }) => isReady && id !== model).slice(0, maxModels);
  const names = new Set([...profiles.map(({ name }) => name), ...(profile === null ? [] : [profile])]);
  return [
    {
      type: "select",
      id: "model",
      name: "Model",
      description: "Which model answers from the next message on",
      category: "model",
      currentValue: model,
      options: [model, ...ready.map(({ id }) => id)].map((id) => ({ value: id, name: id })),
    },
    ...(names.size === 0
      ? []
      : [
          {
            type: "select" as const,
            id: "profile",
            name: "Agent",
            description:
              "Whose prompt and tools it has; what has begun keeps its prompt until it is compacted or rebuilt",
            currentValue: profile ?? noProfile,
            options: [
              { value: noProfile, name: "None" },
              ...[...names].map((name) => {
                const description = profiles.find((one) => one.name === name)?.description ?? null;
                return { value: name, name, ...(description === null ? {} : { description }) };
              }),
            ],
          },
        ]),
    {
      type: "select",
      id: "effort",
      name: "Effort",
      description: "How much the model reasons, where it can; from the next message on",
      category: "thought_level",
      currentValue: effort ?? effortAsConfigured,
      options: [
        { value: effortAsConfigured, name: "As configured" },
        ...effortSchema.options.map((value) => ({ value, name: effortNames[value] })),
      ],
    },
  ];
}

/** `undefined`: the choice is another one. `effort` is `undefined` for what is configured. @throws {RequestError} */
export function chosenEffort({ configId, value }: Choice): { readonly effort: Effort | undefined } | undefined {
  if (configId !== "effort") return undefined;
  if (value === effortAsConfigured) return { effort: undefined };
  const { data: effort } = effortSchema.safeParse(value);
  if (effort !== undefined) return { effort };
  const known = [effortAsConfigured, ...effortSchema.options].map((one) => `"${one}"`).join(", ");
  throw RequestError.invalidParams({ configId, value }, `there is no effort "${value}"; there are ${known}`);
}

/** Chooses a model or an agent; gives the conversation as it is then. @throws {RequestError} for what cannot be chosen. */
export async function chooseOption(
  client: Client,
  { id }: Pick<Conversation, "id">,
  { configId, value }: Choice,
): Promise<Conversation> {
  if (typeof value !== "string")
    throw RequestError.invalidParams({ configId, value }, "the value must be one that is listed");
  const body =
    configId === "model"
      ? { model: value }
      : configId === "profile"
        ? { profile: value === noProfile ? null : value }
        : undefined;
  if (body === undefined)
    throw RequestError.invalidParams(
      { configId },
      `there is no option "${configId}"; there are "model", "profile" and "effort"`,
    );
  return (await client.call(routes.updateConversation, { params: { id }, body })).conversation;
}
