import * as z from "zod";
import { packedDocument } from "./packed-document.ts" with { type: "macro" };

const documentSchema = z.looseObject({ openapi: z.string(), info: z.looseObject({}) });
export type OpenApiDocument = z.infer<typeof documentSchema>;

export function openApiDocument(version: string): (origin: string) => OpenApiDocument {
  const json = new TextDecoder().decode(Bun.gunzipSync(Uint8Array.fromBase64(packedDocument())));
  const { info, ...rest } = documentSchema.parse(JSON.parse(json));
  const document = { ...rest, info: { ...info, version } };
  return (origin) => ({ ...document, servers: [{ url: origin, description: "This host" }] });
}
