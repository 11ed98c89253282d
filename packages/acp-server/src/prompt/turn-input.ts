import { RequestError, type ContentBlock, type EmbeddedResourceResource } from "@agentclientprotocol/sdk/unstable";
import { filenamePattern, type CreateTurnRequest } from "@incipit/schema";
import { relative, isAbsolute, basename } from "node:path";
import { fileURLToPath } from "node:url";

type InputPart = Exclude<CreateTurnRequest["input"], string>[number];

/**
 * In order. Embedded content keeps its name; a link becomes its name, which the model can read with its tools. @throws
 * {RequestError} for an empty prompt.
 */
export function turnInput(
  blocks: readonly ContentBlock[],
  { cwd }: { readonly cwd: string },
): CreateTurnRequest["input"] {
  const parts = blocks.flatMap((block) => partOf(block, cwd));
  const [first] = parts;
  if (first === undefined)
    throw RequestError.invalidParams({ prompt: "empty" }, "the prompt has nothing but white space");
  return parts.length === 1 && first.type === "text" ? first.text : parts;
}

function partOf(block: ContentBlock, cwd: string): readonly InputPart[] {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
    case "image":
    case "audio": {
      const { data, mimeType } = block;
      const name = "uri" in block && typeof block.uri === "string" ? nameOf(block.uri) : undefined;
      return [filePart({ data, mediaType: mimeType, name })];
    }
    case "resource":
      return [resourcePart(block.resource, cwd)];
    case "resource_link":
      return [{ type: "text", text: `[${block.title ?? block.name}](${placeOf(block.uri, cwd)})` }];
  }
}

function resourcePart(resource: EmbeddedResourceResource, cwd: string): InputPart {
  const { uri, mimeType } = resource;
  if ("blob" in resource) {
    const mediaType = mimeType ?? "application/octet-stream";
    return filePart({ data: resource.blob, mediaType, name: nameOf(uri) });
  }
  const place = placeOf(uri, cwd).replaceAll('"', "%22");
  return { type: "text", text: `<resource uri="${place}">\n${resource.text}\n</resource>` };
}

function filePart({
  data,
  mediaType,
  name,
}: {
  readonly data: string;
  readonly mediaType: string;
  readonly name: string | undefined;
}): InputPart {
  const [type = ""] = mediaType.toLowerCase().split(";");
  return { type: "file", mediaType: type.trim(), data, ...(name === undefined ? {} : { filename: name }) };
}

/** As the tools accept it: relative for a file in the working folder. */
function placeOf(uri: string, cwd: string): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const inside = relative(cwd, path);
  const place = inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
  const hash = uri.indexOf("#"); // Editors put line numbers into the fragment.
  return hash === -1 ? place : place + uri.slice(hash);
}

/** `undefined` if the host rejects the name. */
function nameOf(uri: string): string | undefined {
  const name = basename(pathOf(uri) ?? uri.split(/[?#]/)[0] ?? "");
  return filenamePattern.test(name) ? name : undefined;
}

/** `undefined` for URIs other than local files. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
