import { CompiledTemplate, operationKind, type Operation } from "./template/compiled-template.ts";
import { readTag } from "./template/tag.ts";
import type { Brackets, TemplateTag } from "./template/template-tag.ts";

const openingBracket = 0x5b;
const closingBracket = 0x5d;
const backslash = 0x5c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface Placed {
  readonly operation: Operation;
  readonly start: number;
  readonly end: number;
  readonly tag: TemplateTag | undefined;
}

interface OpenConditional extends Placed {
  otherwise: Placed | undefined;
}

/**
 * Renders a template: `[type:name]` becomes its value, `[if]` blocks keep one branch, everything else is text.
 *
 * - Any string is a valid template, including lone surrogates; never throws.
 * - A value is inserted once, verbatim, and not parsed as a template. An absent value (`null`, or not in the map)
 *   is blank.
 * - Linear in template and output size; no recursion, so nesting is unlimited.
 */
export function parseTemplate(template: string, resolvedVars: ReadonlyMap<string, string | null>): string {
  return compileTemplate(template).render(resolvedVars);
}

/** Returns the variables of a template as `type:name`, each once, in order of first use, including conditions. */
export function referencedVariables(template: string): readonly string[] {
  return compileTemplate(template).variables();
}

/** Parses in one pass for any number of renderings. Fills `brackets` with all bracketed text. */
export function compileTemplate(template: string, brackets?: Brackets): CompiledTemplate {
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
    if (close === length) {
      brackets?.open.push({ start: at, end: close });
      break;
    }
    if (code !== closingBracket) {
      if (close > at + 1) brackets?.open.push({ start: at, end: close });
      at = code === openingBracket ? close : template.indexOf("[", close); // Ensures that no unit is scanned twice.
      continue;
    }

    const end = close + 1;
    const operation = readTag(template, at + 1, close);
    if (operation === undefined) brackets?.text.push({ start: at, end });
    else {
      const tag = brackets === undefined ? undefined : tagOf(operation, { start: at, end });
      if (tag !== undefined) brackets?.tags.push(tag);
      const innermost = open.at(-1);
      if (operation.kind === operationKind.endif) {
        if (innermost !== undefined) {
          if (at > textStart) operations.push(literal(template, textStart, at));
          textStart = end;
          (innermost.otherwise ?? innermost).operation.jump = operations.length;
          open.pop();
        } else if (tag !== undefined) tag.role = "stray-endif";
      } else if (operation.kind === operationKind.else) {
        if (innermost !== undefined && innermost.otherwise === undefined) {
          place(operation, template, { textStart, at, end });
          textStart = end;
          operations.push(operation);
          innermost.operation.jump = operations.length;
          innermost.otherwise = { operation, start: at, end, tag };
        } else if (tag !== undefined) tag.role = innermost === undefined ? "stray-else" : "second-else";
      } else {
        place(operation, template, { textStart, at, end });
        textStart = end;
        operations.push(operation);
        if (operation.kind !== operationKind.insert)
          open.push({ operation, start: at, end, tag, otherwise: undefined });
      }
    }
    at = template.indexOf("[", end);
  }
  if (textStart < length) operations.push(literal(template, textStart, length));

  // An `[endif]` closes the innermost block, so the remaining open blocks are not nested, and their tags are text.
  for (const conditional of open) {
    becomeLiteral(conditional, template);
    if (conditional.tag !== undefined) conditional.tag.role = "unclosed-if";
    if (conditional.otherwise === undefined) continue;
    becomeLiteral(conditional.otherwise, template);
    if (conditional.otherwise.tag !== undefined) conditional.otherwise.tag.role = "unclosed-else";
  }
  return new CompiledTemplate(operations);
}

function tagOf(
  { kind, text }: Operation,
  { start, end }: { readonly start: number; readonly end: number },
): TemplateTag {
  const isNegated = kind === operationKind.ifAbsent;
  const isInsert = kind === operationKind.insert;
  if (isInsert) return { role: "insert", start, end, variable: text, isNegated };
  if (kind === operationKind.else) return { role: "else", start, end, variable: "", isNegated };
  if (kind === operationKind.endif) return { role: "endif", start, end, variable: "", isNegated };
  return { role: "if", start, end, variable: text, isNegated };
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
