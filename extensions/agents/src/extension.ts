import { assertCallerReads, defineExtension, type Caller, type Extension } from "@incipit/kernel";
import {
  folderTrustHandle,
  hostDefaultsHandle,
  profilesHandle,
  type ProfilesService,
} from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "profiles",
    version: "0.1.0",
    api: "^1",
    // Includes any working folder of a call, its parents, and the user's configuration folder.
    capabilities: { storage: true, fs: { read: ["$cwd"], write: ["$cwd"] } },
    dependsOn: { required: ["host-defaults@1"], optional: ["folder-trust@1"] },
    provides: ["profiles@1"],
  },
  { configuration },
  (host, { folder: userFolder }) => {
    const defaults = host.getService(hostDefaultsHandle).get();
    const folderTrust = host.getService(folderTrustHandle);
    const storage = host.storage("written");
    let loaded: Promise<ProfilesService> | undefined;
    const profiles = (): Promise<ProfilesService> =>
      (loaded ??= import("./profiles.ts").then(({ createProfiles }) =>
        createProfiles({ fs: host.fs, defaults, folderTrust, storage, userFolder, signal: host.signal }),
      ));
    const service: ProfilesService = {
      list: async (options) => (await profiles()).list(options),
      get: async (name, options) => (await profiles()).get(name, options),
      read: async (name, options) => (await profiles()).read(name, options),
      write: async (name, change) => (await profiles()).write(name, change),
      remove: async (name, removal) => (await profiles()).remove(name, removal),
    };
    host.provideService(profilesHandle, service, { forCaller: (caller) => profilesFor(service, caller) });
  },
);

/** Restricts the service for a calling extension to folders that it may read itself. */
function profilesFor(service: ProfilesService, caller: Caller): ProfilesService {
  return {
    async list(asked) {
      const options = { ...asked }; // Copied once: a getter could return another folder later.
      assertCallerReads(caller, options.cwd);
      return service.list(options);
    },
    async get(name, asked) {
      const options = { ...asked };
      assertCallerReads(caller, options.cwd);
      return service.get(name, options);
    },
    async read(name, asked) {
      const options = { ...asked };
      assertCallerReads(caller, options.cwd);
      return service.read(name, options);
    },
    async write(name, asked) {
      const change = { ...asked, condition: { ...asked.condition } };
      assertCallerReads(caller, change.cwd);
      return service.write(name, change);
    },
    async remove(name, asked) {
      const removal = { ...asked };
      assertCallerReads(caller, removal.cwd);
      return service.remove(name, removal);
    },
  };
}

export default extension;
