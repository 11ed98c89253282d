import { sha256Hex } from "@incipit/common";
import type { StorageWrite } from "@incipit/kernel";
import type { ChannelPersonView, PairingCode } from "@incipit/schema";
import { ServiceError, type ChannelPerson, type ChannelUpdate } from "@incipit/service-contract";
import type { ChannelContext } from "./chats-context.ts";
import { keys } from "./keys.ts";
import { storedPairingSchema, storedPersonSchema, type StoredPairing } from "./stored.ts";
import { oneLineOf } from "./texts.ts";

const codeForMs = 10 * 60_000;
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const codeLength = 8;
const maxCodes = 5;
/** Maximum number of wrong pairing codes of a person, who then gets no answer. */
const maxTriesOfOne = 5;
/** Maximum number of wrong pairing codes; then all codes become invalid. */
const maxTries = 100;
const maxPaired = 1_000;

/**
 * `commit` stores it with the reply; `false` when another code was tried concurrently, so the caller has to look
 * again.
 */
export type Pairing =
  | { readonly kind: "paired" | "wrong"; readonly commit: (writes: readonly StorageWrite[]) => Promise<boolean> }
  | { readonly kind: "ignored" };

export class People {
  readonly #context: ChannelContext;
  readonly #paired = new Map<string, { readonly name: string; readonly pairedMs: number }>();

  constructor(context: ChannelContext) {
    this.#context = context;
  }

  async load(): Promise<void> {
    const { storage, channel, log } = this.#context;
    const onInvalid = (key: string): void => log.error("Cannot read a paired person", { key });
    const found = await storage.list(
      { prefix: keys.people(channel.id), limit: maxPaired, onInvalid },
      storedPersonSchema,
    );
    for (const { key, value } of found) this.#paired.set(keys.last(key), value);
  }

  isKnown({ id }: Pick<ChannelPerson, "id">): boolean {
    return this.#context.channel.settings.people.includes(id) || this.#paired.has(id);
  }

  /** In a group, both the group and the person have to be known. A thread belongs to its group. */
  mayTalk({ chat, sender }: ChannelUpdate): boolean {
    return this.isKnown(sender) && (chat.kind === "private" || this.isGroupKnown(chat.id));
  }

  isGroupKnown(id: string): boolean {
    const { channel, moves } = this.#context;
    const ids = moves.idsOf(id);
    return channel.settings.groups.some((group) => ids.some((one) => one === group || one.startsWith(`${group}/`)));
  }

  async createCode(): Promise<PairingCode> {
    const { storage, channel, clock } = this.#context;
    const key = keys.pairing(channel.id);
    for (;;) {
      const stored = await storage.getVersioned(key, storedPairingSchema);
      const bytes = crypto.getRandomValues(new Uint8Array(codeLength));
      const code = [...bytes].map((byte) => letters[byte % letters.length]).join("");
      const expiresMs = clock.now() + codeForMs;
      const live = this.#live(stored?.value);
      const value: StoredPairing = {
        codes: [...live.codes.slice(1 - maxCodes), { sha256: sha256Hex(code), expiresMs }],
        tries: live.tries,
      };
      const result = await storage.atomic(
        [{ key, version: stored?.version ?? null }],
        [{ kind: "set", key, value }],
      );
      if (result.kind === "conflict") continue;
      const shown = `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
      return { code: shown, expiresAt: new Date(expiresMs).toISOString() };
    }
  }

  codeIn(text: string): string | undefined {
    const code = text.trim().replace("-", "").toUpperCase();
    return new RegExp(`^[${letters}]{${codeLength}}$`).test(code) ? code : undefined;
  }

  async pair(sender: ChannelPerson, code: string): Promise<Pairing> {
    const { storage, channel, clock } = this.#context;
    const key = keys.pairing(channel.id);
    const stored = await storage.getVersioned(key, storedPairingSchema);
    const { codes, tries } = this.#live(stored?.value);
    const counts = new Map(tries);
    const tried = counts.get(sender.id) ?? 0;
    if (stored === undefined || codes.length === 0 || tried >= maxTriesOfOne) return { kind: "ignored" };
    const hash = sha256Hex(code);
    const checks = [{ key, version: stored.version }];
    if (codes.some(({ sha256: known }) => known === hash) && this.#paired.size < maxPaired) {
      const person = { name: oneLineOf(sender.name), pairedMs: clock.now() };
      const rest: StoredPairing = { codes: codes.filter(({ sha256: known }) => known !== hash), tries };
      return {
        kind: "paired",
        commit: async (writes) => {
          const result = await storage.atomic(checks, [
            { kind: "set", key: keys.person(channel.id, sender.id), value: person },
            { kind: "set", key, value: rest },
            ...writes,
          ]);
          if (result.kind === "committed") this.#paired.set(sender.id, person);
          return result.kind === "committed";
        },
      };
    }
    counts.set(sender.id, tried + 1);
    const all = counts.values().reduce((sum, count) => sum + count, 0);
    const value: StoredPairing = { codes: all < maxTries ? codes : [], tries: [...counts] };
    return {
      kind: "wrong",
      // A conditional write, so that every try counts.
      commit: async (writes) => {
        const result = await storage.atomic(checks, [{ kind: "set", key, value }, ...writes]);
        return result.kind === "committed";
      },
    };
  }

  list(): readonly ChannelPersonView[] {
    const { people } = this.#context.channel.settings;
    const configured = [...new Set(people)].map((id) => ({
      id,
      name: this.#paired.get(id)?.name ?? null,
      source: "configuration" as const,
      pairedAt: null,
    }));
    const paired = [...this.#paired]
      .filter(([id]) => !people.includes(id))
      .map(([id, { name, pairedMs }]) => ({
        id,
        name,
        source: "pairing" as const,
        pairedAt: new Date(pairedMs).toISOString(),
      }));
    return [...configured, ...paired].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async remove(id: string): Promise<void> {
    const { storage, channel } = this.#context;
    if (channel.settings.people.includes(id)) {
      const message = `"${id}" is in the configuration of "${channel.id}": remove the id there, and restart the host`;
      throw new ServiceError("PERSON_CONFIGURED", message);
    }
    if (!this.#paired.has(id))
      throw new ServiceError("PERSON_UNKNOWN", `No person with the id "${id}" is paired with "${channel.id}"`);
    await storage.delete(keys.person(channel.id, id));
    this.#paired.delete(id);
  }

  #live(stored: StoredPairing | undefined): StoredPairing {
    const nowMs = this.#context.clock.now();
    const codes = (stored?.codes ?? []).filter(({ expiresMs }) => expiresMs > nowMs);
    return codes.length === 0 ? { codes, tries: [] } : { codes, tries: stored?.tries ?? [] };
  }
}
