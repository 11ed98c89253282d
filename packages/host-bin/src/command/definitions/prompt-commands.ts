import { command } from "../registry/command.ts";

const preview = ["cwd", "model", "profile"] as const;

export const promptCommands = [
  command("prompt [show] [VERSION]", {
    summary: "show the template or a version of it",
    run: async (call) => (await import("../prompt/versions.ts")).showTemplate(call),
  }),
  command("prompt set [FILE|TEXT|-]", {
    summary: "save a template (-: standard input)",
    options: [...preview, "note"],
    example: 'incipit prompt set "You are a helpful assistant."',
    isBasic: true,
    run: async (call) => (await import("../prompt/set.ts")).setTemplate(call),
  }),
  command("prompt edit", {
    summary: "edit the template in $VISUAL or $EDITOR and save it",
    options: [...preview, "note", "isGranted"],
    run: async (call) => (await import("../prompt/edit.ts")).editTemplate(call),
  }),
  command("prompt lint [FILE|TEXT|-]", {
    summary: "find likely mistakes in a template",
    options: preview,
    run: async (call) => (await import("../prompt/findings.ts")).lintPrompt(call),
  }),
  command("prompt versions", {
    summary: "list the versions of the template",
    run: async (call) => (await import("../prompt/versions.ts")).listVersions(call),
  }),
  command("prompt diff VERSION [LATER]", {
    summary: "show the changes of a version, or up to LATER",
    example: "incipit prompt diff 3",
    run: async (call) => (await import("../prompt/versions.ts")).diffVersions(call),
  }),
  command("prompt restore VERSION", {
    summary: "save an earlier version again",
    options: ["note"],
    example: "incipit prompt restore 2",
    run: async (call) => (await import("../prompt/versions.ts")).restoreVersion(call),
  }),
  command("prompt remove", {
    summary: "remove the saved template; system_prompt or the default applies",
    options: ["note"],
    run: async (call) => (await import("../prompt/versions.ts")).removeTemplate(call),
  }),
  command("prompt preview [FILE|TEXT|-]", {
    summary: "show the prompt of a new conversation",
    options: preview,
    isBasic: true,
    run: async (call) => (await import("../prompt/preview.ts")).previewPrompt(call),
  }),
  command("prompt explain [FILE|TEXT|-]", {
    summary: "show the origin of each part of that prompt",
    options: preview,
    run: async (call) => (await import("../prompt/preview.ts")).explainNew(call),
  }),
  command("agents [list]", {
    summary: "list the agents of this folder",
    options: ["cwd"],
    run: async (call) => (await import("../agents/agents.ts")).listAgents(call),
  }),
  command("agents show AGENT", {
    summary: "show an agent",
    options: ["cwd"],
    example: "incipit agents show reviewer",
    run: async (call) => (await import("../agents/agents.ts")).showAgent(call),
  }),
  command("agents edit AGENT", {
    summary: "edit its file in $VISUAL or $EDITOR",
    options: ["cwd"],
    example: "incipit agents edit reviewer",
    run: async (call) => (await import("../agents/agents.ts")).editAgent(call),
  }),
  command("agents new NAME", {
    summary: "create .agents/NAME.md in this folder; with --user, for all folders",
    options: ["cwd", "isForUser"],
    example: "incipit agents new reviewer",
    run: async (call) => (await import("../agents/agents.ts")).newAgent(call),
  }),
  command("agents remove AGENT", {
    summary: "delete its file, after confirmation",
    options: ["cwd", "isGranted"],
    example: "incipit agents remove reviewer",
    run: async (call) => (await import("../agents/agents.ts")).removeAgent(call),
  }),
  command("skills [list]", {
    summary: "list the skills of this folder",
    options: ["cwd"],
    run: async (call) => (await import("../skills/skills.ts")).listSkills(call),
  }),
  command("skills show NAME", {
    summary: "show the text that a model receives",
    options: ["cwd"],
    example: "incipit skills show release-notes",
    run: async (call) => (await import("../skills/skills.ts")).showSkill(call),
  }),
  command("commands [list]", {
    summary: "list the commands that messages can begin with, as /NAME",
    options: ["cwd"],
    run: async (call) => (await import("../skills/skills.ts")).listCommands(call),
  }),
  command("commands show NAME", {
    summary: "show the text that a command sends",
    options: ["cwd"],
    example: "incipit commands show review",
    run: async (call) => (await import("../skills/skills.ts")).showCommand(call),
  }),
];
