import { nearestWord } from "@incipit/common/suggestion";
import { knownVendors, setKeyOf, vendorOf, type KnownProvider } from "../../config/known-providers.ts";
import type { Output } from "../output/output.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { askYesNo } from "../questions/ask-yes-no.ts";
import type { Choices } from "./configuration-text.ts";
import { listedModels, type Listing } from "./listed-models.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export class LeftSetup extends Error {
  override readonly name = "LeftSetup";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("Nothing was written");
    this.exitCode = exitCode;
  }
}

export async function choose(
  model: string | undefined,
  { env, output }: { readonly env: Environment; readonly output: Output },
): Promise<Choices> {
  const chosen = await new ModelQuestion({ env, output }).ask(model);
  const isWorkspace = await isAgreed(
    "May models read this folder, and ask before each change or command? [Y/n] ",
    output,
    "yes",
  );
  return { model: chosen, isWorkspace };
}

export async function isAgreed(
  question: string,
  { hold }: Pick<Output, "hold">,
  usual: "yes" | "no" = "no",
): Promise<boolean> {
  using _ = hold();
  const { signal } = new AbortController();
  const said = await askYesNo(question, { askPerson: askAtTerminal, signal, usual, comesByItself: true });
  if (said === "interrupt") throw new LeftSetup(130);
  return said === "yes";
}

const maxShown = 20;

/**
 * Offers the lists of providers with a key, and of a provider once named. An unlisted model has to be entered twice.
 */
class ModelQuestion {
  readonly #env: Environment;
  readonly #output: Output;
  readonly #listings = new Map<string, Listing>();
  #offered: readonly string[] = [];

  constructor({ env, output }: { readonly env: Environment; readonly output: Output }) {
    this.#env = env;
    this.#output = output;
  }

