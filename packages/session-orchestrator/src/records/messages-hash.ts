import { partsBeforeMessages, type PartHash } from "../audit/step-audit.ts";

export class MessagesHash {
  #hasher = new Bun.CryptoHasher("sha256");
  #count = partsBeforeMessages;
  #last: PartHash | undefined;

  of(parts: readonly PartHash[]): string {
    if (this.#count > partsBeforeMessages && parts[this.#count - 1] !== this.#last) {
      this.#hasher = new Bun.CryptoHasher("sha256");
      this.#count = partsBeforeMessages;
    }
    const added = parts.slice(this.#count);
    this.#hasher.update(added.map(({ sha256 }) => sha256).join(""));
    this.#count += added.length;
    this.#last = parts.at(-1);
    return this.#hasher.copy().digest("hex");
  }
}
