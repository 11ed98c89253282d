import { ServiceError } from "@incipit/service-contract";
import { routes, signInRequestSchema } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import type { Services } from "../context/services.ts";
import type { Handlers } from "../request/handler.ts";
import type { PageSessions } from "../request/page-sessions.ts";
import { readBody } from "../request/read-body.ts";

type PageRoute = "signIn" | "signOut" | "createSignInLink";

/** Lets browsers in, and out. */
export function pageHandlers({ clock }: Services, sessions: PageSessions): Handlers<PageRoute> {
  return {
    signIn: async ({ req }, signal) => {
      const { code } = await readBody(req.raw, signInRequestSchema, { clock, signal });
      const isSecure = req.header("origin")?.startsWith("https:") === true;
      const signedIn = sessions.signIn(code, { isSecure });
      if (signedIn === undefined) {
        const message =
          'This link was used before, or is older than a quarter of an hour; "incipit page" prints a new one';
        throw new ServiceError("UNAUTHORIZED", message);
      }
      const expiresAt = new Date(signedIn.expiresAtMs).toISOString();
      return withCookie(answer(routes.signIn, { expiresAt }), signedIn.cookie);
    },
    signOut: () => withCookie(answer(routes.signOut, { signedOut: true }), sessions.signedOutCookie()),
    createSignInLink: ({ req }) => {
      const { code, expiresAtMs } = sessions.newCode();
      const url = `${new URL(req.url).origin}/#code=${code}`;
      return answer(routes.createSignInLink, { url, expiresAt: new Date(expiresAtMs).toISOString() });
    },
  };
}

function withCookie(response: Response, cookie: string): Response {
  response.headers.set("set-cookie", cookie);
  return response;
}
