// Opens the service for one credential. Knows where it is; keeps no credential beyond the client.

import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { GameService } from "../gen/mextrain/v1/game_service_pb";

export type Service = Client<typeof GameService>;

const UNARY_TIMEOUT_MS = 10_000;

/**
 * Returns the service as the bearer of a credential meets it; without one, as anybody does.
 *
 * gRPC-Web, because it is the one of the front's languages that browsers can stream in. Nothing but
 * the header carries the credential: no address, no cookie.
 */
export function serviceFor(credential?: string, baseUrl = location.origin): Service {
  const transport = createGrpcWebTransport({
    baseUrl,
    defaultTimeoutMs: UNARY_TIMEOUT_MS,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        cache: "no-store",
        credentials: "omit",
        referrerPolicy: "no-referrer",
      }),
    interceptors: [
      (next) => (request) => {
        if (credential) request.header.set("Authorization", `Bearer ${credential}`);
        return next(request);
      },
    ],
  });
  return createClient(GameService, transport);
}
