import { shorten } from "@incipit/common";
import { isTooDeep, tooDeepText, type JsonValue } from "@incipit/kernel";
import * as z from "zod";
import { maxDefinitionBytes, maxListBytes, maxTools } from "./limits.ts";
import { mendedInputSchema } from "./mended-schema.ts";
import { toolName } from "./tool-name.ts";

export interface ListedTool {
  readonly name: string;
  readonly ownName: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, JsonValue>>;
  /** As the server claims; may be wrong. */
  readonly isReadOnly: boolean;
}

export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly problems: readonly string[];
}

const namedSchema = z.looseObject({ name: z.string().min(1) });

const describedSchema = z.looseObject({
  title: z.unknown().optional(),
  description: z.unknown().optional(),
  inputSchema: z.unknown().optional(),
  input_schema: z.unknown().optional(),
});

const lineSchema = z.string().optional().catch(undefined);

const toolSchema = z.looseObject({
  title: lineSchema,
  description: lineSchema,
  inputSchema: z.json().optional(),
  /** Input schema, under the name that some vendors use. */
  input_schema: z.json().optional(),
  annotations: z.looseObject({ readOnlyHint: z.unknown().optional() }).optional().catch(undefined),
});

const argumentsSchema = z.record(z.string(), z.json());

/** Too deep to traverse or keep. */
class DeepDescription {
  readonly name: unknown;

  constructor(name: unknown) {
    this.name = name;
  }
}

export function keptDescription(entry: unknown): unknown {
  return isTooDeep(entry) ? new DeepDescription(namedSchema.safeParse(entry).data?.name) : entry;
}

/** Validates the tools of a server. The first of a name applies; an invalid one does not affect the others. */
export function listedTools(server: string, entries: readonly unknown[]): ListedTools {
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  let sizeBytes = 0;
  const named = entries.flatMap((entry) => {
    const parsed = namedSchema.safeParse(entry);
    return parsed.success ? [{ entry, ownName: parsed.data.name, name: toolName(server, parsed.data.name) }] : [];
  });
  if (named.length < entries.length)
    problems.push(`lists ${entries.length - named.length} tools without a name; they are skipped`);
  const byName = Map.groupBy(named, ({ name }) => name);
  const sorted = [...byName.keys()].toSorted().flatMap((name) => byName.get(name) ?? []);
  for (const { entry, ownName, name } of sorted) {
    if (tools.has(name)) {
      problems.push(`lists more than one tool "${shown(ownName)}"; the first counts`);
      continue;
    }
    const tool = parseTool({ server, name, ownName }, entry);
    if (typeof tool === "string") {
      problems.push(`has a tool "${shown(ownName)}" ${tool}; it is skipped`);
      continue;
    }
    sizeBytes += definitionBytes(tool);
    if (tools.size >= maxTools || sizeBytes > maxListBytes) {
      problems.push(`lists ${named.length} tools; only the first ${tools.size} by name are used`);
      break;
    }
    tools.set(name, tool);
  }
  return { tools: [...tools.values()], problems: shortened(problems) };
}

interface NamedTool {
  readonly server: string;
  readonly name: string;
  readonly ownName: string;
}

function parseTool({ server, name, ownName }: NamedTool, entry: unknown): ListedTool | string {
  if (entry instanceof DeepDescription) return `whose description is ${tooDeepText}`;
  // Before any schema walks it.
  if (describedBytes(entry) > maxDefinitionBytes) return `that is larger than ${maxDefinitionBytes} bytes`;
  const parsed = toolSchema.safeParse(entry);
  if (!parsed.success) return "that is not valid in MCP";
  const { title, description = title, annotations } = parsed.data;
  const mended = mendedInputSchema(parsed.data.inputSchema ?? parsed.data.input_schema);
  const problem = schemaProblem(mended);
  if (problem !== undefined) return `whose inputSchema ${problem}`;
  const inputSchema = argumentsSchema.parse(mended);
  return {
    name,
    ownName,
    description: description === undefined || description.trim() === "" ? `${ownName} of ${server}` : description,
    inputSchema,
    isReadOnly: annotations?.readOnlyHint === true,
  };
}

function describedBytes(entry: unknown): number {
  const { title, description = title, inputSchema, input_schema: other } = describedSchema.parse(entry);
  return Buffer.byteLength(JSON.stringify([description, inputSchema, other]));
}

function definitionBytes({ name, description, inputSchema }: ListedTool): number {
  return Buffer.byteLength(JSON.stringify([name, description, inputSchema]));
}

function shown(name: string): string {
  return shorten(name, 80);
}

const maxProblems = 10;

function shortened(problems: readonly string[]): readonly string[] {
  const left = problems.length - maxProblems;
  return left <= 0 ? problems : [...problems.slice(0, maxProblems), `has ${left} more problems of this kind`];
}

const typeSchema = z.enum(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** Vendors validate this much; an invalid schema would fail every request of an epoch. */
const jsonSchemaSchema: z.ZodType = z.lazy(() => {
  const schema = jsonSchemaSchema;
  const schemas = z.array(schema).min(1);
  const named = z.record(z.string(), schema);
  return z.union([
    z.boolean(),
    z.looseObject({
      type: z.union([typeSchema, z.array(typeSchema).min(1)]).optional(),
      properties: named.optional(),
      patternProperties: named.optional(),
      $defs: named.optional(),
      definitions: named.optional(),
      required: z.array(z.string()).optional(),
      additionalProperties: schema.optional(),
      items: z.union([schema, schemas]).optional(),
      prefixItems: schemas.optional(),
      anyOf: schemas.optional(),
      oneOf: schemas.optional(),
      allOf: schemas.optional(),
      not: schema.optional(),
      enum: z.array(z.unknown()).optional(),
      $ref: z.string().optional(),
      description: z.string().optional(),
      title: z.string().optional(),
      format: z.string().optional(),
    }),
  ]);
});

function schemaProblem(schema: unknown): string | undefined {
  if (!z.looseObject({ type: z.literal("object") }).safeParse(schema).success) return "is not of the type object";
  return jsonSchemaSchema.safeParse(schema).success ? undefined : "is not a JSON Schema";
}
