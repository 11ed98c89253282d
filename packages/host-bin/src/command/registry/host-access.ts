import type { Config } from "@incipit/host/configuration";
import type { Client } from "@incipit/transport-contract";
import type { OfferedVendor } from "../../config/known-providers.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import type { OwnPlaces } from "../../config/own-places.ts";

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  readonly dataFolder: string;
  readonly isInside: boolean;
  readonly pid: number;
  readonly url: string;
  /** Providers with keys in the environment; empty unless the host is in-process. */
  readonly offered: readonly OfferedVendor[];
  /** The user has no configuration and gave no model. */
  readonly isUnconfigured: boolean;
}

export interface HostStart {
  readonly dataFolder: string;
  readonly userFolder: string;
  readonly isUnconfigured: boolean;
  readonly offered: readonly OfferedVendor[];
  /** Called only when a host is started, and once: it may ask the user. */
  readonly config: () => Promise<Config>;
}

export interface ConnectOptions {
  readonly cwd: string;
  readonly err: (text: string) => void;
  /** Does not start another host when this one ends, for commands about work that runs in it. */
  readonly endsWithHost?: boolean;
  /** A successor of the ended host has taken over. */
  readonly onMove?: () => void;
  /** Called in place of `err` when the host does not respond. */
  readonly onSilent?: (text: string) => void;
}

/** What a handler needs of the host, in the order of its cost; each is made when it is first called. */
export interface HostAccess {
  /** Reads no file. */
  readonly places: () => Promise<OwnPlaces>;
  readonly load: () => Promise<LoadedConfig>;
  /** For a host that this process starts; may ask the user, once. */
  readonly config: HostStart["config"];
  readonly start: () => Promise<HostStart & { readonly cwd: string }>;
  /** The caller closes the connection. */
  readonly open: (options?: Partial<ConnectOptions>) => Promise<Connection>;
  /** Stays open until the command ends. */
  readonly connect: (options?: Pick<ConnectOptions, "endsWithHost">) => Promise<Connection>;
  readonly client: () => Promise<Client>;
}
