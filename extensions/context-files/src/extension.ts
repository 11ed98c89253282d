import { defineExtension, type Extension } from "@incipit/kernel";
import { folderTrustHandle, promptVariablesPoint } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";
import { ruleKinds } from "./rule-kinds.ts";

const extension: Extension = defineExtension(
  {
    id: "rules",
    version: "0.1.0",
    api: "^1",
    // Every read is confined to the repository or folder that it names.
    capabilities: { fs: { read: ["$cwd"] } },
    dependsOn: { optional: ["folder-trust@1"] },
    contributes: ["prompt-variables@1"],
  },
  { configuration },
  (host, { user_folder: userFolder }) => {
    const { fs } = host;
    const trust = host.getService(folderTrustHandle);
    host.contribute(promptVariablesPoint, {
      type: "rules",
      variables: [...ruleKinds].map(([name, { description }]) => ({ name, description })),
      async resolve(name, context) {
        const kind = ruleKinds.get(name);
        if (kind === undefined) return { absent: "not-found" };
        const { ruleText } = await import("./rule-text.ts");
        return ruleText(kind, { fs, trust: trust.current, userFolder, ...context });
      },
    });
  },
);

export default extension;
