import { defineExtension, type Extension } from "@incipit/kernel";
import {
  approvalsHandle,
  conversationsHandle,
  hostDefaultsHandle,
  toolSourcesPoint,
} from "@incipit/service-contract";
import { agentSource } from "./agent-source.ts";
import { configuration } from "./configuration.ts";
import type { TaskContext } from "./run-task.ts";
import { TaskSlots } from "./task-slots.ts";
import { usableProfiles, type UsableProfile } from "./usable-profiles.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

const maxCalls = 16;

const extension: Extension = defineExtension(
  {
    id: "subagents",
    version: "0.1.0",
    api: "^1",
    capabilities: {},
    dependsOn: { required: ["host-defaults@1"], optional: ["approvals@1", "conversations@1"] },
    contributes: ["tool-sources@1"],
  },
  { configuration },
  (host, { subagents }) => {
    const { profiles: names, max_depth: maxDepth, max_at_once: atOnce, max_per_turn: perTurn } = subagents;
    const defaults = host.getService(hostDefaultsHandle);
    const conversations = host.getService(conversationsHandle);
    const profiles = (): readonly UsableProfile[] => usableProfiles(defaults.get(), names);
    const timeoutMs = subagents.timeout_minutes * minuteMs;
    const context: TaskContext = {
      conversations,
      approvals: host.getService(approvalsHandle),
      clock: host.clock,
      log: host.log,
      places: new TaskSlots({ perTurn, atOnce }),
      profiles,
      maxDepth,
      maxTokens: subagents.max_tokens,
      timeoutMs,
    };
    // Covers the wait for earlier tasks, so that a task is stopped before its call times out.
    const rounds = Math.ceil(Math.min(perTurn, maxCalls) / atOnce);
    const source = agentSource({
      conversations,
      profiles,
      names,
      maxDepth,
      timeoutMs: Math.min(rounds * (timeoutMs + minuteMs), dayMs),
      async give(input, call) {
        const { runTask } = await import("./run-task.ts");
        const given = runTask(context, input, call);
        host.waitUntil(given.catch(() => undefined)); // The caller gets the error.
        return given;
      },
    });
    host.contribute(toolSourcesPoint, source);
  },
);

export default extension;
