import { fittingJson } from "@incipit/kernel";
import type { MessagePart, ModelSettings } from "@incipit/schema";
import { StepFailure } from "../failures/step-failure.ts";
import type { TurnRequest } from "../store/stored.ts";

type AnswerSchema = NonNullable<TurnRequest["schema"]>;

/** Vendors with structured output enforce the schema. */
export function withSchema(settings: ModelSettings | undefined, schema: AnswerSchema): ModelSettings {
  return { ...settings, responseFormat: { type: "json", name: "answer", schema } };
}

export class SchemaAnswer {
  readonly #schema: AnswerSchema;
  #wasAsked = false;

  constructor(schema: AnswerSchema) {
    this.#schema = schema;
  }

  /**
   * Returns the correction request, or `undefined` for a valid reply.
   *
   * @throws {StepFailure} `ANSWER_UNFIT` for the second invalid reply.
   */
  problemOf(parts: readonly MessagePart[]): string | undefined {
    const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const fit = fittingJson(this.#schema)(said);
    if (fit.kind === "fits") return undefined;
    if (this.#wasAsked) {
      const message = `The model was asked twice for JSON that fits the schema, and its answer does not: ${fit.problem}`;
      throw new StepFailure({ code: "ANSWER_UNFIT", message, isRetryable: false });
    }
    this.#wasAsked = true;
    return `Your answer does not fit: ${fit.problem}\n\nAnswer again, with nothing but one JSON value that fits this JSON Schema:\n${JSON.stringify(this.#schema)}`;
  }
}
