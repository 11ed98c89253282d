import { shorten } from "@incipit/common";
import {
  ServiceError,
  type ListedResource,
  type ResourceContent,
  type ResourceList,
} from "@incipit/service-contract";
import * as z from "zod";
import { deadlineAround, Late } from "@incipit/common/http";
import { contentTimeoutMs, maxResourceBytes, maxResources } from "./limits.ts";
import type { ServerConnection } from "./server-connection.ts";
import { failureText, MissingResource } from "./server-failure.ts";
import type { ServerPromptsOptions } from "./server-prompts.ts";

const lineSchema = z.string().max(4_000).optional().catch(undefined);
const listedSchema = z.looseObject({
  uri: z.string().min(1).max(4_000),
  name: lineSchema,
  title: lineSchema,
  description: lineSchema,
  mimeType: lineSchema,
});
const templateSchema = listedSchema.omit({ uri: true }).extend({ uriTemplate: z.string().min(1).max(4_000) });

export class ServerResources {
  readonly #options: ServerPromptsOptions;

  constructor(options: ServerPromptsOptions) {
    this.#options = options;
  }

  async list(signal: AbortSignal): Promise<ResourceList> {
    const { resources, templates, isCut, missing } = await this.#asked(
      "did not list its resources",
      signal,
      async (connection, either) => {
        const listed = await connection.list("resources", either);
        const made = await connection.listTemplates(either);
        return {
          resources: listed.entries,
          templates: made.entries,
          isCut: listed.isCut || made.isCut,
          missing: [...listed.problems, ...made.problems],
        };
      },
    );
    const known = [
      ...resources.map((entry) => this.#listed(listedSchema.safeParse(entry).data, false)),
      ...templates.map((entry) => {
        const template = templateSchema.safeParse(entry).data;
        return this.#listed(template === undefined ? undefined : { ...template, uri: template.uriTemplate }, true);
      }),
    ];
    const usable = known.filter((one) => one !== undefined);
    const problems = [
      ...missing,
      ...(usable.length < known.length
        ? [
            `lists ${known.length - usable.length} resources that are not valid in MCP or contain a secret; they are skipped`,
          ]
        : []),
      ...(isCut || usable.length > maxResources
        ? [`lists more resources than are read; the first ${maxResources} are shown`]
        : []),
    ];
    return { resources: usable.slice(0, maxResources), problems: problems.map((problem) => this.#says(problem)) };
  }

  async read(uri: string, signal: AbortSignal): Promise<readonly ResourceContent[]> {
    const read = await this.#asked("did not read the resource", signal, async (connection, either) => {
      try {
        return await connection.readResource(uri, either);
      } catch (error) {
        throw error instanceof MissingResource ? this.#unknown(uri, `: ${failureText(error)}`, error) : error;
      }
    });
    if (read.contents.length === 0) throw this.#unknown(uri, "");
    let sizeBytes = 0;
    const contents = read.contents.map(({ uri: own, mimeType, ...content }): ResourceContent => {
      const mediaType = mediaTypeOf(mimeType);
      const isText = "text" in content;
      sizeBytes += isText ? Buffer.byteLength(content.text) : Math.floor((content.blob.length * 3) / 4);
      if (isText) {
        const text = this.#options.redact(content.text).toWellFormed();
        return { type: "text", uri: this.#options.redact(own), mediaType: mediaType ?? null, text };
      }
      const bytes = Buffer.from(content.blob, "base64");
      const plain = bytes.toString();
      if (this.#options.redact(plain) !== plain)
        throw this.#failed("returned a file that contains one of its secrets");
      return {
        type: "file",
        uri: this.#options.redact(own),
        mediaType: mediaType ?? "application/octet-stream",
        data: bytes.toString("base64"),
      };
    });
    if (sizeBytes > maxResourceBytes)
      throw this.#failed(
        `returned more than ${maxResourceBytes} bytes for ${shown(uri)}; choose a smaller resource`,
      );
    return contents;
  }

  #listed(entry: z.output<typeof listedSchema> | undefined, isTemplate: boolean): ListedResource | undefined {
    if (entry === undefined) return undefined;
    const { uri, name = null, title = name, description = title, mimeType = null } = entry;
    const listed = { uri, isTemplate, description, mediaType: mimeType };
    const text = JSON.stringify(listed);
    return this.#options.redact(text) === text ? listed : undefined;
  }

  async #asked<Answer>(
    undone: string,
    signal: AbortSignal,
    ask: (connection: ServerConnection, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { clock, connected } = this.#options;
    try {
      return await deadlineAround({ clock, timeoutMs: contentTimeoutMs, signal }, (either) =>
        connected((connection) => ask(connection, either), either),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (ServiceError.is(error)) throw error;
      throw this.#failed(
        error instanceof Late ? `${undone} within ${contentTimeoutMs / 1_000} s` : failureText(error),
        error,
      );
    }
  }

  #unknown(uri: string, why: string, cause?: unknown): ServiceError {
    const message = this.#says(`has no resource ${shown(uri)}${why}`);
    return new ServiceError("RESOURCE_UNKNOWN", message, { cause });
  }

  #failed(why: string, cause?: unknown): ServiceError {
    return new ServiceError("TOOL_SERVER_FAILED", this.#says(why), { cause });
  }

  #says(text: string): string {
    return this.#options.redact(`The MCP server "${this.#options.name}" ${text}`);
  }
}

function mediaTypeOf(said: string | undefined): string | undefined {
  const [type = ""] = (said ?? "").toLowerCase().split(";");
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.exec(type.trim())?.[0];
}

function shown(uri: string): string {
  return JSON.stringify(shorten(uri, 200));
}
