import { CompiledTemplate, operationKind, type Operation } from "./compiled-template.ts";
import { readTag } from "./tag.ts";

const openingBracket = 0x5b;
const closingBracket = 0x5d;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface Placed {
  readonly operation: Operation;
  /** Where its tag stands in the template, for when it turns out to be text. */
  readonly start: number;
  readonly end: number;
}

/** An `[if]` whose `[endif]` has not been read. */
interface OpenConditional extends Placed {
  otherwise: Placed | undefined;
}

/**
 * Renders a template: `[type:name]` becomes its value, `[if]` blocks keep one branch, everything else is text.
 *
 * - Any string is a valid template, lone surrogates too; it never throws.
 * - A value is inserted once, as it is, and never read as a template. Absent (`null`, or not in the map): blank.
 * - Time grows as template plus output do; no recursion, so nesting has no limit.
 */
export function parseTemplate(template: string, resolvedVars: ReadonlyMap<string, string | null>): string {
  return compileTemplate(template).render(resolvedVars);
}

/** The variables of a template as `type:name`, each once, in the order in which they are first named, conditions too. */
export function referencedVariables(template: string): readonly string[] {
  return compileTemplate(template).variables();
}

/** Reads a template in one pass, for any number of renderings. */
export function compileTemplate(template: string): CompiledTemplate {
  const operations: Operation[] = [];
  const open: OpenConditional[] = [];
  const { length } = template;
  let textStart = 0;
  let at = template.indexOf("[");

  while (at !== -1) {
    if (at > 0 && template.charCodeAt(at - 1) === backslash) {
      operations.push(literal(template, textStart, at - 1));
      textStart = at;
      at = template.indexOf("[", at + 1);
      continue;
    }

    let close = at + 1;
    let code = lineFeed;
    for (; close < length; close++) {
      code = template.charCodeAt(close);
      if (code === closingBracket || code === openingBracket || code === lineFeed || code === carriageReturn) break;
    }
    if (close === length) break;
    if (code !== closingBracket) {
      at = code === openingBracket ? close : template.indexOf("[", close); // No unit is looked at twice.
      continue;
    }

    const end = close + 1;
    const operation = readTag(template, at + 1, close);
    if (operation !== undefined) {
      const innermost = open.at(-1);
      if (operation.kind === operationKind.endif) {
        if (innermost !== undefined) {
          if (at > textStart) operations.push(literal(template, textStart, at));
          textStart = end;
          (innermost.otherwise ?? innermost).operation.jump = operations.length;
          open.pop();
        }
      } else if (operation.kind === operationKind.else) {
        if (innermost !== undefined && innermost.otherwise === undefined) {
          place(operation, template, { textStart, at, end });
          textStart = end;
          operations.push(operation);
          innermost.operation.jump = operations.length;
          innermost.otherwise = { operation, start: at, end };
        }
      } else {
        place(operation, template, { textStart, at, end });
        textStart = end;
        operations.push(operation);
        if (operation.kind !== operationKind.insert) open.push({ operation, start: at, end, otherwise: undefined });
      }
    }
    at = template.indexOf("[", end);
  }
  if (textStart < length) operations.push(literal(template, textStart, length));

  // An `[endif]` ends the innermost block, so what is open here is in no other block, and its tags are text.
  for (const conditional of open) {
    becomeLiteral(conditional, template);
    if (conditional.otherwise !== undefined) becomeLiteral(conditional.otherwise, template);
  }
  return new CompiledTemplate(operations);
}

function literal(template: string, start: number, end: number): Operation {
  return { kind: operationKind.literal, before: template.slice(start, end), text: "", start, end, jump: 0 };
}

function place(
  operation: Operation,
  template: string,
  { textStart, at, end }: { readonly textStart: number; readonly at: number; readonly end: number },
): void {
  operation.before = template.slice(textStart, at);
  operation.start = textStart;
  operation.end = end;
}

function becomeLiteral({ operation, start, end }: Placed, template: string): void {
  operation.kind = operationKind.literal;
  operation.text = template.slice(start, end);
}
