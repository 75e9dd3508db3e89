import { useState } from "preact/hooks";
import { say } from "../i18n";
import { heldToken, invitationTo } from "../keeping";
import { Lost } from "../parts/Lost";
import type { Route } from "../routes";
import { Join } from "./Join";
import { Play } from "./Play";
import { Replay } from "./Replay";

interface Props {
  readonly at: Extract<Route, { page: "game" }>;
}

/** A game, in the part that the address names: if this browser has its token. */
export function GamePage({ at: { gameId, role, replay } }: Props) {
  const [token, setToken] = useState(heldToken(gameId, role));
  if (token && replay) return <Replay gameId={gameId} role={role} token={token} />;
  if (token) return <Play gameId={gameId} role={role} token={token} />;
  const invitation = typeof role === "number" ? invitationTo(gameId, role) : undefined;
  if (invitation && typeof role === "number") {
    const taken = () => setToken(heldToken(gameId, role));
    return <Join gameId={gameId} seat={role} invitation={invitation} onTaken={taken} />;
  }
  return <Lost text={say("join.noToken")} />;
}
