interface FileType {
  readonly mediaType: string;
  readonly isMeant: (bytes: Uint8Array) => boolean;
}

const headBytes = 4_096;

const begins =
  (...heads: readonly string[]) =>
  (bytes: Uint8Array): boolean =>
    heads.some((head) => latin(bytes, 0, head.length) === head);
const riff =
  (form: string) =>
  (bytes: Uint8Array): boolean =>
    latin(bytes, 0, 4) === "RIFF" && latin(bytes, 8, 12) === form;
const boxed = (bytes: Uint8Array): boolean => ["ftyp", "moov", "mdat", "wide", "free"].includes(latin(bytes, 4, 8));
const mpegAudio = (bytes: Uint8Array): boolean =>
  latin(bytes, 0, 3) === "ID3" || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
/** Returns whether bytes are text: they contain no NUL, unless a byte order mark indicates UTF-16. */
const isText = (bytes: Uint8Array): boolean =>
  begins("\xff\xfe", "\xfe\xff")(bytes) || !bytes.subarray(0, headBytes).includes(0);

const png = { mediaType: "image/png", isMeant: begins("\x89PNG\r\n\x1a\n") };
const jpeg = { mediaType: "image/jpeg", isMeant: begins("\xff\xd8\xff") };
const gif = { mediaType: "image/gif", isMeant: begins("GIF87a", "GIF89a") };
const webp = { mediaType: "image/webp", isMeant: riff("WEBP") };
const tiff = { mediaType: "image/tiff", isMeant: begins("II*\0", "MM\0*") };
const ogg = begins("OggS");
const matroska = begins("\x1aE\xdf\xa3");
const mpegVideo = { mediaType: "video/mpeg", isMeant: begins("\0\0\x01\xba", "\0\0\x01\xb3") };
const zip = begins("PK\x03\x04");
const compound = begins("\xd0\xcf\x11\xe0");
const html = { mediaType: "text/html", isMeant: isText };
const office = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

const types: ReadonlyMap<string, FileType> = new Map(
  Object.entries({
    png,
    jpg: jpeg,
    jpeg,
    gif,
    webp,
    bmp: { mediaType: "image/bmp", isMeant: begins("BM") },
    tif: tiff,
    tiff,
    heic: { mediaType: "image/heic", isMeant: boxed },
    avif: { mediaType: "image/avif", isMeant: boxed },
    svg: {
      mediaType: "image/svg+xml",
      isMeant: (bytes) => isText(bytes) && latin(bytes, 0, headBytes).includes("<svg"),
    },
    mp3: { mediaType: "audio/mpeg", isMeant: mpegAudio },
    wav: { mediaType: "audio/wav", isMeant: riff("WAVE") },
    ogg: { mediaType: "audio/ogg", isMeant: ogg },
    oga: { mediaType: "audio/ogg", isMeant: ogg },
    opus: { mediaType: "audio/ogg", isMeant: ogg },
    flac: { mediaType: "audio/flac", isMeant: begins("fLaC") },
    m4a: { mediaType: "audio/mp4", isMeant: boxed },
    aac: { mediaType: "audio/aac", isMeant: begins("\xff\xf1", "\xff\xf9", "ADIF") },
    mp4: { mediaType: "video/mp4", isMeant: boxed },
    m4v: { mediaType: "video/mp4", isMeant: boxed },
    mov: { mediaType: "video/quicktime", isMeant: boxed },
    webm: { mediaType: "video/webm", isMeant: matroska },
    mkv: { mediaType: "video/x-matroska", isMeant: matroska },
    avi: { mediaType: "video/x-msvideo", isMeant: riff("AVI ") },
    mpg: mpegVideo,
    mpeg: mpegVideo,
    pdf: { mediaType: "application/pdf", isMeant: (bytes) => latin(bytes, 0, 1_024).includes("%PDF-") },
    docx: { mediaType: `${office}.wordprocessingml.document`, isMeant: zip },
    xlsx: { mediaType: `${office}.spreadsheetml.sheet`, isMeant: zip },
    pptx: { mediaType: `${office}.presentationml.presentation`, isMeant: zip },
    odt: { mediaType: `${openDocument}.text`, isMeant: zip },
    ods: { mediaType: `${openDocument}.spreadsheet`, isMeant: zip },
    odp: { mediaType: `${openDocument}.presentation`, isMeant: zip },
    epub: { mediaType: "application/epub+zip", isMeant: zip },
    doc: { mediaType: "application/msword", isMeant: compound },
    xls: { mediaType: "application/vnd.ms-excel", isMeant: compound },
    ppt: { mediaType: "application/vnd.ms-powerpoint", isMeant: compound },
    rtf: { mediaType: "application/rtf", isMeant: begins("{\\rtf") },
    txt: { mediaType: "text/plain", isMeant: isText },
    md: { mediaType: "text/markdown", isMeant: isText },
    csv: { mediaType: "text/csv", isMeant: isText },
    tsv: { mediaType: "text/tab-separated-values", isMeant: isText },
    json: { mediaType: "application/json", isMeant: isText },
    html,
    htm: html,
  } satisfies Record<string, FileType>),
);

/** Image types that models accept, according to the vendors' documentation. */
const imagesOfModels: readonly FileType[] = [png, jpeg, gif, webp];

export function typeOfName(name: string): string | undefined {
  return types.get(endingOf(name))?.mediaType;
}

export function isAsNamed(name: string, bytes: Uint8Array): boolean {
  return types.get(endingOf(name))?.isMeant(bytes) === true;
}

export function imageForModels(bytes: Uint8Array): string | undefined {
  return imagesOfModels.find(({ isMeant }) => isMeant(bytes))?.mediaType;
}

export function endingOfType(mediaType: string): string | undefined {
  for (const [ending, type] of types) if (type.mediaType === mediaType) return ending;
  return undefined;
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.subarray(from, to)).toString("latin1");
}
