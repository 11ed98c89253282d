import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { OpenedSkill, SkillList } from "@incipit/schema";

interface FolderQuery {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * The skills of a working folder, of those above it in its repository, of the user, and of configured folders: the nearest of a
 * name. Of working folders, those that a person trusts. Read anew at each question.
 */
export interface SkillsService {
  /** @throws {ServiceError} `CWD_INVALID`. */
  list(query: FolderQuery): Promise<SkillList>;
  /** @throws {ServiceError} `SKILL_UNKNOWN`, with why it cannot be used where it is there; `CWD_INVALID`. */
  open(name: string, query: FolderQuery): Promise<OpenedSkill>;
}

export const skillsHandle: ServiceHandle<SkillsService> = defineHandle<SkillsService>("skills@1", {
  list: "function",
  open: "function",
});
