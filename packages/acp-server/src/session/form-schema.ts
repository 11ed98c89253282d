import type { ElicitationPropertySchema, ElicitationSchema } from "@agentclientprotocol/sdk/unstable";
import type { QuestionField } from "@incipit/schema";

export function formSchema(fields: readonly QuestionField[]): ElicitationSchema {
  const properties = Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)]));
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return { type: "object", properties, required };
}

const secret = "It looks like a secret: no server should ask for a password or a key this way";

function propertyOf(field: QuestionField): ElicitationPropertySchema {
  const { title, description, looksSecret } = field;
  const described = [description, looksSecret === true ? secret : undefined].filter((text) => text !== undefined);
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(described.length === 0 ? {} : { description: described.join("\n") }),
  };
  switch (field.kind) {
    case "text": {
      const { kind: _, name: __, isRequired: ___, looksSecret: ____, ...rest } = field;
      return { type: "string", ...rest, ...words };
    }
    case "number": {
      const { minimum, maximum, isInteger } = field;
      const bounds = {
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      };
      const suggested = field.default === undefined ? {} : { default: field.default };
      const property = { ...words, ...bounds, ...suggested };
      return isInteger ? { type: "integer", ...property } : { type: "number", ...property };
    }
    case "boolean":
      return {
        type: "boolean",
        ...words,
        ...(field.default === undefined ? {} : { default: field.default }),
      };
    case "choice": {
      const oneOf = field.options.map((option) => ({ const: option.value, title: option.title }));
      const suggested = field.default === undefined ? {} : { default: field.default };
      return { type: "string", ...words, oneOf, ...suggested };
    }
    case "choices": {
      const { minItems, maxItems } = field;
      const anyOf = field.options.map((option) => ({ const: option.value, title: option.title }));
      const bounds = {
        ...(minItems === undefined ? {} : { minItems }),
        ...(maxItems === undefined ? {} : { maxItems }),
      };
      const suggested = field.default === undefined ? {} : { default: field.default };
      return { type: "array", ...words, items: { anyOf }, ...bounds, ...suggested };
    }
  }
}
