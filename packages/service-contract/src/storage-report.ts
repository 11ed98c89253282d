import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface SetAsideFile {
  /** Where the damaged file lies. */
  readonly path: string;
  /** What was wrong with it. */
  readonly reason: string;
}

export interface WriteFailure {
  /** Why the write failed, and what to do. */
  readonly reason: string;
  /** When it failed; ISO 8601, UTC. */
  readonly at: string;
}

/** What the storage driver had to put out of the way; it stays in the report until an operator moves the file. */
export interface StorageReport {
  /** What was found to be damaged in the data that is in use; `undefined`: nothing yet. */
  damage(): Promise<string | undefined>;
  /** The newest write that failed, while that is news; `undefined`: none. What was acknowledged before is not touched by it. */
  writeFailure(): Promise<WriteFailure | undefined>;
  setAside(): Promise<readonly SetAsideFile[]>;
}

export const storageReportHandle: ServiceHandle<StorageReport> = defineHandle<StorageReport>("storage-report@1", {
  damage: "function",
  writeFailure: "function",
  setAside: "function",
});
