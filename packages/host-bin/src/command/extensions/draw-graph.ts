import type { ExtensionInfo } from "@incipit/transport-contract";

/** Under each extension: `──` required, `┄┄` optional, `<-` reads contributions. */
export function drawGraph(extensions: readonly ExtensionInfo[]): string {
  const providers = (service: string): readonly ExtensionInfo[] =>
    extensions.filter(({ provides }) => provides.includes(service));
  const name = ({ id, phase, generation }: ExtensionInfo): string =>
    phase === "active" ? `${id} #${generation}` : `${id} (${phase})`;
  const edgesOf = (extension: ExtensionInfo): readonly string[] => {
    const edge = (line: string, service: string, missing: string): string => {
      const from = providers(service).map(({ id }) => id);
      return `${line} ${service}  ${from.length === 0 ? missing : from.join(", ")}`;
    };
    return [
      ...extension.requires.map((service) =>
        edge("──", service, extension.waitsFor.includes(service) ? "nobody provides it!" : "(the host itself)"),
      ),
      ...extension.uses.map((service) => edge("┄┄", service, "(the host itself, or nobody)")),
      ...extension.reads.map((point) => {
        const from = extensions.filter(({ contributes }) => contributes.includes(point)).map(({ id }) => id);
        return `<- ${point}  ${from.join(", ") || "(nobody)"}`;
      }),
    ];
  };
  const drawn = extensions.map((extension) => {
    const edges = edgesOf(extension);
    const rows = edges.map((edge, index) => `${index === edges.length - 1 ? "  └" : "  ├"}${edge}\n`);
    return `${name(extension)}\n${rows.join("")}`;
  });
  return `${drawn.join("")}── requires   ┄┄ uses when there   <- reads what is contributed\n`;
}
