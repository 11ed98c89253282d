import { assertCallerReads, defineExtension, type Extension } from "@incipit/kernel";
import {
  commandSourcesPoint,
  commandsHandle,
  folderTrustHandle,
  promptSegmentsPoint,
  promptVariablesPoint,
  skillsHandle,
  toolSourcesPoint,
  type CommandsService,
  type SkillsService,
} from "@incipit/service-contract";
import { configuration, toSettings } from "./configuration.ts";
import { skillSegment, skillVariables } from "./prompt-texts.ts";
import { skillToolSource } from "./skill-tool.ts";

const extension: Extension = defineExtension(
  {
    id: "skills",
    version: "0.1.0",
    api: "^1",
    // Every read is confined to the folder that it names.
    capabilities: { fs: { read: ["$cwd"] } },
    dependsOn: { optional: ["folder-trust@1"] },
    provides: ["skills@1", "commands@1"],
    reads: ["command-sources@1"],
    contributes: ["prompt-segments@1", "prompt-variables@1", "tool-sources@1"],
  },
  { configuration },
  async (host, values) => {
    const [{ createCommands }, { createSkills }] = await Promise.all([
      import("./commands.ts"),
      import("./skills.ts"),
    ]);
    const { fs } = host;
    const context = { fs, trust: host.getService(folderTrustHandle), settings: toSettings(values) };
    const skills = createSkills(context);
    const sources = host.contributions(commandSourcesPoint);
    const commands = createCommands({ ...context, sources, clock: host.clock });
    if (values.skills.enabled) {
      host.contribute(promptVariablesPoint, skillVariables(skills));
      if (values.skills.list) host.contribute(promptSegmentsPoint, skillSegment(skills));
      host.contribute(toolSourcesPoint, skillToolSource(skills));
    }
    host.provideService(skillsHandle, skills, {
      forCaller: (caller): Partial<SkillsService> => ({
        async list(query) {
          assertCallerReads(caller, query.cwd);
          return skills.list(query);
        },
        async open(name, query) {
          assertCallerReads(caller, query.cwd);
          return skills.open(name, query);
        },
      }),
    });
    host.provideService(commandsHandle, commands, {
      forCaller: (caller): Partial<CommandsService> => ({
        async list(query) {
          assertCallerReads(caller, query.cwd);
          return commands.list(query);
        },
        async show(name, query) {
          assertCallerReads(caller, query.cwd);
          return commands.show(name, query);
        },
        async expand(call, query) {
          assertCallerReads(caller, query.cwd);
          return commands.expand(call, query);
        },
      }),
    });
  },
);

export default extension;
