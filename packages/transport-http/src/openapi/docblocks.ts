/** Runs only when the document is generated: makes docblocks of schemas and routes readable at run time. */
import { parseSync, Visitor, type Comment } from "oxc-parser";
import * as z from "zod";

const sources = /[\\/]packages[\\/](?:schema|transport-contract)[\\/]src[\\/].*(?<!\.test|lazy-schema)\.ts$/;

/** Affects only modules of `schema` and `transport-contract` that are loaded later. */
export function loadDocblocks(): void {
  Bun.plugin({
    name: "docblocks",
    setup(build) {
      build.onLoad({ filter: sources }, async ({ path }) => ({
        contents: withDescriptions(path, await Bun.file(path).text()),
        loader: "ts",
      }));
    },
  });
}

/**
 * Wraps each schema and route that has a docblock into `describeValue`; inside the function of `lazySchema`, so that it
 * stays lazy.
 */
export function withDescriptions(path: string, source: string): string {
  const { program, comments } = parseSync(path, source);
  const edits: { readonly at: number; readonly text: string }[] = [];
  const describe = (owner: Range, value: Range): void => {
    const text = docblockBefore(owner.start, source, comments);
    if (text === undefined) return;
    edits.push({ at: value.start, text: "describeValue(" });
    edits.push({ at: value.end, text: `, ${JSON.stringify(text)})` });
  };
  new Visitor({
    ObjectExpression({ properties }) {
      for (const property of properties)
        if (property.type === "Property" && !property.shorthand) describe(property, property.value);
    },
    ArrayExpression({ elements }) {
      for (const element of elements) if (element !== null) describe(element, element);
    },
    Program({ body }) {
      for (const statement of body) {
        const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
        const value = declaration?.type === "VariableDeclaration" ? declaration.declarations[0]?.init : undefined;
        if (value === undefined || value === null) continue;
        const [made] = value.type === "CallExpression" ? value.arguments : [];
        describe(statement, made?.type === "ArrowFunctionExpression" && made.expression ? made.body : value);
      }
    },
  }).visit(program);
  const described = edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
  return `import { describeValue } from ${JSON.stringify(import.meta.path)};\n${described}`;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The docblock must end right before the position; its tags are dropped. */
function docblockBefore(position: number, source: string, comments: readonly Comment[]): string | undefined {
  const comment = comments.findLast(({ end }) => end <= position);
  if (comment?.value.startsWith("*") !== true || source.slice(comment.end, position).trim() !== "")
    return undefined;
  const [text = ""] = comment.value
    .slice(1)
    .replaceAll(/\s*\n\s*\*?[ \t]*/g, " ")
    .split(/(?:^|\s)@/);
  return text.trim();
}

export function describeValue(value: unknown, description: string): unknown {
  if (value instanceof z.ZodType) return value.describe(description);
  return routeSchema.safeParse(value).success ? { ...Object(value), description } : value;
}

const routeSchema = z.object({ method: z.string(), path: z.string() });
