import { agentAttacks } from "./attacks/agents.ts";
import { archiveAttacks } from "./attacks/archive.ts";
import { boundsAttacks } from "./attacks/bounds.ts";
import { dataFolderAttacks } from "./attacks/data-folder.ts";
import { extensionAttacks } from "./attacks/extension.ts";
import { filesAttacks } from "./attacks/files.ts";
import { folderAttacks } from "./attacks/folder.ts";
import { machineAttacks } from "./attacks/machine.ts";
import { networkAttacks } from "./attacks/network.ts";
import { processAttacks } from "./attacks/process.ts";
import { provenanceAttacks } from "./attacks/provenance.ts";
import { questionAttacks } from "./attacks/questions.ts";
import { rulesAttacks } from "./attacks/rules.ts";
import { secretsAttacks } from "./attacks/secrets.ts";
import { skillAttacks } from "./attacks/skills.ts";
import { terminalAttacks } from "./attacks/terminal.ts";
import { toolLookupAttacks } from "./attacks/tool-lookup.ts";
import { tokensAttacks } from "./attacks/tokens.ts";
import { vendorAttacks } from "./attacks/vendor.ts";

export interface Attack {
  /** The attempt: `a folder's incipit.toml names an MCP server`. */
  readonly tries: string;
  /** The required result: `no program of it runs, and one line says what was left out`. */
  readonly seen: string;
}

/**
 * Attacks and their required results. `attacks.test.ts` fails for a row without a test: either `attack("id", …)` of
 * `attacks/attack.ts`, which runs on the source and on the built file, or `test("[attack:id] …")` in a package. Both
 * have a control, the same attack with the one permission that lets it succeed, to prove that the test can fail.
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
