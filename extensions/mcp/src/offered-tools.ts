import { defineExtension, type Extension } from "@incipit/kernel";
import {
  maxSegmentTimeoutMs,
  offeredToolServersHandle,
  promptSegmentsPoint,
  toolServersHandle,
  toolSourcesPoint,
} from "@incipit/service-contract";
import type { Offers } from "./offers.ts";

/**
 * A separate extension, since clients may offer any programs and endpoints, while configured ones are granted
 * individually.
 */
const extension: Extension = defineExtension(
  {
    id: "offered-tools",
    version: "0.1.0",
    api: "^1",
    capabilities: { spawn: true, net: true },
    dependsOn: { optional: ["tool-servers@1"] },
    provides: ["offered-tool-servers@1"],
    contributes: ["prompt-segments@1", "tool-sources@1"],
  },
  (host) => {
    const configured = host.getService(toolServersHandle);
    let offers: Promise<Offers> | undefined;
    const load = (): Promise<Offers> =>
      (offers ??= import("./offers.ts").then((loaded) => {
        const opened = new loaded.Offers({ host, configured: () => configured.current });
        // Added with the first offer, so that other prompts have no empty segment.
        host.contribute(promptSegmentsPoint, {
          id: "mcp-offered",
          order: 111,
          timeoutMs: maxSegmentTimeoutMs,
          text: (context) => opened.instructions(context),
        });
        return opened;
      }));
    host.defer("offered servers", async () => (await offers)?.close());
    host.provideService(offeredToolServersHandle, {
      async *offer(conversationId, servers, options) {
        yield* (await load()).offer(conversationId, servers, options);
      },
      list: async (conversationId) => (await offers)?.list(conversationId) ?? [],
    });
    host.contribute(toolSourcesPoint, {
      id: "offered",
      tools: async (asked) =>
        offers === undefined && asked.call === undefined
          ? { tools: [], problems: [] }
          : (await load()).tools(asked),
    });
  },
);

export default extension;
