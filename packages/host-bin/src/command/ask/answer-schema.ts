import { errorMessage, findJsonFault, fittingJson, parseJson } from "@incipit/kernel";
import { decodeText, type TurnBody } from "@incipit/schema";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { UsageError } from "../registry/usage-error.ts";

const objectSchema = z.record(z.string(), z.json());

/** @throws {UsageError} before anything is sent. */
export async function answerSchema(path: string | undefined): Promise<TurnBody["schema"]> {
  if (path === undefined) return undefined;
  const file = resolve(path);
  const refuse = (why: string): never => {
    throw new UsageError(`Cannot use "${file}" as --schema: ${why}`);
  };
  if (!existsSync(file)) refuse("there is no such file");
  const bytes = await readFile(file).catch((error: unknown) => refuse(errorMessage(error)));
  const text =
    decodeText(bytes)?.text ?? refuse("it is not UTF-8 text, and its encoding is not recognized; save it as UTF-8");
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const fault = findJsonFault(text);
    const place = fault === undefined ? "" : ` from line ${fault.line}, column ${fault.column} on`;
    refuse(`it is not JSON${place}: ${errorMessage(error)}`);
  }
  const { data: schema } = objectSchema.safeParse(value);
  if (schema === undefined) return refuse('it has to be a JSON object, such as { "type": "object" }');
  try {
    fittingJson(schema);
  } catch (error) {
    refuse(errorMessage(error).replace(/^Cannot use "schema": /, ""));
  }
  return schema;
}

/** Extracts the JSON of an answer, around which some models add a code fence. */
export function jsonOf(text: string, schema: NonNullable<TurnBody["schema"]>): string {
  const fit = fittingJson(schema)(text);
  return fit.kind === "fits" ? fit.text : text.trim();
}
