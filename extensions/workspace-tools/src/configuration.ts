import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";
import { workspaceToolNames } from "./tool-names.ts";

export const configuration = defineConfiguration({
  tables: () => ({
    tools: { workspace: z.boolean().default(false) },
  }),
  isWanted: ({ tools }) => tools.workspace,
  reserves: () => workspaceToolNames.map((name) => ({ point: "tools@1", name, whose: "a tool of the host's own" })),
});
