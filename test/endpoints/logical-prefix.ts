import * as z from "zod";

const contentSchema = z.union([z.string(), z.array(z.unknown())]).nullish();
const messageSchema = z.looseObject({ content: contentSchema, parts: z.array(z.unknown()).optional() });
const bodySchema = z.looseObject({
  tools: z.unknown().optional(),
  instructions: z.unknown().optional(),
  system: z.unknown().optional(),
  systemInstruction: z.unknown().optional(),
  messages: z.array(messageSchema).optional(),
  input: z.array(messageSchema).optional(),
  contents: z.array(messageSchema).optional(),
});

export function isPrefix(before: string, after: string): boolean {
  const [first, second] = [partsOf(before), partsOf(after)];
  return first.every((part, index) => part === second[index]);
}

export function prefixDifference(before: string, after: string): string {
  const [first, second] = [partsOf(before), partsOf(after)];
  const index = first.findIndex((part, place) => part !== second[place]);
  return `part ${index} of ${first.length}, ${second.length}: ${first[index]?.slice(0, 1_000)} to ${second[index]?.slice(0, 1_000)}`;
}

function partsOf(body: string): readonly string[] {
  const { tools, instructions, system, systemInstruction, messages, input, contents } = bodySchema.parse(
    JSON.parse(body, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
  );
  const said = [...(messages ?? []), ...(input ?? []), ...(contents ?? [])];
  return [
    JSON.stringify([tools, instructions, system, systemInstruction]),
    ...said.flatMap(({ content, parts, ...rest }) => {
      const list = parts ?? (typeof content === "string" ? [{ type: "text", text: content }] : (content ?? [null]));
      return list.map((part) => JSON.stringify([rest, part]));
    }),
  ];
}
