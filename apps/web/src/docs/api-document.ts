import * as z from "zod";

/** A schema of the API document, which is parsed when it is drawn. */
const nodeSchema = z.record(z.string(), z.unknown());
export type SchemaNode = z.infer<typeof nodeSchema>;
export type Schemas = Readonly<Record<string, SchemaNode>>;

const mediaSchema = z.object({ schema: nodeSchema.default({}), example: z.unknown().optional() });
export type Media = z.infer<typeof mediaSchema>;

const contentSchema = z.record(z.string(), mediaSchema).default({});

const answerSchema = z.object({ description: z.string().default(""), content: contentSchema });
export type Answer = z.infer<typeof answerSchema>;

const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  description: z.string().default(""),
  required: z.boolean().default(false),
  schema: nodeSchema.default({}),
});
export type Parameter = z.infer<typeof parameterSchema>;

const referenceSchema = z.object({ $ref: z.string() });

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string().default(""),
  description: z.string().default(""),
  tags: z.array(z.string()).default([]),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.union([referenceSchema, answerSchema])),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
});

const documentSchema = z.object({
  info: z.object({ version: z.string(), description: z.string().default("") }),
  servers: z.array(z.object({ url: z.string() })).default([]),
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })).default([]),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), nodeSchema),
    responses: z.record(z.string(), answerSchema),
  }),
});

export interface Operation extends z.infer<typeof operationSchema> {
  readonly method: string;
  readonly path: string;
}

export interface ApiDocument extends Omit<z.infer<typeof documentSchema>, "paths"> {
  readonly operations: readonly Operation[];
}

/** @throws for other documents. */
export function readDocument(document: unknown): ApiDocument {
  const { paths, ...rest } = documentSchema.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return { ...rest, operations };
}

export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

export function eventTypes({ components }: ApiDocument): readonly (readonly [type: string, name: string])[] {
  const union = z
    .object({ discriminator: z.object({ mapping: z.record(z.string(), z.string()) }) })
    .safeParse(components.schemas["TurnEvent"]);
  return Object.entries(union.data?.discriminator.mapping ?? {}).map(([type, reference]) => [
    type,
    nameOf(reference),
  ]);
}
