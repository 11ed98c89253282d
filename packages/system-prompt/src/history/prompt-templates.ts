import type { Host } from "@incipit/kernel";
import {
  hostDefaultsHandle,
  ServiceError,
  type ConditionalChange,
  type PromptTemplates,
} from "@incipit/service-contract";
import { entityTag, holds, templateConflict, type TaggedTemplate } from "./template-condition.ts";
import { templateInForce } from "./template-in-force.ts";
import type { TemplateHead } from "../stored/template-record.ts";
import type { Change, TemplateStore } from "../stored/template-store.ts";
import { TemplateVersions } from "./template-versions.ts";
import { diffTexts } from "./text-diff.ts";

export function createPromptTemplates(host: Host, store: TemplateStore): Omit<PromptTemplates, "lint" | "files"> {
  const defaults = host.getService(hostDefaultsHandle).get();
  const history = new TemplateVersions(host.storage("system-prompt"));

  const describe = (head: TemplateHead | undefined): TaggedTemplate => {
    const text = templateInForce(head?.template, defaults.systemPrompt);
    const version = head === undefined || head.template === null ? null : head.version;
    return { ...text, version, etag: entityTag(text, head?.version ?? 0) };
  };
  /** Keeps history readable when the stored template is not. */
  const readableHead = async (): Promise<TemplateHead | undefined> => {
    try {
      return await store.head();
    } catch (error) {
      if (ServiceError.is(error) && error.code === "STORED_DATA_DAMAGED") return undefined;
      throw error;
    }
  };

  const toChange = (yours: string | null, { author, note, condition }: ConditionalChange): Change => {
    const said = { author: author ?? null, note: note ?? null };
    if (condition === undefined) return said;
    const check = async (head: TemplateHead | undefined): Promise<void> => {
      const current = describe(head);
      if (holds(condition, current)) return;
      throw templateConflict(yours, current, head === undefined ? undefined : await history.describe(head.version));
    };
    return { ...said, check };
  };

  return {
    inForce: async () => describe(await store.head()),

    set: async (template, change = {}) => describe(await store.set(template, toChange(template, change))),

    delete: async (change = {}) => describe(await store.replace(null, toChange(null, change))),

    async versions(page) {
      const head = await readableHead();
      const { versions, damaged, ...rest } = await history.list(page);
      const current = head === undefined || head.template === null ? null : head.version;
      return { versions: [...versions], damaged: [...damaged], current, ...rest };
    },

    version: (version) => history.get(version),

    async diff(version, { against } = {}) {
      const to = await history.get(version);
      const before = against ?? (await history.before(version));
      const from = before === undefined ? undefined : await history.get(before);
      const named = (entry: typeof from): { readonly name: string; readonly text: string } =>
        entry === undefined
          ? { name: "nothing", text: "" }
          : { name: `version ${entry.version}`, text: entry.template ?? "" };
      return { from: from?.version ?? null, to: to.version, ...(await diffTexts(named(from), named(to))) };
    },

    async restore(version, change = {}) {
      const { template } = await history.get(version);
      const from = `restored from version ${version}`;
      const note = change.note === undefined ? from : `${from}: ${change.note}`;
      return describe(await store.replace(template, toChange(template, { ...change, note })));
    },
  };
}