  /** @throws {LeftSetup} */
  async ask(given: string | undefined): Promise<string> {
    if (given !== undefined && (await this.#isListed(given))) return given;
    let refused: string | undefined = given;
    if (given === undefined) await this.#offerAll();
    for (;;) {
      const said = await this.#read();
      const written = this.#named(said);
      if (written === undefined) await this.#search(said.toLowerCase());
      else if (written === refused || (await this.#isListed(written))) return written;
      else refused = written;
    }
  }

  async #read(): Promise<string> {
    const usual = this.#offered.length === 0 ? "" : " [1]";
    const number = this.#offered.length === 0 ? "" : "a number, ";
    using _ = this.#output.hold();
    const said = await askAtTerminal(`Which model? Write ${number}VENDOR/MODEL, or a word to look for${usual}: `, {
      signal: new AbortController().signal,
      takesPasted: true,
    });
    if (said.kind !== "answer") throw new LeftSetup(said.kind === "interrupt" ? 130 : 1);
    const text = said.text.trim();
    return text === "" && this.#offered.length > 0 ? "1" : text;
  }

  #named(said: string): string | undefined {
    if (/^\d+$/.test(said)) return this.#offered[Number(said) - 1];
    if (/^[^/\s]+\/\S+$/.test(said) && (vendorOf(said) !== undefined || said.startsWith("offline/"))) return said;
    const listed = this.#all().filter((model) => model.slice(model.indexOf("/") + 1) === said);
    return listed.length === 1 ? listed[0] : undefined;
  }

  async #isListed(model: string): Promise<boolean> {
    const vendor = vendorOf(model);
    if (vendor === undefined) return true;
    const listing = await this.#listingOf(vendor);
    const again = "To take it all the same, write it once more";
    if (listing.kind === "none") {
      this.#output.errLine(`${model} is not checked: ${shortTitle(vendor)} ${listing.why}. ${again}`);
      return false;
    }
    const name = model.slice(vendor.name.length + 1);
    if (listing.models.includes(name)) return true;
    const nearest = nearestWord(name, listing.models);
    const meant = nearest === undefined ? "" : `; did you mean "${vendor.name}/${nearest}"?`;
    this.#output.errLine(`${shortTitle(vendor)} lists no "${name}"${meant === "" ? "." : meant} ${again}`);
    return false;
  }

  async #offerAll(): Promise<void> {
    const found = knownVendors.filter((vendor) => setKeyOf(vendor, this.#env) !== undefined);
    const listings = await Promise.all(found.map((vendor) => this.#listingOf(vendor)));
    this.#show(this.#all());
    for (const [index, vendor] of found.entries()) {
      const listing = listings[index];
      if (listing?.kind === "none") this.#output.errLine(`${shortTitle(vendor)} ${listing.why}`);
    }
    const others = knownVendors.filter((vendor) => !found.includes(vendor));
    const named = (vendors: readonly KnownProvider[]): string => vendors.map(({ name }) => name).join(", ");
    const keyless = others.filter(({ keyVariables }) => keyVariables.length === 0);
    const unset = others.filter(({ keyVariables }) => keyVariables.length > 0);
    if (found.length === 0) {
      this.#output.errLine("No key of a vendor is set. With one, setup offers what the vendor lists:");
      for (const { title, keyVariables, page } of unset)
        this.#output.errLine(`  ${title.padEnd(16)}  export ${keyVariables[0]}=…  (${page})`);
    } else this.#output.errLine(`Without a key: ${named(unset)}`);
    this.#output.errLine(`On this machine, asked once you write its name: ${named(keyless)}`);
    this.#output.errLine("(Ctrl-C leaves, and writes nothing)");
  }

  async #search(word: string): Promise<void> {
    const { errLine } = this.#output;
    const vendor = knownVendors.find(({ name }) => name === word.replace(/\/$/, ""));
    if (vendor !== undefined) {
      const listing = await this.#listingOf(vendor);
      if (listing.kind === "none") errLine(`${shortTitle(vendor)} ${listing.why}`);
      else this.#show(listing.models.map((id) => `${vendor.name}/${id}`));
      return;
    }
    if (word === "") return errLine("Nothing was chosen; write VENDOR/MODEL, or the name of a vendor");
    const found = this.#all().filter((model) => model.toLowerCase().includes(word));
    if (found.length > 0) return this.#show(found);
    if (/^\d+$/.test(word)) return errLine(`There is no ${word}; the numbers go from 1 to ${this.#offered.length}`);
    const nearest = nearestWord(word, [...knownVendors.map(({ name }) => name), ...this.#all()]);
    errLine(`There is no "${word}"${nearest === undefined ? "" : `; did you mean "${nearest}"?`}`);
  }

  #show(models: readonly string[]): void {
    this.#offered = models.slice(0, maxShown);
    for (const [index, model] of this.#offered.entries())
      this.#output.errLine(`  ${String(index + 1).padStart(2)}  ${model}`);
    const more = models.length - this.#offered.length;
    if (more > 0) this.#output.errLine(`      and ${more} more: write a word of the name to see them`);
  }

  /** Interleaves the lists, so that each provider has models on the first screen. */
  #all(): readonly string[] {
    const lists = knownVendors.flatMap(({ name }) => {
      const listing = this.#listings.get(name);
      return listing?.kind === "listed" ? [listing.models.map((id) => `${name}/${id}`)] : [];
    });
    const share = Math.max(1, Math.floor(maxShown / Math.max(1, lists.length)));
    return [...lists.flatMap((list) => list.slice(0, share)), ...lists.flatMap((list) => list.slice(share))];
  }

  async #listingOf(vendor: KnownProvider): Promise<Listing> {
    const known = this.#listings.get(vendor.name);
    if (known?.kind === "listed") return known;
    const listing = await listedModels(vendor, this.#env);
    this.#listings.set(vendor.name, listing);
    return listing;
  }
}

function shortTitle({ title }: KnownProvider): string {
  return title.replace(/,.*/, "");
}
