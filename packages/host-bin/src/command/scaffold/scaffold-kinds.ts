import { channelScaffold } from "./channel.ts";
import { providerScaffold } from "./provider.ts";
import type { ScaffoldKind } from "./scaffold-kind.ts";
import { storageScaffold } from "./storage.ts";
import { toolScaffold } from "./tool.ts";
import { variableScaffold } from "./variable.ts";

export const scaffoldKinds = {
  channel: channelScaffold,
  provider: providerScaffold,
  storage: storageScaffold,
  tool: toolScaffold,
  variable: variableScaffold,
} as const satisfies Record<string, ScaffoldKind>;
