import * as z from "zod";
import { nameOf, type SchemaNode } from "./api-document.ts";

const nodeSchema = z.record(z.string(), z.unknown());
const shapeSchema = z.object({
  $ref: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  oneOf: z.array(nodeSchema).optional(),
  anyOf: z.array(nodeSchema).optional(),
  allOf: z.array(nodeSchema).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  items: nodeSchema.optional(),
  properties: z.record(z.string(), nodeSchema).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.union([z.boolean(), nodeSchema]).optional(),
  format: z.string().optional(),
  default: z.json().optional(),
  description: z.string().optional(),
});

/** Longer objects and unions are broken into lines. */
const longestLine = 70;

export function typeText(node: SchemaNode, depth = 0): string {
  const members = membersOf(node, depth);
  const line = members.join(" | ");
  if (line.length <= longestLine || members.some((member) => member.includes("\n"))) return line;
  return members.map((member) => `\n${"  ".repeat(depth + 1)}| ${member}`).join("");
}

function membersOf(node: SchemaNode, depth: number): readonly string[] {
  const shape = shapeSchema.parse(node);
  if (shape.$ref !== undefined) return [nameOf(shape.$ref)];
  if (shape.const !== undefined) return [JSON.stringify(shape.const)];
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value));
  const members = shape.oneOf ?? shape.anyOf;
  if (members !== undefined) return members.flatMap((member) => membersOf(member, depth));
  if (shape.allOf !== undefined) return [shape.allOf.map((member) => typeText(member, depth)).join(" & ")];
  if (Array.isArray(shape.type)) return shape.type.flatMap((type) => membersOf({ ...node, type }, depth));
  switch (shape.type) {
    case "integer":
      return ["number"];
    case "array":
      return [`${inBrackets(membersOf(shape.items ?? {}, depth))}[]`];
    case "object":
      return [objectText(shape, depth)];
    default:
      return [shape.type ?? "unknown"];
  }
}

function inBrackets(members: readonly string[]): string {
  const line = members.join(" | ");
  return members.length > 1 || line.includes(" & ") ? `(${line})` : line;
}

export function namesIn(node: unknown): readonly string[] {
  const found = [...JSON.stringify(node).matchAll(/"\$ref":"[^"]*\/(\w+)"/g)].map(([, name = ""]) => name);
  return [...new Set(found)];
}

function objectText(
  { properties = {}, required, additionalProperties }: z.infer<typeof shapeSchema>,
  depth: number,
): string {
  const indent = "  ".repeat(depth + 1);
  const fields = Object.entries(properties).map(([name, node]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const type = typeText(node, depth + 1);
    const space = type.startsWith("\n") ? "" : " ";
    const text = `${key}${required.includes(name) ? "" : "?"}:${space}${type};`;
    return { text, note: noteOf(node), comment: commentOf(node) };
  });
  if (fields.length === 0)
    return typeof additionalProperties === "object"
      ? `Record<string, ${typeText(additionalProperties, depth)}>`
      : "{}";
  const line = `{ ${fields.map(({ text }) => text.replace(/;$/, "")).join("; ")} }`;
  if (
    line.length <= longestLine &&
    !line.includes("\n") &&
    depth > 0 &&
    fields.every(({ note, comment }) => note === "" && comment.length === 0)
  )
    return line;
  const lines = fields.flatMap(({ text, note, comment }) => [...comment, `${text}${note}`]);
  return `{\n${lines.map((one) => `${indent}${one}`).join("\n")}\n${"  ".repeat(depth)}}`;
}

function commentOf(node: SchemaNode): readonly string[] {
  const { description = "" } = shapeSchema.parse(node);
  const words = description.replaceAll("`", "").split(" ");
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= longestLine) lines[lines.length - 1] = `${line} ${word}`;
    else if (word !== "") lines.push(`// ${word}`);
  }
  return lines;
}

function noteOf(node: SchemaNode): string {
  const { format, default: absent } = shapeSchema.parse(node);
  const notes = [format, absent === undefined ? undefined : `absent: ${JSON.stringify(absent)}`];
  const known = notes.filter((note) => note !== undefined);
  return known.length === 0 ? "" : ` // ${known.join(", ")}`;
}
