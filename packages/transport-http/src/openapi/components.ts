import * as schemas from "@incipit/schema";
import * as contract from "@incipit/transport-contract";
import * as z from "zod";
import { toJsonSchema, type JsonObject } from "./json-schema.ts";

/** Generators create one type for a named schema. */
const named = {
  AccessToken: schemas.accessTokenSchema,
  AnthropicMessage: contract.anthropicReplySchema,
  AnthropicStreamEvent: contract.anthropicStreamEventSchema,
  Approval: schemas.approvalSchema,
  Question: schemas.questionSchema,
  QuestionField: schemas.questionFieldSchema,
  AuditedStep: schemas.auditedStepSchema,
  AuditSummary: schemas.auditSummarySchema,
  Capabilities: contract.capabilitiesSchema,
  ChangedFile: schemas.changedFileSchema,
  Channel: schemas.channelSchema,
  ChannelMessage: schemas.channelMessageSchema,
  ChannelPerson: schemas.channelPersonSchema,
  ChatCompletion: contract.chatCompletionSchema,
  ChatCompletionChunk: contract.chatCompletionChunkSchema,
  ClientConversation: contract.clientConversationSchema,
  ClientItem: contract.clientItemSchema,
  ClientItemList: contract.clientItemListSchema,
  Command: schemas.commandSchema,
  CommandCall: schemas.commandCallSchema,
  Conversation: schemas.conversationSchema,
  CreateTurnRequest: schemas.turnBodySchema,
  Explain: schemas.explainSchema,
  Extension: contract.extensionSchema,
  Failure: schemas.failureSchema,
  LeftOutFile: schemas.leftOutFileSchema,
  Message: schemas.messageSchema,
  Model: contract.modelSchema,
  ModelCall: schemas.modelCallSchema,
  ModelFacts: schemas.modelFactsSchema,
  ModelPrices: schemas.modelPricesSchema,
  NextAction: schemas.nextActionSchema,
  Profile: contract.profileSchema,
  ProfileProblem: schemas.profileProblemSchema,
  ProfileSource: schemas.profileSourceSchema,
  ProfileText: contract.writtenProfileResponseSchema,
  WrittenProfile: contract.writtenProfileSchema,
  PromptConstruction: schemas.promptConstructionSchema,
  PromptDrift: schemas.promptDriftSchema,
  QueuedTurn: schemas.queuedTurnSchema,
  Replay: schemas.replaySchema,
  Heartbeat: schemas.heartbeatSchema,
  HeartbeatWake: schemas.heartbeatWakeSchema,
  Response: contract.responseSchema,
  ResponseStreamEvent: contract.responseStreamEventSchema,
  Schedule: schemas.scheduleSchema,
  ScheduleRun: schemas.scheduleRunSchema,
  SearchResult: schemas.searchResultSchema,
  Skill: schemas.skillSchema,
  Step: schemas.stepSchema,
  StepPrefix: schemas.stepPrefixSchema,
  StepRecord: schemas.stepRecordSchema,
  StepRequest: schemas.stepRequestResponseSchema,
  SwapReport: contract.swapReportSchema,
  SystemPromptVariable: schemas.systemPromptVariableSchema,
  TemplateInForce: schemas.templateInForceSchema,
  TemplateVersion: schemas.templateVersionSchema,
  Usage: schemas.usageSchema,
} as const satisfies Record<string, z.ZodType>;

/** Each member is named after its `type` and this word. */
const namedUnions = {
  TurnEvent: { schema: schemas.turnEventSchema, word: "Event" },
  MessagePart: { schema: schemas.messagePartSchema, word: "Part" },
} as const;

const memberSchema = z.looseObject({
  properties: z.looseObject({ type: z.object({ const: z.string() }).loose() }),
});
const unionSchema = z.object({ oneOf: z.array(memberSchema) });

export class ComponentSchemas {
  readonly #whole = new Map<string, JsonObject>();
  readonly #nameByText = new Map<string, string>();

  constructor() {
    for (const [name, schema] of Object.entries(named)) this.#name(name, toJsonSchema(schema));
    for (const [name, { schema, word }] of Object.entries(namedUnions)) {
      const whole = toJsonSchema(schema);
      const mapping = unionSchema.parse(whole).oneOf.map((member) => {
        const type = member.properties.type.const;
        this.#name(`${inPascalCase(type)}${word}`, member);
        return [type, referenceTo(`${inPascalCase(type)}${word}`).$ref] as const;
      });
      this.#name(name, whole);
      this.#whole.set(name, {
        description: whole["description"],
        oneOf: mapping.map(([, $ref]) => ({ $ref })),
        discriminator: { propertyName: "type", mapping: Object.fromEntries(mapping) },
      });
    }
  }

  /** Schemas that differ at most in descriptions are shared, at any depth. */
  shared(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const name = this.#nameByText.get(withoutDescriptions(value));
    if (name === undefined) return this.#withSharedParts(value);
    const description = "description" in value ? value.description : undefined;
    return description === this.#whole.get(name)?.["description"]
      ? referenceTo(name)
      : { ...referenceTo(name), description };
  }

  all(): JsonObject {
    const entries = [...this.#whole].map(([name, schema]) => [name, this.#withSharedParts(schema)] as const);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  sharedIn(schemas: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.shared(schema)]));
  }

  #name(name: string, schema: JsonObject): void {
    this.#whole.set(name, schema);
    this.#nameByText.set(withoutDescriptions(schema), name);
  }

  #withSharedParts(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.shared(item));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.shared(part)]));
  }
}

function withoutDescriptions(schema: object): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}

export function referenceTo(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function inPascalCase(type: string): string {
  return type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
