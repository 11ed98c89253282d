export function withEtag(response: Response, { etag }: { readonly etag: string | null }): Response {
  if (etag !== null) response.headers.set("etag", etag);
  return response;
}
