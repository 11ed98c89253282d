import { routes, type Client } from "@incipit/transport-contract";
import { resolve } from "node:path";
import { UsageError, type Arguments } from "./arguments.ts";
import type { Output } from "./ask.ts";

/** `prompt show|set|preview`. */
export async function prompt(client: Client, args: Arguments, { out, err }: Output): Promise<number> {
  const [, action = "show", text] = args.words;
  switch (action) {
    case "show": {
      const { template, source } = await client.call(routes.getSystemPrompt);
      out(args.isJson ? `${JSON.stringify({ template, source })}\n` : `${template}\n`);
      if (!args.isJson) err(`(${source})\n`);
      return 0;
    }
    case "set": {
      if (text === undefined)
        throw new UsageError(
          'What should the template be? Write: incipit prompt set "TEXT", or "-" for standard input',
        );
      const template = text === "-" ? await new Response(Bun.stdin.stream()).text() : text;
      await client.call(routes.setSystemPrompt, { body: { template } });
      err("Stored. New conversations use it; others after they were compacted.\n");
      return 0;
    }
    case "preview": {
      const body = {
        cwd: resolve(args.cwd ?? process.cwd()),
        ...(args.model === undefined ? {} : { model: args.model }),
        ...(args.profile === undefined ? {} : { profile: args.profile }),
      };
      const { systemPrompt, explain } = await client.call(routes.previewSystemPrompt, { body });
      out(args.isJson ? `${JSON.stringify({ systemPrompt, explain })}\n` : `${systemPrompt}\n`);
      if (args.isJson) return 0;
      for (const { type, name, reason } of explain.variables)
        if (reason !== null) err(`[${type}:${name}] is blank: ${reason}\n`);
      err(`(${explain.sizeBytes} bytes, about ${explain.estimatedTokens} tokens, SHA-256 ${explain.sha256})\n`);
      return 0;
    }
    default:
      throw new UsageError(`There is no "prompt ${action}"; there are show, set and preview`);
  }
}
