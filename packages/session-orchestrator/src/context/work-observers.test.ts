import { Redactor } from "@incipit/redaction";
import type { Work, WorkObserver } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { WorkObservers } from "./work-observers.ts";

const secret = "planted-secret-value-1";
const redactor = await Redactor.create({ secrets: [secret], patterns: [] });

async function told(
  message: string,
  { hasContent, isSecret }: { hasContent: boolean; isSecret: boolean },
): Promise<string> {
  const seen: Work[] = [];
  const observer: WorkObserver = { id: "acme.watch", observe: (work) => void seen.push(work) };
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const contributions = {
    current: [{ extension: "acme.watch", trust: "standard" as const, value: observer }],
    onChange: () => () => {},
  };
  const observers = new WorkObservers(contributions, {
    log,
    redactor: isSecret ? redactor : Redactor.ofValues([]),
    hasContent,
  });
  observers.tell({
    type: "turn",
    conversationId: "c",
    turnId: "t",
    profile: null,
    asked: null,
    startedAtMs: 1,
    endedAtMs: 2,
    status: "failed",
    error: { code: "INTERNAL", message },
  });
  return JSON.stringify(seen);
}

test("[attack:secrets-in-telemetry] WorkObservers redacts secrets in errors and content, in any encoding", async () => {
  for (const hasContent of [true, false])
    for (const form of [
      secret,
      btoa(`me:${secret}`),
      encodeURIComponent(JSON.stringify(secret)),
      Buffer.from(secret).toString("hex"),
    ]) {
      const hidden = await told(`Cannot call with ${form}`, { hasContent, isSecret: true });
      expect(hidden).toContain("[redacted:secret]");
      expect(hidden).not.toContain(form);
      const shown = await told(`Cannot call with ${form}`, { hasContent, isSecret: false });
      expect(shown).toContain(form);
    }
});
