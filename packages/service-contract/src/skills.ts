import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { OpenedSkill, SkillList } from "@incipit/schema";

interface FolderQuery {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * Skills of a working folder, its parents in the repository, the user, and configured folders; the nearest of a
 * name wins. Folders must be trusted. Read from disk on each call.
 */
export interface SkillsService {
  /** @throws {ServiceError} `CWD_INVALID`. */
  list(query: FolderQuery): Promise<SkillList>;
  /** @throws {ServiceError} `SKILL_UNKNOWN`, with the reason if the skill exists but is unusable; `CWD_INVALID`. */
  open(name: string, query: FolderQuery): Promise<OpenedSkill>;
}

export const skillsHandle: ServiceHandle<SkillsService> = defineHandle<SkillsService>("skills@1", {
  list: "function",
  open: "function",
});
