import { sha256Hex } from "@incipit/common";
import type { TemplateConflict, TemplateInForce } from "@incipit/schema";
import { ServiceError, type EntityTags, type TemplateCondition } from "@incipit/service-contract";
import type { VersionRecord } from "../stored/template-record.ts";

export type TaggedTemplate = TemplateInForce & { readonly etag: string };

/** A strong tag (RFC 9110, section 8.8.1). `version`: the newest; 0 if none was stored. */
export function entityTag(
  { template, source }: Pick<TemplateInForce, "template" | "source">,
  version: number,
): string {
  return `"${version}-${sha256Hex(`${source}\n${template}`).slice(0, 16)}"`;
}

/** `*` refers to the stored template, because a default always exists. */
export function holds({ ifMatch, ifNoneMatch }: TemplateCondition, { source, etag }: TaggedTemplate): boolean {
  const isStored = source === "stored";
  const isNamed = (tags: EntityTags): boolean => (tags === "*" ? isStored : tags.includes(etag));
  if (ifMatch !== undefined && !isNamed(ifMatch)) return false;
  if (ifNoneMatch === undefined) return true;
  // Weak comparison, unlike `If-Match`.
  return !isNamed(ifNoneMatch === "*" ? "*" : ifNoneMatch.map((tag) => tag.replace(/^W\//, "")));
}

export function templateConflict(
  yours: string | null,
  { template: theirs, version, etag, source }: TaggedTemplate,
  record: VersionRecord | undefined,
): ServiceError {
  const { author = null, createdAt = null } = record ?? {};
  const details: TemplateConflict = { yours, theirs, version, etag, author, createdAt };
  const by = author === null ? "" : ` by ${author}`;
  const at = createdAt === null ? "" : ` since ${createdAt}`;
  const what =
    version === null
      ? `none is stored${at}${by}, and the ${source} one applies`
      : `it is version ${version}${at}${by}`;
  const todo = `both texts are in "details"; merge them, and send If-Match: ${etag}`;
  return new ServiceError("TEMPLATE_CONFLICT", `The template is not what the request expects: ${what}; ${todo}`, {
    details,
  });
}
