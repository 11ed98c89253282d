import { geminiRequestSchema, type GeminiPart, type GeminiRequest } from "./gemini-request.ts";
import { requestIssues } from "../wire/request-issues.ts";
import { isBlank, parseRequestJson, toolNameProblems } from "../wire/request-json.ts";

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
const contentFields = ["text", "inlineData", "fileData", "functionCall", "functionResponse"] as const;
type Content = GeminiRequest["contents"][number];

/**
 * Violations in a `generateContent` call:
 * - Shapes, roles, names: https://ai.google.dev/api/caching#Content,
 *   https://ai.google.dev/api/caching#FunctionDeclaration
 * - A turn with calls follows a user turn or results, and the next turn has exactly one result per call, with the same
 *   name and id: https://ai.google.dev/gemini-api/docs/function-calling
 * - The first and the last turn are the user's (or results), and no part is empty:
 *   https://ai.google.dev/gemini-api/docs/troubleshooting
 * - Tools are sorted by name and unique, since they come first in the cache.
 */
export function geminiRequestProblems(body: string): readonly string[] {
  const json = parseRequestJson(body);
  if (json === undefined) return ["the body is no JSON"];
  const parsed = geminiRequestSchema.safeParse(json.value);
  if (!parsed.success) return requestIssues(parsed.error);
  const { contents, systemInstruction, tools = [] } = parsed.data;
  const declarations = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
  return [
    ...(json.isWellFormed ? [] : ["a text has half a surrogate pair"]),
    ...toolNameProblems(
      declarations.map(({ name }) => name),
      namePattern,
    ),
    ...(systemInstruction?.parts.some(({ text }) => isBlank(text)) === true
      ? ["systemInstruction: a text is empty"]
      : []),
    ...(contents[0]?.role === "user" ? [] : ["contents.0: it is not the user's"]),
    ...(contents.at(-1)?.role === "user" ? [] : [`contents.${contents.length - 1}: the last is not the user's`]),
    ...contents.flatMap(({ role, parts }, index) =>
      parts.flatMap((part, place) =>
        partProblems(part, role).map((problem) => `contents.${index}.parts.${place}: ${problem}`),
      ),
    ),
    ...callProblems(contents),
  ];
}

function partProblems(part: GeminiPart, role: Content["role"]): readonly string[] {
  const fields = contentFields.filter((field) => part[field] !== undefined);
  return [
    ...(fields.length === 1 ? [] : [`it has ${fields.length} contents, not one`]),
    // A separate signature comes, and is returned, with an empty text.
    ...(isBlank(part.text) && part.thoughtSignature === undefined ? ["the text is empty"] : []),
    ...(part.functionCall !== undefined && role !== "model" ? ["a call is not the model's"] : []),
    ...(part.functionResponse !== undefined && role !== "user" ? ["a result is not the user's"] : []),
  ];
}

function callProblems(contents: readonly Content[]): readonly string[] {
  const problems: string[] = [];
  let open: readonly { readonly id?: string | undefined; readonly name: string }[] = [];
  for (const [index, { role, parts }] of contents.entries()) {
    const place = `contents.${index}`;
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (results.length !== open.length)
      problems.push(`${place}: there are ${results.length} results for ${open.length} calls`);
    if (results.length > 0 && results.length < parts.length) problems.push(`${place}: not all parts are results`);
    for (const result of results)
      if (!open.some(({ id, name }) => id === result.id && name === result.name))
        problems.push(`${place}: the result "${result.id ?? ""}" of "${result.name}" has no call before it`);
    if (calls.length > 0 && role === "model" && contents[index - 1]?.role !== "user")
      problems.push(`${place}: calls follow a turn that is not the user's`);
    if (new Set(calls.map(({ id }) => id)).size < calls.filter(({ id }) => id !== undefined).length)
      problems.push(`${place}: two calls have one id`);
    for (const { name } of [...calls, ...results])
      if (!namePattern.test(name)) problems.push(`${place}: "${name}" is no name of a tool`);
    open = calls;
  }
  if (open.length > 0) problems.push(`the end: ${open.length} calls have no result`);
  return problems;
}
