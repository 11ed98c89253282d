import { defineExtension, errorMessage, storageDriverHandle, type Extension } from "@incipit/kernel";
import {
  storageBackupHandle,
  storageErasureHandle,
  storageReportHandle,
  storedNamespacesHandle,
} from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "storage-sqlite",
    version: "0.1.0",
    api: "^1",
    provides: [
      "storage-driver@1",
      "storage-report@1",
      "storage-backup@1",
      "storage-erasure@1",
      "stored-namespaces@1",
    ],
    swap: "exclusive",
  },
  { configuration },
  async (host, { path }) => {
    const [{ backUp }, { damagedFiles }, { openSqliteStorage }, { WriteFailures }] = await Promise.all([
      import("./backups.ts"),
      import("./open-database.ts"),
      import("./open-sqlite-storage.ts"),
      import("./write-failures.ts"),
    ]);
    const writeFailures = new WriteFailures(host.clock);
    const onErasureFailure = ({ message }: Error): void => {
      const error = { error: message };
      host.log.error("Deleted data may remain in the data file; retrying at its close or the next start", error);
    };
    const { storage, setAside, isChecked, isNew } = openSqliteStorage(path, {
      nowMs: host.clock.now(),
      onWriteFailure: (failure) => writeFailures.note(failure),
      onErasureFailure,
    });
    host.use("data file", storage);
    host.draining.addEventListener("abort", () => storage.endWatches(), { once: true }); // No more changes will come.
    // A host that is ready has its file, whatever the first change is. A failure is in the storage's report.
    if (isNew) await storage.sync().catch(() => undefined);
    if (setAside !== undefined) {
      host.log.error("The data file is damaged: it was set aside, and a new one created", {
        path: setAside.path,
        reason: setAside.reason,
      });
    }
    if (!isChecked) {
      host.log.info("The last host did not shut down cleanly: checking its data file in the background");
      void storage.check({ clock: host.clock, signal: host.signal }).then(() => {
        if (storage.damage !== undefined)
          host.log.error("The data file is damaged: the next start sets it aside", { reason: storage.damage });
      });
    }
    if (storage.isErasureDue)
      void storage.eraseDeleted().catch((error: unknown) => onErasureFailure(new Error(errorMessage(error))));
    host.provideService(storageDriverHandle, storage);
    host.provideService(storageBackupHandle, {
      backUp: async () => ({ path: backUp(storage, { path, nowMs: host.clock.now() }) }),
    });
    host.provideService(storageErasureHandle, { eraseDeleted: () => storage.eraseDeleted() });
    host.provideService(storedNamespacesHandle, { of: async (extension) => storage.namespaces(`${extension}/`) });
    host.provideService(storageReportHandle, {
      damage: async () => storage.damage,
      writeFailure: async () => writeFailures.newest,
      setAside: async () =>
        damagedFiles(path).map((file) => ({
          path: file,
          reason: file === setAside?.path ? setAside.reason : "it was damaged at an earlier start",
        })),
    });
  },
);

export default extension;
