import { defineHandle, type ServiceHandle } from "@incipit/kernel";

export interface SetAsideFile {
  /** Path of the damaged file. */
  readonly path: string;
  readonly reason: string;
}

export interface WriteFailure {
  /** Reason of the failed write, with a remedy. */
  readonly reason: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Damage found by the storage driver. Files set aside are reported until the operator moves them. */
export interface StorageReport {
  /** Describes damage found in live data; `undefined` if undamaged. */
  damage(): Promise<string | undefined>;
  /** Returns the most recent failed write, while relevant. Acknowledged data is not affected. */
  writeFailure(): Promise<WriteFailure | undefined>;
  setAside(): Promise<readonly SetAsideFile[]>;
}

export const storageReportHandle: ServiceHandle<StorageReport> = defineHandle<StorageReport>("storage-report@1", {
  damage: "function",
  writeFailure: "function",
  setAside: "function",
});
