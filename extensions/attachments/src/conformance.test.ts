import { toolsPoint, channelsPoint } from "@incipit/service-contract";
import { defineExtension } from "@incipit/kernel";
import { startExtension, toolConformance } from "@incipit/testkit";
import extension from "./index.ts";

const channel = defineExtension(
  { id: "test.channel", version: "1.0.0", api: "^1", contributes: ["channels@1"] },
  (host) =>
    host.contribute(channelsPoint, {
      id: "test",
      settings: {
        people: [],
        groups: [],
        model: undefined,
        profile: undefined,
        cwd: undefined,
        approvers: undefined,
      },
      maxFileBytes: { out: 1_000_000, in: 1_000_000 },
      run: async () => {},
      split: (markdown) => [markdown],
      send: async () => ({ kind: "failed", why: "nobody is there" }),
    }),
);

toolConformance("send_file", {
  async open(scope) {
    const files = { "/work/a.txt": "Hello", "/work/b/c.md": "# Hello" };
    return scope.use(await startExtension([extension, channel], { files })).contribution(toolsPoint);
  },
  takes: [{ path: "a.txt" }, { path: "./b/c.md" }],
  refuses: [{ path: "none.txt" }, { path: "../a.txt" }, { path: "/work/a.txt" }, { path: "a.txt", other: 1 }],
});
