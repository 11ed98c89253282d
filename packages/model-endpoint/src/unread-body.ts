import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { parsedJson } from "./json-object.ts";

/** In UTF-16 units. */
const maxLength = 400;

const textSchema = z.string().regex(/\S/);
/** xAI, Mistral, FastAPI and Gemini's list; the first match applies. */
const saidSchema = lazySchema(() =>
  z.union([
    z.object({ error: textSchema }).transform(({ error }) => error),
    z.object({ message: textSchema }).transform(({ message }) => message),
    z.object({ detail: textSchema }).transform(({ detail }) => detail),
    z.object({ error: z.object({ message: textSchema }) }).transform(({ error }) => error.message),
    z.tuple([z.object({ error: z.object({ message: textSchema }) })]).transform(([{ error }]) => error.message),
  ]),
);

/** Returns the truncated body for an unknown format; `undefined` for an empty body or HTML. */
export function unreadBody(body: string): string | undefined {
  const text = body.trim();
  if (text === "" || text.startsWith("<")) return undefined;
  const said = saidSchema.safeParse(parsedJson(text)).data?.trim() ?? text;
  return said.length <= maxLength ? said : `${said.slice(0, maxLength).toWellFormed()}…`;
}
