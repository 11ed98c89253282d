import type { Storage } from "@incipit/kernel";
import { stepSchema, type Step } from "@incipit/schema";

export async function listSteps(
  storage: Storage,
  range: { readonly start: string; readonly end: string; readonly limit: number },
): Promise<readonly { readonly key: string; readonly value: Step | undefined }[]> {
  const damaged: { readonly key: string; readonly value: undefined }[] = [];
  const onInvalid = (key: string): void => void damaged.push({ key, value: undefined });
  const found = await storage.list({ ...range, onInvalid }, stepSchema);
  return [...found, ...damaged].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
