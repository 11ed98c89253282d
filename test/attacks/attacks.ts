import { agentAttacks } from "./agents.ts";
import { archiveAttacks } from "./archive.ts";
import { boundsAttacks } from "./bounds.ts";
import { dataFolderAttacks } from "./data-folder.ts";
import { extensionAttacks } from "./extension.ts";
import { filesAttacks } from "./files.ts";
import { folderAttacks } from "./folder.ts";
import { machineAttacks } from "./machine.ts";
import { networkAttacks } from "./network.ts";
import { processAttacks } from "./process.ts";
import { provenanceAttacks } from "./provenance.ts";
import { questionAttacks } from "./questions.ts";
import { rulesAttacks } from "./rules.ts";
import { secretsAttacks } from "./secrets.ts";
import { skillAttacks } from "./skills.ts";
import { terminalAttacks } from "./terminal.ts";
import { toolLookupAttacks } from "./tool-lookup.ts";
import { tokensAttacks } from "./tokens.ts";
import { vendorAttacks } from "./vendor.ts";

export interface Attack {
  readonly tries: string;
  readonly seen: string;
}

/**
 * `attacks.test.ts` fails for a row without a test: either `attack("id", …)` of `attack.ts`, or a test named
 * `[attack:id] …` in a package. Both have a control, the same attack with the one permission that lets it succeed, to
 * prove that the test can fail.
 */
export const attacks = {
  ...agentAttacks,
  ...archiveAttacks,
  ...boundsAttacks,
  ...dataFolderAttacks,
  ...extensionAttacks,
  ...filesAttacks,
  ...folderAttacks,
  ...machineAttacks,
  ...networkAttacks,
  ...processAttacks,
  ...provenanceAttacks,
  ...questionAttacks,
  ...rulesAttacks,
  ...secretsAttacks,
  ...skillAttacks,
  ...terminalAttacks,
  ...toolLookupAttacks,
  ...tokensAttacks,
  ...vendorAttacks,
} as const satisfies Record<string, Attack>;

export type AttackId = keyof typeof attacks;
