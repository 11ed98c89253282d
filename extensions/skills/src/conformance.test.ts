import { promptSegmentsPoint, promptVariablesPoint, toolSourcesPoint } from "@incipit/service-contract";
import {
  promptSegmentConformance,
  promptVariablesConformance,
  startExtension,
  toolConformance,
  type StartedExtension,
} from "@incipit/testkit";
import extension from "./extension.ts";

async function start(scope: AsyncDisposableStack): Promise<StartedExtension> {
  const skill = "---\nname: pdf\ndescription: For PDFs\n---\nRead them.";
  const files = { "/user/skills/pdf/SKILL.md": skill, "/user/skills/pdf/forms.md": "Forms", "/work/x": "" };
  return scope.use(await startExtension(extension, { config: { user_folder: "/user" }, files }));
}

promptSegmentConformance("the list of skills", {
  open: async (scope) => (await start(scope)).contribution(promptSegmentsPoint),
  contexts: [
    {
      conversationId: "c",
      profile: undefined,
      cwd: "/work",
      hasTools: true,
      timeoutMs: 5_000,
      signal: new AbortController().signal,
    },
  ],
});

promptVariablesConformance("skills", {
  present: ["list"],
  open: async (scope) => (await start(scope)).contribution(promptVariablesPoint),
});

toolConformance("skill", {
  open: async (scope) => {
    const source = (await start(scope)).contribution(toolSourcesPoint);
    const { signal } = new AbortController();
    const { tools } = await source.tools({ conversationId: "c", cwd: "/work", signal });
    const [tool] = tools;
    if (tool === undefined) throw new Error("There is no tool");
    return tool;
  },
  takes: [{ name: "pdf" }, { name: "pdf", file: "forms.md" }],
  refuses: [{ name: "none" }, { name: "pdf", file: "none.md" }, { name: "pdf", other: true }],
});
