import { operationKind, type Operation } from "./compiled-template.ts";

const colon = 0x3a;
const slash = 0x2f;
const exclamationMark = 0x21;

const endif: Operation = Object.freeze(operationOf(operationKind.endif, ""));

export function readTag(template: string, from: number, to: number): Operation | undefined {
  let start = from;
  let end = to;
  while (start < end && isWhiteSpace(template.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(template.charCodeAt(end - 1))) end--;

  const typeEnd = skipType(template, start, end);
  if (isVariable(template, start, typeEnd, end))
    return operationOf(operationKind.insert, template.slice(start, end));
  if (typeEnd === end) {
    if (end - start === 5 && template.startsWith("endif", start)) return endif;
    if (end - start === 4 && template.startsWith("else", start)) return operationOf(operationKind.else, "");
    return undefined;
  }
  if (typeEnd - start !== 2 || !template.startsWith("if", start)) return undefined;

  let variable = typeEnd;
  while (variable < end && isWhiteSpace(template.charCodeAt(variable))) variable++;
  if (variable === typeEnd) return undefined;
  const isNegated = template.charCodeAt(variable) === exclamationMark;
  if (isNegated) variable++;
  if (!isVariable(template, variable, skipType(template, variable, end), end)) return undefined;
  return operationOf(isNegated ? operationKind.ifAbsent : operationKind.ifValue, template.slice(variable, end));
}

/** Exactly the UTF-16 units that `String.prototype.trim` removes. */
export function isWhiteSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0xa0) return false;
  if (code >= 0x2000 && code <= 0x200a) return true;
  switch (code) {
    case 0x00a0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
    case 0xfeff:
      return true;
    default:
      return false;
  }
}

function isTypeCharacter(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  if (code >= 0x41) return code <= 0x5a || code === 0x5f;
  return code >= 0x30 && code <= 0x39;
}

function skipType(template: string, start: number, end: number): number {
  let at = start;
  while (at < end && isTypeCharacter(template.charCodeAt(at))) at++;
  return at;
}

/** The type ends at `typeEnd`. A name that begins with `//` is a URL. */
function isVariable(template: string, start: number, typeEnd: number, end: number): boolean {
  const name = typeEnd + 1;
  if (typeEnd === start || name >= end || template.charCodeAt(typeEnd) !== colon) return false;
  return name + 1 >= end || template.charCodeAt(name) !== slash || template.charCodeAt(name + 1) !== slash;
}

function operationOf(kind: Operation["kind"], text: string): Operation {
  return { kind, before: "", text, start: 0, end: 0, jump: 0 };
}
