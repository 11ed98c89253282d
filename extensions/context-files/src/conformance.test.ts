import { promptVariablesPoint } from "@incipit/service-contract";
import { promptVariablesConformance, startExtension } from "@incipit/testkit";
import extension from "./extension.ts";

promptVariablesConformance("rules", {
  present: ["agents", "claude", "gemini", "copilot", "cursor", "all"],
  open: async (scope) => {
    const files = {
      "/work/AGENTS.md": "Agents.",
      "/work/CLAUDE.md": "Claude.",
      "/work/GEMINI.md": "Gemini.",
      "/work/.github/copilot-instructions.md": "Copilot.",
      "/work/.cursor/rules/a.mdc": "---\nalwaysApply: true\n---\nCursor.",
    };
    const started = await startExtension(extension, { config: { user_folder: "/user" }, files });
    return scope.use(started).contribution(promptVariablesPoint);
  },
});
